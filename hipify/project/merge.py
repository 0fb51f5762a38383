"""Three-way merges of a person's changes with a new translation, by git's own merge of files."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from hipify.patterns import lazy

LABELS = ("edited", "last translation", "new translation")
_MARK = lazy(rb"^<{7} edited\r?$.*?^={7}\r?$.*?^>{7} new translation\r?$", re.MULTILINE | re.DOTALL)


def merge(edited: bytes, base: bytes, new: bytes) -> tuple[bytes, int] | None:
    """The changes from `base` to `edited` and from `base` to `new` together, and how many places conflict.

    None when the texts cannot be merged: they are binary, or there is no git.
    """
    if new in (base, edited):
        return edited, 0
    if edited == base:
        return new, 0
    import shutil
    import tempfile

    git = shutil.which("git")
    if git is None or any(b"\0" in text for text in (edited, base, new)):
        return None
    with tempfile.TemporaryDirectory(prefix="hipify-merge-") as folder:
        paths = [Path(folder) / name for name in ("edited", "base", "new")]
        for path, text in zip(paths, (edited, base, new), strict=True):
            path.write_bytes(text)
        labels = [word for label in LABELS for word in ("-L", label)]
        command = [git, "merge-file", "-p", *labels, *map(str, paths)]
        done = subprocess.run(command, capture_output=True, cwd=folder, check=False)
    if done.returncode < 0 or done.returncode > 127:
        return None
    return done.stdout, done.returncode


def has_conflicts(text: bytes) -> bool:
    """Whether a text still holds marks that a merge of ours left."""
    return _MARK.search(text) is not None
