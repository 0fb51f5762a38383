#!/usr/bin/env python3
"""Make the rule tables of hipify/rules/apis from a folder of API facts, and check them against real ROCm headers.

    tools/make_tables.py --facts DIR [--headers 7.2=USR ...]   write the tables
    tools/make_tables.py --facts DIR [...] --check             list what it would change in them, and write nothing
    tools/make_tables.py --seal                                note the state of tables that were changed by hand
    tools/make_tables.py --verify 7.2=USR [...]                list names of the tables that those headers do not hold

USR is a folder with `include/` (an unpacked ROCm release, or /opt/rocm). A table says for each name in which releases
it was really seen; what is given with --headers is asked from clang, what is not keeps the evidence of the tables that
are there already. Corrections of the facts stand in tools/table_corrections.tsv, each with its reason: a table that is
changed by hand alone loses the change when the tables are made again. tools/table_digests.txt holds the state in which
they were made, and a test compares them with it; `--seal`, for who has no facts at hand, notes the state of now when
every correction is carried.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from header_evidence import Evidence, HeaderTrouble, probe
from table_guesses import guesses
from table_members import FIELD_COLUMNS, HEADER_COLUMNS, RELEASES, Row, field_rows, header_rows, read
from table_state import APIS, CORRECTIONS, DIGESTS, alternatives, compare, digests, seal

VERSIONS = ["cuda_since", "cuda_deprecated", "cuda_removed", "hip_since", "hip_deprecated", "hip_removed"]
COLUMNS = ["name", "kind", "hip", "roc", "miopen", *VERSIONS, "status", "alt", "seen", "roc_seen", "flags"]

# The order decides whose row a name gets that two domains have.
TABLES = {
    "runtime": "runtime",
    "driver": "driver",
    "device_function": "device",
    "device_type": "device",
    "cublas": "cublas",
    "cublasLt": "cublaslt",
    "cudnn": "cudnn",
    "cufft": "cufft",
    "curand": "curand",
    "cusparse": "cusparse",
    "cusparseLt": "cusparselt",
    "cusolver": "cusolver",
    "cuTensor": "cutensor",
    "cufile": "cufile",
    "nccl": "nccl",
    "nvtx": "nvtx",
    "nvrtc": "nvrtc",
    "nvjitlink": "nvjitlink",
    "profiler": "profiler",
    "pipeline": "pipeline",
    "complex": "complex",
    "fp16": "fp16",
    "bf16": "bf16",
    "fp8": "fp8",
    "fp6": "fp6",
    "fp4": "fp4",
    "wmma": "wmma",
    "cub": "cub",
    "torch": "torch",
    "caffe2": "torch",
}
FLAGS = {
    "experimental": "experimental",
    "hip_experimental": "experimental",
    "hip_supported_v2_only": "v2_only",
    "args_differ": "args_differ",
    "older_variant_target": "older_variant",
    "cuda_overloaded": "overloaded",
    "manual": "manual",
    "version_guard": "version_guard",
}
SIGNATURES = {"count_differs": "count_differs", "some_overloads_differ": "overloads_differ"}
NOT_SHIPPED = re.compile("hipdnn", re.IGNORECASE)


@dataclass
class Entry:
    """One identifier on its way into a table: its row, and the HIP names that it may get, the preferred one first."""

    row: Row
    table: str
    candidates: list[str] = field(default_factory=list)
    known: dict[str, set[str]] = field(default_factory=dict)
    """Releases for which the facts themselves vouch for a candidate."""
    seen: set[str] = field(default_factory=set)
    """Releases that have the preferred candidate, whatever the headers at hand say."""
    roc_seen: set[str] = field(default_factory=set)
    """The same of the ROCm library's name."""


def version(text: str) -> tuple[int, ...]:
    """A version as numbers; () for none."""
    return tuple(int(part) for part in text.split(".")) if text else ()


