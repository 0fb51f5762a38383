#!/usr/bin/env python3
"""Make the rule tables of hipify/rules/apis from a folder of API facts, and check them against real ROCm headers.

    tools/make_tables.py --facts DIR [--headers 7.2=USR ...]   write the tables
    tools/make_tables.py --verify 7.2=USR [...]                list names of the tables that those headers do not hold

USR is a folder with `include/` (an unpacked ROCm release, or /opt/rocm). A table says for each name in which releases
it was really seen; what is given with --headers is asked from clang, what is not keeps the evidence of the tables that
are there already. Corrections of the facts stand in tools/table_corrections.tsv, each with its reason.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from header_evidence import Evidence, probe

ROOT = Path(__file__).resolve().parent.parent
APIS = ROOT / "hipify" / "rules" / "apis"
CORRECTIONS = Path(__file__).with_name("table_corrections.tsv")
RELEASES = ("5.7", "6.4", "7.2", "10.0")
COLUMNS = (
    "name kind hip roc miopen cuda_since cuda_deprecated cuda_removed hip_since hip_deprecated hip_removed status alt "
    "seen roc_seen flags"
).split()
FIELD_COLUMNS = "name hip_struct hip_field cuda_type hip_type seen".split()
HEADER_COLUMNS = "name library hip roc status note seen roc_seen".split()

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
# Releases whose bindings say nothing of these: what 7.2 has is taken for 10.0 too.
UNBOUND = {"device", "complex", "fp16", "bf16", "fp8", "fp6", "fp4", "wmma", "cub", "torch", "nvtx"}
UNBOUND_KINDS = {"macro", "device_function", "device_type", "class", "method", "variable"}

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

Row = dict[str, str]


@dataclass
class Entry:
    """One identifier on its way into a table: its row, and the HIP names that it may get, the preferred one first."""

    row: Row
    table: str
    candidates: list[str] = field(default_factory=list)
    known: dict[str, set[str]] = field(default_factory=dict)
    """Releases for which the facts themselves vouch for a candidate."""


def read(path: Path) -> Iterator[Row]:
    """The rows of a TSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def version(text: str) -> tuple[int, ...]:
    """A version as numbers; () for none."""
    return tuple(int(part) for part in text.split(".")) if text else ()


def alternatives(text: str) -> dict[str, str]:
    """`hip10:a;torch:b` as a dictionary."""
    return dict(item.split(":", 1) for item in text.split(";") if ":" in item) if text else {}


def entry_of(fact: Row) -> Entry:
    """The table entry of one row of api_map.tsv, evidence still missing."""
    status = fact["status"].split(",")
    table = TABLES[fact["domain"]]
    roc = fact["roc_name"]
    row = dict.fromkeys(COLUMNS, "")
    row |= {key: fact[key] for key in COLUMNS if key in fact}
    miopen = roc.startswith("miopen")
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
    if table == "cudnn":
        names = [n for n in names if not n.lower().startswith("hipdnn")]
    entry.candidates = list(dict.fromkeys(n for n in names if n))
    for name in (alt.get("hip10"), alt.get("interop")):
        if name:
            entry.known[name] = {"10.0"}
    if fact["hip_name"]:
        entry.known.setdefault(fact["hip_name"], set()).update(vouched(fact, table))
    return entry


def vouched(fact: Row, table: str) -> set[str]:
    """The releases in which the facts saw the HIP name: 10.0 by its bindings, libraries of 5.7 by documented versions."""
    tags = set(fact["hip_headers"].split(","))
    seen = {"10.0"} & tags
    if "6.3" in tags or "7.1" in tags or "clang22" in tags:
        seen |= {"6.3+"}
    since = version(fact["hip_since"])
    if since and since <= (5, 7, 99):
        seen.add("5.7")
    elif not since and table in ("cub", "nccl", "nvtx", "complex") and seen:
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
    for prefix, flag in SIGNATURES.items():
        if fact["sig"].startswith(prefix):
            found.add(flag)
    if gone := [word[8:12] for word in status if word.startswith("gone_in_")]:
        found.add(f"gone_in:{gone[0]}")
    return sorted(found)


def corrected(entries: dict[str, Entry]) -> None:
    """Apply tools/table_corrections.tsv: a name's column is set, or a name is added."""
    for fix in read(CORRECTIONS):
        name = fix["name"]
        if name not in entries:
            entries[name] = Entry(dict.fromkeys(COLUMNS, "") | {"name": name, "status": "mapped"}, fix["table"])
        entry = entries[name]
        if fix["column"] == "hip":
            entry.candidates = [part for part in fix["value"].split("|") if part]
            entry.row["status"] = "mapped" if entry.candidates else "unsupported"
            entry.row["hip"] = entry.candidates[0] if entry.candidates else ""
        else:
            entry.row[fix["column"]] = fix["value"]


def settle(entry: Entry, evidence: dict[str, Evidence], old: Row | None) -> None:
    """Choose the name for every release by what was seen, and the row's status."""
    row = entry.row
    chosen = {release: name_in(entry, release, evidence, old) for release in RELEASES}
    newest = chosen["7.2"] or chosen["10.0"] or chosen["6.4"] or chosen["5.7"]
    row["seen"] = ",".join(r for r in RELEASES if newest and chosen[r] == newest)
    row["alt"] = ";".join(f"{r}:{chosen[r]}" for r in RELEASES if chosen[r] and chosen[r] != newest)
    if row["status"] == "mapped":
        row["hip"] = newest
        if not newest:
            row["status"] = "roc_only" if row["roc"] or row["miopen"] else "unsupported"
        elif newest == row["name"]:
            row["status"] = "same"
    roc = row["roc"] or row["miopen"]
    row["roc_seen"] = ",".join(r for r in RELEASES if roc and roc_in(roc, r, evidence, old))


