"""Run what was built, and compare it with the CUDA program."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hipify.build.runner import NO_GPU, run, why_not
from hipify.build.toolchain import NVIDIA
from hipify.errors import InputError, os_reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.build_session import Wish
    from hipify.cli.parser import Arguments

_MOST = 20


def run_program(program: Path, args: Arguments, wish: Wish, *, temporary: bool) -> int:
    """Run the program; gives its exit status, 3 where there is no GPU for it."""
    what = "the program" if temporary else str(program)
    reason = why_not(wish.machine, wish.platform == NVIDIA)
    if reason:
        _say(f"{what} was built and not run: {reason}")
        return NO_GPU
    ran = run(program, wish.program_arguments, wish.timeout, keep=bool(args.compare))
    if not args.compare or ran.status:
        return ran.status
    return _compare(Path(args.compare), ran.out, wish)


def _compare(cuda: Path, got: bytes, wish: Wish) -> int:
    from hipify.build.compare import differences

    if _is_program(cuda):
        reason = why_not(wish.machine, nvidia=True)
        if reason:
            _say(f"{cuda} was not run, nothing was compared: {reason}")
            return NO_GPU
        ran = run(cuda, wish.program_arguments, wish.timeout, keep=True, show=False)
        if ran.status:
            _say(f"{cuda} ended with status {ran.status}, nothing was compared")
            return 1
        expected = ran.out
    else:
        expected = _read(cuda)
    found = list(differences(expected, got, wish.tolerance, wish.ignored))
    for difference in found[:_MOST]:
        _say(f"line {difference.line}: {difference.why}")
        print(f"    CUDA: {difference.expected}\n    HIP:  {difference.got}", file=sys.stderr)
    if found:
        _say(f"the outputs differ in {len(found)} line{'' if len(found) == 1 else 's'}")
        return 1
    _say("the outputs are the same")
    return 0


def _is_program(path: Path) -> bool:
    """Whether a file can be run; on some file systems every file may be."""
    if not os.access(path, os.X_OK):
        return False
    try:
        with path.open("rb") as stream:
            return stream.read(4).startswith((b"\x7fELF", b"#!"))
    except OSError:  # it may be run and not read
        return True


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error


def _say(text: str) -> None:
    print(f"hipify-py: {text}", file=sys.stderr)
