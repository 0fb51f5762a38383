"""Whether SRC and OUT are folders that a conversion may use."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from hipify.emit.files import writable
from hipify.errors import InputError, OutputError, UsageError, os_reason
from hipify.project.discover import STATE_FOLDER
from hipify.project.settings import Settings
from hipify.project.state import state_path


def check(settings: Settings) -> None:
    """Refuse what cannot work, or would lose something, before anything is written."""
    source, out = settings.source, settings.out
    _check_source(source)
    if settings.in_place:
        return
    real_source, real_out = os.path.realpath(source), os.path.realpath(out)
    if real_source == real_out:
        raise UsageError(f"{out}: is the input folder itself; --in-place converts a folder where it is")
    if real_out.startswith(real_source.rstrip(os.sep) + os.sep):
        raise UsageError(f"{out}: lies inside the input folder {source}; choose a folder outside of it")
    if real_source.startswith(real_out.rstrip(os.sep) + os.sep):
        raise UsageError(f"{source}: lies inside the output folder {out}; choose another output folder")
    _check_out(settings)


def _check_source(source: Path) -> None:
    try:
        if not source.stat() or not source.is_dir():
            raise UsageError(f"{source}: is no folder; `hipify-py {source}` translates a file")
    except OSError as error:
        raise InputError(f"{source}: cannot be read: {os_reason(error)}") from error


def _check_out(settings: Settings) -> None:
    out = settings.out
    try:
        items = sorted(item.name for item in out.iterdir()) if out.exists() or out.is_symlink() else []
    except NotADirectoryError as error:
        raise OutputError(f"{out}: exists and is no folder") from error
    except OSError as error:
        raise OutputError(f"{out}: cannot be read: {os_reason(error)}") from error
    if items and not state_path(out).exists() and not settings.force:
        if items == [STATE_FOLDER]:
            return
        raise OutputError(f"{out}: is not empty and holds no conversion of hipify-py's; --force writes into it")
    nearest = next(path for path in (out, *out.absolute().parents) if path.exists())
    if not writable(nearest):
        raise OutputError(f"{out}: cannot be written: the folder {nearest} is read-only")


def folds_case(out: Path) -> bool:
    """Whether the file system of a folder (or of the nearest one above) takes `A` and `a` for one name."""
    nearest = next(path for path in (out, *out.absolute().parents) if path.is_dir())
    probe = nearest / f".hipify-Case-{os.getpid()}.tmp"
    try:
        probe.touch(0o600, exist_ok=False)
        try:
            return probe.with_name(probe.name.swapcase()).exists()
        finally:
            probe.unlink()
    except OSError:
        return False


def changed_in_git(folder: Path) -> list[str] | None:
    """The files below a folder that git knows to be changed or new; None where there is no git tree."""
    command = ["git", "-C", str(folder), "status", "--porcelain", "-z", "--untracked-files=all", "--", "."]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
        top = subprocess.run(["git", "-C", str(folder), "rev-parse", "--show-prefix"], capture_output=True, check=False)
    except OSError:
        return None
    if done.returncode or top.returncode:
        return None
    prefix = os.fsdecode(top.stdout).rstrip("\n")
    return [path.removeprefix(prefix) for path in _changed(os.fsdecode(done.stdout))]


def _changed(listing: str) -> Iterator[str]:
    items = iter(listing.split("\0"))
    for item in items:
        if len(item) > 3:
            if item[0] in "RC":
                next(items, None)
            path = item[3:]
            if STATE_FOLDER not in path.split("/"):
                yield path