def entry_of(fact: Row) -> Entry:
    """The table entry of one row of api_map.tsv, evidence still missing."""
    status = fact["status"].split(",")
    table = TABLES[fact["domain"]]
    roc = fact["roc_name"]
    row = dict.fromkeys(COLUMNS, "")
    row |= {key: fact[key] for key in COLUMNS if key in fact}
    miopen = roc.startswith(("miopen", "MIOPEN"))
    row |= {
        "name": fact["cuda_name"],
        "kind": fact["kind"],
        "hip": fact["hip_name"],
        "roc": "" if miopen else roc,
        "miopen": roc if miopen else "",
        "status": first_status(fact, status),
        "flags": ",".join(flags_of(fact, status)),
    }
    entry = Entry(row, table)
    alt = alternatives(fact["alt_names"])
    names = [alt.get("real_header_name", ""), fact["hip_name"], alt.get("hip10", ""), alt.get("interop", "")]
    if not fact["hip_name"] and table not in ("cudnn", "wmma"):
        names += [fact["hip_proposed"], *guesses(fact["cuda_name"])]
    if table == "cublas":  # before ROCm 7 the functions of 64-bit sizes with hip's own types are the _v2_64
        names = [n for name in names for n in (re.sub(r"(?<!_v2)_64\Z", "_v2_64", name), name)]
    entry.candidates = list(dict.fromkeys(n for n in names if n and not NOT_SHIPPED.match(n)))
    for name in (alt.get("hip10"), alt.get("interop")):
        if name:
            entry.known[name] = {"10.0"}
    if fact["hip_name"]:
        entry.known.setdefault(fact["hip_name"], set()).update(vouched(fact, table))
    return entry


def vouched(fact: Row, table: str) -> set[str]:
    """The releases for which the facts vouch: 10.0 by its bindings, 5.7's libraries by the versions they document."""
    tags = set(fact["hip_headers"].split(","))
    seen = {"10.0"} & tags
    if "6.3" in tags:
        seen |= {"6.4", "7.2"} if seen else {"6.4"}
    elif "7.1" in tags and seen:
        seen.add("7.2")
    since = version(fact["hip_since"])
    if since and since <= (5, 7, 99):
        seen.add("5.7")
    return seen


def first_status(fact: Row, status: list[str]) -> str:
    """Our word for what the facts say; `same` and the rest are settled once evidence is there."""
    if "manual" in status:
        return "dropped"
    if fact["hip_name"]:
        return "mapped"
    if fact["roc_name"]:
        return "roc_only"
    return "unknown" if status[0] == "unknown" else "unsupported"


def flags_of(fact: Row, status: list[str]) -> list[str]:
    """The facts that an engine may want to know about a row."""
    found = {FLAGS[word] for word in status if word in FLAGS}
    if fact["sig"] in SIGNATURES:
        found.add(SIGNATURES[fact["sig"]])
    elif fact["sig"].startswith("count_differs_in_"):
        found.add(fact["sig"].replace("_in_", "_in:"))
    if gone := [word[8:12] for word in status if word.startswith("gone_in_")]:
        found.add(f"gone_in:{gone[0]}")
    return sorted(found)


def corrected(entries: dict[str, Entry], members: list[Row], headers: list[Row]) -> None:
    """Apply tools/table_corrections.tsv: a column of a name, member or header is set, or a name or header is added."""
    fields = {member["cuda_name"]: member for member in members}
    paths = {header["cuda_header"]: header for header in headers}
    for fix in read(CORRECTIONS):
        if fix["table"] == "fields":
            fields[fix["name"]]["hip_name"] = fix["value"]
            continue
        if fix["table"] == "headers":
            correct_header(headers, paths, fix)
            continue
        name = fix["name"]
        if name not in entries:
            row = dict.fromkeys(COLUMNS, "") | {"name": name, "status": "mapped"}
            entries[name] = Entry(row, fix["table"], guesses(name) if name.startswith("cub::") else [])
        entry = entries[name]
        if fix["column"] == "hip":
            entry.candidates = [part for part in fix["value"].split("|") if part]
            entry.row["status"] = "mapped" if entry.candidates else "unsupported"
            entry.row["hip"] = entry.candidates[0] if entry.candidates else ""
        elif fix["column"] == "seen":
            entry.seen = set(fix["value"].split(","))
        elif fix["column"] == "roc_seen":
            entry.roc_seen = set(fix["value"].split(","))
        else:
            entry.row[fix["column"]] = fix["value"]
            if fix["column"] == "miopen" and not entry.row["hip"]:
                entry.row["status"] = "roc_only"


