"""The tables of struct members and of include paths, and what all tables of make_tables.py share."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from header_evidence import Evidence

RELEASES = ("5.7", "6.4", "7.2", "10.0")
FIELD_COLUMNS = ["name", "hip_struct", "hip_field", "cuda_type", "hip_type", "seen"]
HEADER_COLUMNS = ["name", "library", "hip", "roc", "status", "note", "seen", "roc_seen"]
UNNAMED = re.compile(r" \(unnamed[^)]*\)")

Row = dict[str, str]


def read(path: Path) -> Iterator[Row]:
    """The rows of a TSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def earlier(path: Path) -> dict[str, Row]:
    """The rows of a table that an earlier run wrote."""
    return {row["name"]: row for row in read(path)} if path.exists() else {}


def kept(old: Row | None, column: str, release: str) -> bool:
    """Whether an earlier run saw it in a release whose headers are not at hand now."""
    return old is not None and release in old[column].split(",")


def field_rows(members: list[Row], evidence: dict[str, Evidence], path: Path) -> Iterator[Row]:
    """The members of CUDA structs; one that two domains list is written once."""
    before = earlier(path)
    for fact in {member["cuda_name"]: member for member in members}.values():
        struct, _, member = fact["hip_name"].rpartition("::")
        cuda_type, _, hip_type = UNNAMED.sub("", fact["sig"]).partition("|")
        row = {
            "name": fact["cuda_name"],
            "hip_struct": struct,
            "hip_field": member,
            "cuda_type": cuda_type,
            "hip_type": hip_type,
        }
        seen = member_seen(fact, struct, evidence, before.get(fact["cuda_name"])) if member else []
        yield row | {"seen": ",".join(seen)}


def member_seen(fact: Row, struct: str, evidence: dict[str, Evidence], old: Row | None) -> list[str]:
    """The releases that have a struct member. One inside an unnamed union speaks through its struct."""
    tags = set(fact["hip_headers"].split(","))
    asked = [r for r in RELEASES if r in evidence]
    seen = [r for r in asked if evidence[r].has(fact["hip_name"])]
    if not seen and tags & {"6.3", "7.1"}:
        seen = [r for r in asked if evidence[r].has(struct)]
    seen += [r for r in RELEASES[:-1] if r not in evidence and kept(old, "seen", r)]
    return sorted({*seen, "10.0"} if "10.0" in tags or "7.2" in seen else seen, key=RELEASES.index)


def header_rows(headers: list[Row], roots: dict[str, Path], tables: dict[str, str], path: Path) -> Iterator[Row]:
    """The include paths, with the releases that hold the replacement."""
    before = earlier(path)
    for fact in headers:
        hip, roc, tags = fact["hip_header"], fact["roc_header"], fact["hip_header_found_in"].split(",")
        row = {
            "name": fact["cuda_header"],
            "library": header_library(fact, tables),
            "hip": hip,
            "roc": roc,
            "status": fact["status"],
            "note": fact["note"],
        }
        old = before.get(fact["cuda_header"])
        for column, include in (("seen", hip), ("roc_seen", roc)):
            found = [r for r in RELEASES if include and header_in(include, r, roots, tags, kept(old, column, r))]
            row[column] = ",".join(found)
        yield row | {column: fact.get(column) or row[column] for column in ("seen", "roc_seen")}


def header_library(fact: Row, tables: dict[str, str]) -> str:
    """The library that an include path belongs to."""
    folder, slash, _ = fact["cuda_header"].partition("/")
    if slash and folder in ("cub", "thrust", "cutlass", "cute", "cooperative_groups"):
        return folder
    if fact["domain"]:
        return tables.get(fact["domain"], fact["domain"])
    stems = ("cudnn", "npp", "nvtx", "nvToolsExt", "cutensor", "cublas", "cufft", "cusolver", "optix", "nvshmem")
    found = next((stem for stem in stems if fact["cuda_header"].startswith(stem)), "runtime")
    return "nvtx" if found == "nvToolsExt" else found


def header_in(include: str, release: str, roots: dict[str, Path], tags: list[str], before: bool) -> bool:
    """Whether a release has an include path. For 10.0 and the libraries of 5.7 the neighbour release tells."""
    asked = release
    if release == "10.0":
        if "10.0" in tags:
            return True
        asked = "7.2"
    elif release == "5.7" and not include.startswith("hip/"):
        asked = "6.4"
    return (roots[asked] / "include" / include).exists() if asked in roots else before
