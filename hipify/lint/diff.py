"""Which lines changed since a git ref."""

from __future__ import annotations

import os
import subprocess

from hipify.errors import UsageError
from hipify.lint.discover import repository
from hipify.patterns import lazy

_HUNK = lazy(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")

Lines = list[tuple[int, int]]
"""First and last line of each changed piece."""


class Changes:
    """The lines of a working tree that a ref does not have. A file that git does not know is changed as a whole."""

    def __init__(self, root: str, files: dict[str, Lines], new: frozenset[str]) -> None:
        self._root = root
        self._files = files
        self._new = new

    @classmethod
    def since(cls, ref: str, start: str = ".") -> Changes:
        """Ask git; UsageError when there is no repository or no such ref."""
        root = str(repository(start))
        if not os.path.exists(os.path.join(root, ".git")):  # noqa: PTH110, PTH118
            raise UsageError(f"--diff {ref}: the current folder is in no git repository")
        if ref.startswith("-"):
            raise UsageError(f"--diff {ref}: not a git ref")
        _git(root, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}", wrong=f"--diff {ref}: no such git ref here")
        options = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--unified=0", "--no-prefix")
        patch = _git(root, "-c", "core.quotePath=false", "diff", *options, ref, "--")
        new = _git(root, "ls-files", "-z", "--others", "--exclude-standard")
        names = (name.decode("utf-8", "surrogateescape") for name in new.split(b"\0") if name)
        return cls(root, parse(patch), frozenset(names))

    def touches_file(self, path: str) -> bool:
        """Whether anything of a file changed."""
        name = self._name(path)
        return name in self._new or bool(self._files.get(name)) or self._outside(name)

    def touches(self, path: str, first: int, last: int) -> bool:
        """Whether one of the lines changed."""
        name = self._name(path)
        if name in self._new or self._outside(name):
            return True
        return any(start <= last and first <= end for start, end in self._files.get(name, ()))

    def _name(self, path: str) -> str:
        return os.path.relpath(os.path.realpath(path), self._root).replace(os.sep, "/")

    def _outside(self, name: str) -> bool:
        """Whether a file lies outside of the repository, so that git cannot tell what it was."""
        return name.startswith("../")


def parse(patch: bytes) -> dict[str, Lines]:
    """The added and changed lines by file of a unified diff without context and without prefixes."""
    files: dict[str, Lines] = {}
    lines: Lines = []
    left = 0
    for line in patch.split(b"\n"):
        if left and line[:1] in (b"+", b"\\", b"-"):
            left -= line[:1] == b"+"
            continue
        hunk = _HUNK.match(line)
        if hunk:
            first, left = int(hunk[1]), int(hunk[2] or 1)
            if left:
                lines.append((first, first + left - 1))
        elif line.startswith(b"+++ "):
            lines = files.setdefault(_unquoted(line[4:]), [])
    files.pop("/dev/null", None)
    return files


def _unquoted(name: bytes) -> str:
    """A path as git prints it: in quotes, with escapes, when it holds odd characters; with a tab after blanks."""
    name = name.rstrip(b"\r").removesuffix(b"\t")
    if name.startswith(b'"') and name.endswith(b'"'):
        name = name[1:-1].decode("latin-1").encode("latin-1").decode("unicode_escape").encode("latin-1")
    return name.decode("utf-8", "surrogateescape")


def _git(root: str, *arguments: str, wrong: str = "") -> bytes:
    try:
        done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, check=False)
    except FileNotFoundError as error:
        raise UsageError("--diff needs git, which is not installed") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(wrong or f"git {arguments[0]} failed: {said[-1] if said else done.returncode}")
    return done.stdout