def correct_header(headers: list[Row], paths: dict[str, Row], fix: Row) -> None:
    """Apply one correction of an include path; `folder/*` stands for all paths below that no row names."""
    path, column = fix["name"], {"hip": "hip_header", "roc": "roc_header"}.get(fix["column"], fix["column"])
    if path not in paths:
        blank = dict.fromkeys(["domain", "hip_header", "roc_header", "note", "hip_header_found_in"], "")
        paths[path] = blank | {"cuda_header": path, "status": "supported"}
        headers.append(paths[path])
    paths[path][column] = fix["value"]
    if column == "roc_header":
        paths[path]["status"] = "roc_only"


def settle(entry: Entry, evidence: dict[str, Evidence], old: Row | None) -> None:
    """Choose the name for every release by what was seen, and the row's status."""
    row = entry.row
    if row["status"] == "dropped":
        entry.candidates, row["hip"] = [], ""
    chosen = {release: name_in(entry, release, evidence, old) for release in RELEASES}
    newest = chosen["7.2"] or chosen["10.0"] or chosen["6.4"] or chosen["5.7"]
    row["seen"] = ",".join(r for r in RELEASES if newest and chosen[r] == newest)
    row["alt"] = ";".join(f"{r}:{chosen[r]}" for r in RELEASES if chosen[r] and chosen[r] != newest)
    lost = [r for before, r in itertools.pairwise(RELEASES) if chosen[before] and not chosen[r]]
    row["hip_removed"] = lost[0] if lost else ""
    if newest and row["status"] in ("unsupported", "unknown", "roc_only"):
        row["status"] = "mapped"
        row["flags"] = ",".join(filter(None, [row["flags"], "guessed"]))
    if row["status"] in ("mapped", "ambiguous"):
        row["hip"] = newest
    if row["status"] == "mapped":
        if not newest:
            row["status"] = "roc_only" if row["roc"] or row["miopen"] else "unsupported"
        elif newest == row["name"] and not row["alt"]:
            row["status"] = "same"
    roc = row["roc"] or row["miopen"]
    row["roc_seen"] = ",".join(r for r in RELEASES if roc and (r in entry.roc_seen or roc_in(roc, r, evidence, old)))


def name_in(entry: Entry, release: str, evidence: dict[str, Evidence], old: Row | None) -> str:
    """The candidate that a release has: by clang where its headers are at hand, by the facts elsewhere."""
    if release in entry.seen and entry.candidates:
        return entry.candidates[0]
    vouched_for = [name for name in entry.candidates if release in entry.known.get(name, ())]
    if release == "10.0":
        # The bindings leave out templates, macros and some headers: what they do not hold is taken from 7.2.
        return vouched_for[0] if vouched_for else name_in(entry, "7.2", evidence, old)
    if release not in evidence:
        return seen_in_old(old, release) if old else ""
    for name in entry.candidates:
        found = evidence[release].has(name)
        if found or (found is None and name in vouched_for):
            return name
    if release == "5.7" and all(evidence[release].has(name) is None for name in entry.candidates):
        return assumed_in_57(entry, evidence, old)
    return ""


def assumed_in_57(entry: Entry, evidence: dict[str, Evidence], old: Row | None) -> str:
    """The name for 5.7 of a library whose 5.7 headers are nowhere at hand and whose rows carry no version."""
    later = name_in(entry, "6.4", evidence, old)
    if entry.table in ("cub", "nccl", "nvtx") and not entry.row["hip_since"]:
        return later or (name_in(entry, "7.2", evidence, old) if entry.table == "nvtx" else "")
    plain = later.removesuffix("_v2").replace("_v2_", "_")
    return plain if entry.table == "cublas" and plain != later and not plain.endswith("_64") else ""


def seen_in_old(old: Row, release: str) -> str:
    """The name that an earlier run of this script found for a release."""
    return alternatives(old["alt"]).get(release) or (old["hip"] if release in old["seen"].split(",") else "")


def roc_in(name: str, release: str, evidence: dict[str, Evidence], old: Row | None) -> bool:
    """Whether a release has a ROCm library's name; where nothing is at hand, the neighbour release speaks for it."""
    nearest = "6.4" if release == "5.7" else "7.2" if release == "10.0" else release
    found = evidence[nearest].has(name) if nearest in evidence else None
    if found is None and nearest not in evidence:
        return old is not None and nearest in old["roc_seen"].split(",")
    return bool(found)


