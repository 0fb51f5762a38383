#!/usr/bin/env python3
"""Write docs/findings.md from the kinds of finding in the code.

usage: tools/make_docs.py [--check]     --check writes nothing and fails when the page is not what the code says
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hipify.lint.families import FAMILIES, family  # noqa: E402
from hipify.rules.kinds import FindingKind, all_kinds  # noqa: E402

PAGE = ROOT / "docs" / "findings.md"
_HEAD = """# Findings

<!-- Made by tools/make_docs.py from hipify/rules: change the kinds there. -->

Every finding has an id that stays, a severity (error: it will not compile or will run wrong; warning: it may run wrong;
note: worth knowing), a place in the input, and advice. The severity of a single finding can differ from the one below,
because it follows what the compiler and the chosen GPUs (`--offload-arch`) do. `hipify-py explain HPY301` prints a
section of this page. How to choose findings, silence them and read them in CI: [lint.md](lint.md).
"""


def page() -> str:
    """The whole page."""
    kinds = list(all_kinds().values())
    parts = [_HEAD, *_table(kinds)]
    for digit in FAMILIES:
        members = [kind for kind in kinds if kind.id[3] == digit]
        if members:
            parts.append(f"\n## {family(members[0].id)}\n")
            parts += [part for kind in members for part in _section(kind)]
    return "".join(parts)


def _table(kinds: list[FindingKind]) -> Iterator[str]:
    yield "\n| id | severity | what |\n| --- | --- | --- |\n"
    for kind in kinds:
        title = _text(kind.title).replace("|", "\\|")
        yield f"| [{kind.id}](#{kind.id.lower()}) | {kind.severity.label} | {title} |\n"


def _section(kind: FindingKind) -> Iterator[str]:
    yield f"\n### {kind.id}\n\n**{_text(kind.title)}** ({kind.severity.label})\n\n{_text(kind.why)}\n"
    yield f"\nWhat to do: {_text(kind.fix)}\n"
    for title, language, code in (("CUDA that gives it", "cuda", kind.before), ("HIP instead", "hip", kind.after)):
        if code:
            yield f"\n{title}:\n\n```{language}\n{code.strip()}\n```\n"


def _text(text: str) -> str:
    """A line of Markdown: what HTML or emphasis would swallow is escaped outside of code."""
    parts = " ".join(text.split()).split("`")
    for index in range(0, len(parts), 2):
        for character in ("\\", "<", "*", "_"):
            parts[index] = parts[index].replace(character, f"\\{character}")
    return "`".join(parts)


def main(arguments: list[str]) -> int:
    """Write the page, or check it."""
    made = page()
    if arguments == ["--check"]:
        if PAGE.is_file() and PAGE.read_text("utf-8") == made:
            return 0
        print(f"{PAGE.relative_to(ROOT)} is not what the code says: run tools/make_docs.py", file=sys.stderr)
        return 1
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
