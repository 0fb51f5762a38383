#!/usr/bin/env python3
"""Write what the corpus's programs become now: expected/, findings.txt, and the list in corpus/README.md.

usage: tools/update_expected.py [NAME…]

Read the difference before you commit it: it is what the tests will hold the translator to.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.corpus import CORPUS, Program, findings_text, programs, translate, unportable

MARK, UNPACKAGED, UNPORTABLE = "<!-- programs -->\n", "\n<!-- unpackaged -->\n", "\n<!-- unportable -->\n"


def update(program: Program) -> None:
    """Write the expected files of one program anew."""
    translations = translate(program)
    shutil.rmtree(program.expected, ignore_errors=True)
    for source, translation in translations.items():
        target = program.ported(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(translation.output)
    (program.folder / "findings.txt").write_text(findings_text(program, translations), encoding="utf-8")


def table(all_programs: list[Program]) -> str:
    """The README's list: a line a program."""
    rows = [
        f"| [{p.name}]({p.folder.relative_to(CORPUS)}) | {p.title} | {p.unportable or p.legacy} |\n"
        for p in all_programs
    ]
    return "".join(["| program | what it uses | what stays to be ported |\n| --- | --- | --- |\n", *rows])


def main(names: list[str]) -> int:
    """Update the programs named, or all."""
    everything = [*programs(), *unportable()]
    unknown = set(names) - {program.name for program in everything}
    if unknown:
        print(f"update_expected: no such program: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    for program in everything:
        if not names or program.name in names:
            update(program)
    readme: Path = CORPUS / "README.md"
    readme.write_text(listed(readme.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def listed(text: str) -> str:
    """The corpus's README with the list of each group after its mark."""
    groups = {
        MARK: [program for program in programs() if program.packaged],
        UNPACKAGED: [program for program in programs() if not program.packaged],
        UNPORTABLE: unportable(),
    }
    for mark, group in groups.items():
        head, _, rest = text.partition(mark)
        text = head + mark + table(group) + "".join(rest.partition("\n\n")[1:])[1:]
    return text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