def name_in(entry: Entry, release: str, evidence: dict[str, Evidence], old: Row | None) -> str:
    """The first candidate that this release has."""
    for name in entry.candidates:
        if has(entry, name, release, evidence, old):
            return name
    return ""


def has(entry: Entry, name: str, release: str, evidence: dict[str, Evidence], old: Row | None) -> bool:
    """Whether a release has a HIP name, by clang where its headers are at hand, by the facts elsewhere."""
    vouch = entry.known.get(name, set())
    found = evidence[release].has(name) if release in evidence else None
    if found is not None:
        return found
    if release in ("6.4", "7.2"):
        if release in evidence:
            return "6.3+" in vouch and entry.table in ("cutensor", "nvtx", "cusparselt")
        return old is not None and name == seen_in_old(old, release)
    if release == "10.0" and (entry.table in UNBOUND or entry.row["kind"] in UNBOUND_KINDS):
        return "10.0" in vouch or has(entry, name, "7.2", evidence, old)
    return release in vouch


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


def make(facts: Path, roots: dict[str, Path]) -> int:
    """Write all tables."""
    entries: dict[str, Entry] = {}
    members: list[Row] = []
    rows = sorted(read(facts / "api_map.tsv"), key=lambda r: list(TABLES).index(r["domain"]))
    for fact in rows:
        if fact["kind"] == "struct_field":
            members.append(fact)
        elif fact["cuda_name"] not in entries:
            entries[fact["cuda_name"]] = entry_of(fact)
    corrected(entries)
    old = existing()
    headers = [h for h in read(facts / "headers.tsv")]
    names = {n for e in entries.values() for n in (*e.candidates, e.row["roc"], e.row["miopen"]) if n}
    fields = {m["hip_name"] for m in members if m["hip_name"]}
    evidence = {release: probe(release, usr, names, fields) for release, usr in roots.items()}
    for entry in entries.values():
        settle(entry, evidence, old.get(entry.row["name"]))
    APIS.mkdir(exist_ok=True)
    for table in sorted(set(TABLES.values())):
        write(APIS / f"{table}.tsv", COLUMNS, (e.row for e in entries.values() if e.table == table))
    write(APIS / "fields.tsv", FIELD_COLUMNS, field_rows(members, evidence))
    write(APIS / "headers.tsv", HEADER_COLUMNS, header_rows(headers, roots))
    print(f"{len(entries)} names, {len(members)} members, {len(headers)} headers")
    return 0


def field_rows(members: list[Row], evidence: dict[str, Evidence]) -> Iterator[Row]:
    """The members of CUDA structs; one that two domains list is written once."""
    done: set[str] = set()
    for fact in members:
        if fact["cuda_name"] in done:
            continue
        done.add(fact["cuda_name"])
        struct, _, member = fact["hip_name"].rpartition("::")
        cuda_type, _, hip_type = fact["sig"].partition("|")
        tags = fact["hip_headers"].split(",")
        seen = [r for r in RELEASES if r in evidence and evidence[r].has(fact["hip_name"])]
        if "10.0" in tags or ("7.2" in seen and "7.1" not in tags):
            seen.append("10.0")
        yield {
            "name": fact["cuda_name"],
            "hip_struct": struct,
            "hip_field": member,
            "cuda_type": cuda_type,
            "hip_type": hip_type,
            "seen": ",".join(seen),
        }


def header_rows(headers: list[Row], roots: dict[str, Path]) -> Iterator[Row]:
    """The include paths, with the releases that hold the replacement."""
    for fact in headers:
        hip, roc, tags = fact["hip_header"], fact["roc_header"], fact["hip_header_found_in"].split(",")
        yield {
            "name": fact["cuda_header"],
            "library": TABLES.get(fact["domain"], fact["domain"]),
            "hip": hip,
            "roc": roc,
            "status": fact["status"],
            "note": fact["note"],
            "seen": ",".join(r for r in RELEASES if hip and header_in(hip, r, roots, tags)),
            "roc_seen": ",".join(r for r in RELEASES if roc and header_in(roc, r, roots, tags)),
        }


def header_in(path: str, release: str, roots: dict[str, Path], tags: list[str]) -> bool:
    """Whether a release has an include path. 10.0 and the libraries of 5.7 are no installed headers: neighbours tell."""
    if release in roots and (release != "5.7" or path.startswith("hip/")):
        return (roots[release] / "include" / path).exists()
    if release == "10.0" and "10.0" in tags:
        return True
    nearest = "6.4" if release == "5.7" else "7.2"
    return nearest in roots and (roots[nearest] / "include" / path).exists()


def verify(roots: dict[str, Path]) -> int:
    """List what the tables claim and the headers do not hold."""
    wrong = 0
    rows = existing()
    for release, usr in roots.items():
        claims = {name: seen_in_old(row, release) for name, row in rows.items()}
        evidence = probe(release, usr, {hip for hip in claims.values() if hip}, set())
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
    args = parser.parse_args()
    if args.verify:
        return verify(dict(args.verify))
    if args.facts is None or not (args.facts / "api_map.tsv").is_file():
        parser.error("--facts needs a folder with api_map.tsv")
    return make(args.facts, dict(args.headers))


if __name__ == "__main__":
    sys.exit(main())
