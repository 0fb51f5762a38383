"""Explain a finding: what it says, why that fails on AMD GPUs, what to do, an example before and after.

`explain HPY301 ...` explains ids, `explain HPY3` a family; without an id all kinds of finding are listed. Exit status:
0 done, 2 an id that does not exist.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipify.cli.parser import Arguments, Parser
    from hipify.rules.kinds import FindingKind


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("ids", nargs="*", metavar="ID", help="HPY301, or the beginning of ids: HPY3")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: Arguments) -> int:
    """Do the work; gives the exit status."""
    from hipify.rules.kinds import all_kinds

    kinds = _chosen(args.ids)
    if args.json:
        print(_as_json(kinds))
    elif not args.ids:
        print("\n".join(_listing(list(all_kinds().values()))))
    else:
        print("\n\n".join("\n".join(_page(kind)) for kind in kinds))
    return 0


def _chosen(ids: list[str]) -> list[FindingKind]:
    from hipify.errors import UsageError
    from hipify.rules.kinds import all_kinds

    chosen: dict[str, FindingKind] = {}
    for text in ids or ["HPY"]:
        wanted = text.strip().upper()
        wanted = wanted if wanted.startswith("HPY") else f"HPY{wanted}"
        found = {key: kind for key, kind in all_kinds().items() if key.startswith(wanted)}
        if not found:
            raise UsageError(f"no finding has the id {text}; `hipify-py explain` lists them")
        chosen |= found
    return list(chosen.values())


def _listing(kinds: list[FindingKind]) -> Iterator[str]:
    from hipify.lint.families import family

    shown = ""
    for kind in kinds:
        name = family(kind.id)
        if name != shown:
            yield from ([""] if shown else []) + [name]
            shown = name
        yield f"  {kind.id}  {kind.severity.label:7}  {kind.title}"


def _page(kind: FindingKind) -> Iterator[str]:
    from textwrap import indent, wrap

    from hipify.lint.families import family

    yield f"{kind.id}: {kind.title}"
    yield f"  {kind.severity.label} by default; {family(kind.id)}"
    for name, text in (("Why", kind.why), ("What to do", kind.fix)):
        if text:
            yield ""
            yield from wrap(f"{name}: {' '.join(text.split())}", 100, initial_indent="  ", subsequent_indent="    ")
    for name, text in (("CUDA that gives it", kind.before), ("HIP instead", kind.after)):
        if text:
            yield from ["", f"  {name}:", "", indent(text.strip("\n"), "      ")]


def _as_json(kinds: list[FindingKind]) -> str:
    import json

    from hipify.lint.families import family

    entries = [
        {
            "id": kind.id,
            "family": family(kind.id),
            "severity": kind.severity.label,
            "title": kind.title,
            "why": kind.why,
            "fix": kind.fix,
            "before": kind.before,
            "after": kind.after,
        }
        for kind in kinds
    ]
    return json.dumps(entries, indent=2)
