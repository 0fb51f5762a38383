"""Make hipify/rules/roc_types.tsv: which parameters of the roc libraries' functions have a type of the library's own.

usage: make_roc_types.py [--clang LIBCLANG] [--check] VERSION=USR …     (USR: a folder with include/)

rocBLAS, rocSPARSE and hip have each a complex type, and rocBLAS and rocSPARSE each an enumeration of data types, of the
same layout and numbers. Under --roc code keeps HIP's complex types and rocBLAS's data types, and arguments are cast.
One row a function: its name, then `position:type` (0-based) of each such parameter. `--check` compares with the file.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import clang.cindex as cindex  # type: ignore[import-untyped,unused-ignore]

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[1]))
import api_index
from check_calls import parameter_types

from hipify.rules.library import Library
from hipify.rules.rulebook import load

OUTPUT = Path(__file__).resolve().parents[1] / "hipify" / "rules" / "roc_types.tsv"
_NAME = re.compile(r"roc(?:blas|sparse|solver)_")
_OWN = re.compile(r"\broc(?:blas|sparse)_(?:float|double)_complex\b|\brocsparse_datatype\b")


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("releases", nargs="+", metavar="VERSION=USR")
    parser.add_argument("--clang", default=api_index._library(), help="the libclang to load")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    cindex.Config.set_compatibility_check(False)
    cindex.Config.set_library_file(args.clang)
    rows: dict[str, str] = {}
    for item in args.releases:
        rows |= table(parameter_types(Path(item.partition("=")[2])))
    text = "".join(f"{name}\t{types}\n" for name, types in sorted(rows.items()))
    if args.check:
        return 0 if OUTPUT.read_text("utf-8") == text else 1
    OUTPUT.write_text(text, encoding="utf-8")
    print(f"{len(rows)} functions", file=sys.stderr)
    return 0


def table(types: dict[str, list[str]]) -> dict[str, str]:
    """The rows of one release."""
    wanted, rows = reachable(), {}
    for name, parameters in types.items():
        own = [f"{at}:{spelled(p)}" for at, p in enumerate(parameters) if _OWN.search(p)]
        if own and name in wanted:
            rows[name] = ",".join(own)
    return rows


def reachable() -> set[str]:
    """The functions that a table or a rule can write."""
    library = Library.default()
    named = {api.roc for name in library.in_order() if (api := library.get(name)) is not None and api.roc}
    for name in load().names:
        for rule in load().rules(name.decode()):
            if rule.template is not None and rule.template.callee:
                named.add(rule.template.callee[0][1])
    return {name for name in named if _NAME.match(name)}


def spelled(parameter: str) -> str:
    """A parameter's type as a cast spells it: `const T*`, without the constness of the parameter itself."""
    text = re.sub(r"\s*\*\s*", "*", re.sub(r"\[\]$", "*", parameter)).strip()
    return re.sub(r"\*const\b(?!\*)$", "*", text).replace("*const*", "* const*")


if __name__ == "__main__":
    sys.exit(main())
