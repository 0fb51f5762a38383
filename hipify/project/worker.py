"""The loop of a worker process: pickled (function, arguments) on standard input, pickled results on standard output."""

from __future__ import annotations

import os
import pickle
import struct
from typing import BinaryIO

HEAD = struct.Struct(">Q")


def read(stream: BinaryIO) -> bytes | None:
    """The next message; None when the other side is gone."""
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    body = stream.read(HEAD.unpack(head)[0])
    return body if len(body) == HEAD.unpack(head)[0] else None


def write(stream: BinaryIO, body: bytes) -> None:
    """Send a message."""
    stream.write(HEAD.pack(len(body)))
    stream.write(body)
    stream.flush()


def main() -> None:
    """Serve until standard input ends, which it does when the parent is gone."""
    import gc
    import signal

    from hipify import patterns
    from hipify.memory import Freed

    # Ctrl-C goes to the whole terminal group: the parent decides when a worker ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(200_000, 20, 100)
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    # What a library prints must not get into the answers.
    os.dup2(2, 1)
    freed = Freed()
    while (body := read(requests)) is not None:
        try:
            function, args, kwargs = pickle.loads(body)
            answer = pickle.dumps((True, function(*args, **kwargs)), pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            answer = pickle.dumps((False, (type(error).__name__, str(error))), pickle.HIGHEST_PROTOCOL)
        try:
            write(answers, answer)
        except BrokenPipeError:
            break
        freed.give_back()
    patterns.keep()
    os._exit(0)


if __name__ == "__main__":
    main()
