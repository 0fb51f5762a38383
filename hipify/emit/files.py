"""Write files so that a reader, a crash or Ctrl-C never finds half of one."""

from __future__ import annotations

import contextlib
import os
import stat
from itertools import count

from hipify.errors import OutputError, os_reason

BACKUP = ".prehip"
_STANDARD = {"/dev/stdout": 1, "/dev/stderr": 2}
_serial = count()


def write(path: str | os.PathLike[str], data: bytes, mode: int = 0o666) -> None:
    """Put `data` at `path` in one step; raises OutputError, and then leaves what was there.

    An existing file keeps its permissions and owner, and a link stays a link. A new file gets `mode` less the umask.
    Devices and pipes (/dev/null, /dev/stdout) are written to directly, never replaced.
    """
    try:
        descriptor = _descriptor(path)
        if descriptor is not None:
            with os.fdopen(os.dup(descriptor), "wb") as stream:
                stream.write(data)
            return
        target, before = _target(os.fspath(path))
        if before is None or stat.S_ISREG(before.st_mode):
            _replace(target, data, mode, before)
        else:
            with open(target, "wb") as stream:
                stream.write(data)
    except OSError as error:
        raise OutputError(f"{os.fspath(path)}: cannot be written: {os_reason(error)}") from error
    except ValueError as error:  # a NUL byte in the name
        raise OutputError(f"{os.fspath(path)!r}: cannot be written: {error}") from error


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether a path is that of a device or a pipe: beside it nothing else belongs."""
    if _descriptor(path) is not None:
        return True
    try:
        before = _status(os.path.realpath(path))
    except (OSError, ValueError):  # writing tells of it
        return False
    return before is not None and not stat.S_ISREG(before.st_mode)


def _descriptor(path: str | os.PathLike[str]) -> int | None:
    """The open file that a name such as /dev/stdout stands for: to be written on, not opened anew and truncated."""
    name = os.fspath(path)
    if name in _STANDARD:
        return _STANDARD[name]
    folder, _, number = name.rpartition("/")
    return int(number) if folder in ("/dev/fd", "/proc/self/fd") and number.isdecimal() else None


def _target(path: str) -> tuple[str, os.stat_result | None]:
    """Where the bytes go, links followed, and what is there by now."""
    if path and not path.endswith(os.sep):
        before = _status(path, follow_symlinks=False)
        if before is None or stat.S_ISREG(before.st_mode):
            return path, before
    target = os.path.realpath(path)
    return target, _status(target)


def _status(target: str, *, follow_symlinks: bool = True) -> os.stat_result | None:
    try:
        return os.stat(target, follow_symlinks=follow_symlinks)
    except FileNotFoundError:
        return None


def writable(path: str | os.PathLike[str]) -> bool:
    """Whether the user that this process acts for may write to a file, or make files in a folder."""
    return _may(path, os.W_OK | os.X_OK if os.path.isdir(path) else os.W_OK)


def _may(path: str | os.PathLike[str], wanted: int) -> bool:
    return os.access(path, wanted, effective_ids=os.access in os.supports_effective_ids)


def _replace(target: str, data: bytes, mode: int, before: os.stat_result | None) -> None:
    if before is not None and not _may(target, os.W_OK):
        raise PermissionError(13, "the file is read-only")
    temporary = os.path.join(os.path.dirname(target), f".hipify-{os.getpid()}-{next(_serial)}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(handle, left) :]
            if before is not None:
                _keep_attributes(handle, before)
            os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _keep_attributes(handle: int, before: os.stat_result) -> None:
    if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
        with contextlib.suppress(PermissionError):
            os.fchown(handle, before.st_uid, before.st_gid)
    os.fchmod(handle, stat.S_IMODE(before.st_mode))


def back_up(path: str, data: bytes, mode: int = 0o666) -> str:
    """Keep `data`, the bytes of `path`, beside it; gives the backup's path.

    The name is FILE.prehip. A backup that holds other bytes is never overwritten: FILE.prehip.1, .2, … are next.
    """
    for number in count():
        backup = f"{path}{BACKUP}.{number}" if number else f"{path}{BACKUP}"
        try:
            with open(backup, "rb") as stream:
                kept = stream.read()
        except FileNotFoundError:
            write(backup, data, mode)
            return backup
        except OSError as error:
            raise OutputError(f"{backup}: cannot be read: {os_reason(error)}") from error
        if kept == data:
            return backup
    raise AssertionError("count() does not end")


def permissions(path: str) -> int:
    """The permission bits of a file, for a new file made from it."""
    status = _status(path)
    return stat.S_IMODE(status.st_mode) & 0o777 if status is not None and stat.S_ISREG(status.st_mode) else 0o666