def write(path: Path, columns: Iterable[str], rows: Iterable[Row]) -> None:
    """Write a table, sorted by name."""
    columns = list(columns)
    lines = ["\t".join(columns)]
    lines += ["\t".join(row[c] for c in columns) for row in sorted(rows, key=lambda r: r["name"])]
    temporary = path.with_suffix(".tmp")
    temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
    temporary.replace(path)


def existing() -> dict[str, Row]:
    """The rows of the tables as they are now, by name."""
    return {row["name"]: row for path in APIS.glob("*.tsv") for row in read(path) if "alt" in row}


def make(facts: Path, roots: dict[str, Path], folder: Path = APIS) -> int:
    """Write all tables into a folder."""
    entries: dict[str, Entry] = {}
    members: list[Row] = []
    rows = sorted(read(facts / "api_map.tsv"), key=lambda r: list(TABLES).index(r["domain"]))
    for fact in rows:
        if fact["kind"] == "struct_field":
            members.append(fact)
        elif fact["cuda_name"] not in entries:
            entries[fact["cuda_name"]] = entry_of(fact)
    old = existing()
    headers = list(read(facts / "headers.tsv"))
    corrected(entries, members, headers)
    names = {n for e in entries.values() for n in (*e.candidates, e.row["roc"], e.row["miopen"]) if n}
    fields = {m["hip_name"] for m in members if m["hip_name"]}
    names |= {name.rpartition("::")[0] for name in fields}
    evidence = {release: probe(usr, names, fields) for release, usr in roots.items()}
    for entry in entries.values():
        settle(entry, evidence, old.get(entry.row["name"]))
    folder.mkdir(exist_ok=True)
    for table in sorted(set(TABLES.values())):
        write(folder / f"{table}.tsv", COLUMNS, (e.row for e in entries.values() if e.table == table))
    write(folder / "fields.tsv", FIELD_COLUMNS, field_rows(members, evidence, APIS / "fields.tsv"))
    write(folder / "headers.tsv", HEADER_COLUMNS, header_rows(headers, roots, TABLES, APIS / "headers.tsv"))
    if folder == APIS:
        DIGESTS.write_text(digests(), encoding="utf-8")
    print(f"{len(entries)} names, {len(members)} members, {len(headers)} headers")
    return 0


def check(facts: Path, roots: dict[str, Path]) -> int:
    """List how the tables differ from what would be made: what was written into them by hand is no correction yet."""
    with tempfile.TemporaryDirectory() as name:
        made = Path(name)
        make(facts, roots, made)
        differences = [line for path in sorted(APIS.glob("*.tsv")) for line in compare(path, made / path.name)]
    print("".join(f"{line}\n" for line in differences), end="")
    print(f"{len(differences)} differences", file=sys.stderr)
    return 1 if differences else 0


def verify(roots: dict[str, Path]) -> int:
    """List what the tables claim and the headers do not hold."""
    wrong = 0
    rows = existing()
    for release, usr in roots.items():
        claims = {name: seen_in_old(row, release) for name, row in rows.items()}
        evidence = probe(usr, {hip for hip in claims.values() if hip}, set())
        for name, hip in sorted(claims.items()):
            if hip and evidence.has(hip) is False:
                wrong += 1
                print(f"{release}: {name} -> {hip} is in no header")
    print(f"{wrong} names are claimed and missing", file=sys.stderr)
    return 1 if wrong else 0


def release_root(text: str) -> tuple[str, Path]:
    """The `7.2=/usr` of an argument."""
    release, _, folder = text.partition("=")
    if release not in RELEASES or not (Path(folder) / "include" / "hip").is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is not RELEASE=FOLDER with FOLDER/include/hip")
    return release, Path(folder)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path)
    parser.add_argument("--headers", type=release_root, nargs="+", default=[], metavar="RELEASE=USR")
    parser.add_argument("--verify", type=release_root, nargs="+", default=[], metavar="RELEASE=USR")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--seal", action="store_true")
    args = parser.parse_args()
    if args.seal:
        return seal()
    if not args.verify and (args.facts is None or not (args.facts / "api_map.tsv").is_file()):
        parser.error("--facts needs a folder with api_map.tsv")
    try:
        if args.verify:
            return verify(dict(args.verify))
        return (check if args.check else make)(args.facts, dict(args.headers))
    except HeaderTrouble as trouble:
        print(f"make_tables: {trouble}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
