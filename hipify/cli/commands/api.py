"""Tell what CUDA names become, since when, and what to mind.

`api NAME ...` prints each name's counterpart by ROCm release (a star marks the one that translations here are for) and
the call rules for it; `api --coverage` prints how much of each CUDA library has a counterpart.

Exit status: 0 done, 1 a name that no table knows, 2 a usage error.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipify.cli.parser import Arguments, Parser
    from hipify.rules.language import Rule
    from hipify.rules.library import Api
    from hipify.rules.target import Target


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="CUDA identifiers or headers")
    parser.add_argument("--coverage", action="store_true", help="the share of each library that has a counterpart")
    parser.add_argument("--target", metavar="X.Y", default="", help="one ROCm release only")
    parser.add_argument("--roc", action="store_true", help="roc names where they exist")
    parser.add_argument("--miopen", action="store_true", help="MIOpen names for cuDNN")
    parser.add_argument("--rules", metavar="FILE", action="append", default=[], help="a rule file of one's own")


def run(args: Arguments) -> int:
    """Do the work; gives the exit status."""
    from hipify.errors import UsageError

    if not args.names and not args.coverage:
        raise UsageError("api needs a name, or --coverage")
    targets = _targets(args)
    if args.coverage:
        print("\n".join(_coverage(targets)))
    known = [_print_name(name, targets, args.rules) for name in args.names]
    return 0 if all(known) else 1


def _targets(args: Arguments) -> list[Target]:
    from hipify.errors import UsageError
    from hipify.rules.target import KNOWN_ROCM, Target, parse_rocm

    try:
        releases = [parse_rocm(args.target)] if args.target else list(KNOWN_ROCM)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return [Target(rocm=release, roc=args.roc, miopen=args.miopen) for release in releases]


def _print_name(name: str, targets: list[Target], rule_files: list[str]) -> bool:
    from hipify.rules import rulebook
    from hipify.rules.library import Library

    library = Library.default()
    api = library.get(name.encode())
    header = library.header(name.strip('<>"').encode())
    rules = rulebook.load(rule_files).rules(name)
    fields = library.field(name.encode())
    if api is not None:
        print("\n".join(_lines(api, targets)))
    elif header is not None:
        print(f"{header.path}: a header of {header.library}")
        for target in targets:
            counterpart = header.hip_in(target.label) or header.roc or "no counterpart"
            print(f"{_mark(target, targets)}ROCm {target.label:5} {counterpart}")
    elif fields:
        for field in fields:
            print(
                f"{field.struct}::{field.field}: {field.hip_struct}::{field.hip_field}"
                if field.hip_field
                else f"{field.struct}::{field.field}: HIP's struct has no such member"
            )
    elif not rules:
        print(f"{name}: no table knows it{_near(name, library)}")
        return False
    for line in _rule_lines(rules):
        print(line)
    return True


def _lines(api: Api, targets: list[Target]) -> Iterator[str]:
    from hipify.rules.library import map_name

    since = f", CUDA {api.cuda_since}" if api.cuda_since else ""
    gone = f", removed in CUDA {api.cuda_removed}" if api.cuda_removed else ""
    yield f"{api.name}: {api.kind.replace('_', ' ')} of {api.library}{since}{gone}"
    for target in targets:
        mapping = map_name(api, target)
        note = mapping.note if mapping.problem else ""
        yield f"{_mark(target, targets)}ROCm {target.label:5} {mapping.name or '-'}{'  ' + note if note else ''}"
    if api.hip_since:
        yield f"  in HIP since {api.hip_since}" + (
            f", deprecated in {api.hip_deprecated}" if api.hip_deprecated else ""
        )
    others = [n for n in (api.roc, api.miopen) if n]
    if others:
        yield f"  also {', '.join(others)} (options --roc, --miopen)"


def _mark(target: Target, shown: list[Target]) -> str:
    """What stands before a release: a star, where it is one of several and translations here are for it."""
    import os

    from hipify.cli.releases import installed_target

    return "* " if len(shown) > 1 and installed_target(os.environ).release == target.label else "  "


def _rule_lines(rules: tuple[Rule, ...]) -> Iterator[str]:
    for rule in rules:
        pattern = "" if rule.parameters is None else f"({', '.join(_parameters(rule))})"
        yield f"  {rule.kind} {rule.name}{pattern}{_becomes(rule)}  [{rule.where}]"
        for saying in rule.sayings:
            yield f"    {saying.severity}: {saying.message}"


def _parameters(rule: Rule) -> Iterator[str]:
    for name, default in zip(rule.parameters or (), rule.defaults, strict=True):
        yield f"{name} = {default}" if default else name
    if rule.rest:
        yield "..."


def _becomes(rule: Rule) -> str:
    if rule.template is None:
        return " stays" if rule.leave else ""
    shown = {
        "text": "{}",
        "arg": "${}",
        "type": "$type({})",
        "unquote": "$unquote({})",
        "rest": "...",
        "targs": "$targs",
    }
    slots = [
        "".join(shown[kind].format(value) for kind, value in slot)
        for slot in (rule.template.callee, *(rule.template.slots or ()))
    ]
    return f" => {slots[0]}" + (f"({', '.join(slots[1:])})" if rule.template.slots is not None else "")


def _near(name: str, library: object) -> str:
    from difflib import get_close_matches

    from hipify.rules.library import Library

    assert isinstance(library, Library)
    found = get_close_matches(name, (n.decode() for n in library.in_order() if n[:2] == name.encode()[:2]), 1, 0.8)
    return f"; did you mean {found[0]}?" if found else ""


def _coverage(targets: list[Target]) -> Iterator[str]:
    from hipify.rules.library import Library, map_name

    tables = Library.default()
    rows = [["library", "names", *(f"ROCm {t.label}" for t in targets)]]
    for name in tables.libraries:
        apis = [api for key in tables.library(name) if (api := tables.get(key)) is not None]
        mapped = [sum(1 for api in apis if map_name(api, target).name) for target in targets]
        rows.append([name, str(len(apis)), *(f"{m} ({100 * m // max(len(apis), 1)} %)" for m in mapped)])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
