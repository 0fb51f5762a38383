"""Where hipify-py itself is killed, another process ends the compilers that it called and takes its folder away.

Everything else that ends a build (Ctrl-C, SIGTERM, an error) is handled by the build. SIGKILL cannot be: this module,
run as a program, reads from its parent which process groups there are, and acts when its parent dies.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time

_TRIES = 20


def watch(folder: str) -> None:
    """Read `+GROUP` and `-GROUP` until there is no more; then end the groups that are left and remove the folder.

    A line `.` says that the parent goes on: groups that still run are another build's, whose own guard knows them.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin.buffer:
        if line == b".\n":
            return
        group = int(line[1:])
        groups.add(group) if line[:1] == b"+" else groups.discard(group)
    for group in groups:
        with contextlib.suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    for _ in range(_TRIES if folder else 0):  # what was killed may write for a moment more
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.isdir(folder):  # noqa: PTH112
            break
        time.sleep(0.1)


if __name__ == "__main__":
    watch(sys.argv[1])
