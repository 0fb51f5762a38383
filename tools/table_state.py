"""The state of the tables beside that of tools/table_corrections.tsv: what was changed in them by hand is seen."""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from table_members import Row, read

APIS = Path(__file__).resolve().parents[1] / "hipify" / "rules" / "apis"
CORRECTIONS = Path(__file__).with_name("table_corrections.tsv")
DIGESTS = Path(__file__).with_name("table_digests.txt")


def seal() -> int:
    """Note the state of the tables as they are."""
    lost = [f"{fix['table']}: {fix['name']}: {fix['column']}" for fix in read(CORRECTIONS) if not carried(fix)]
    for line in lost:
        print(f"the tables do not carry a correction: {line}", file=sys.stderr)
    if not lost:
        DIGESTS.write_text(digests(), encoding="utf-8")
    return 1 if lost else 0


def digests() -> str:
    """The state of each table and of the corrections, a line each."""
    paths = [*sorted(APIS.glob("*.tsv")), CORRECTIONS]
    return "".join(f"{hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()}  {path.name}\n" for path in paths)


def carried(fix: Row) -> bool:
    """Whether the tables have what a correction asks for, as far as they can have it."""
    row = table(fix["table"]).get(fix["name"])
    if row is None:
        return False
    column, wanted = fix["column"], fix["value"]
    if fix["table"] == "fields":
        return row["hip_field"] == wanted.rpartition("::")[2]
    if column == "hip":
        names = {row["hip"], *alternatives(row["alt"]).values()} if "alt" in row else {row["hip"]}
        return bool(names & set(wanted.split("|"))) or (not wanted or row["status"] in ("unsupported", "roc_only"))
    if column in ("seen", "roc_seen"):
        return set(wanted.split(",")) <= set(row[column].split(","))
    return column in ("status", "domain") or row[column] == wanted


@functools.cache
def table(name: str) -> dict[str, Row]:
    """A table as it is, by name."""
    rows = read(APIS / f"{name}.tsv")
    return {next(iter(row.values())): row for row in rows}


def compare(there: Path, made: Path) -> Iterator[str]:
    """The differences between a table and the same one made anew, one a line: table, name, column, there, made."""
    rows = [{next(iter(row.values())): row for row in read(path)} for path in (there, made)]
    for name in sorted(rows[0].keys() | rows[1].keys()):
        old, new = (side.get(name, {}) for side in rows)
        for column in old.keys() | new.keys():
            if old.get(column) != new.get(column):
                yield f"{there.stem}\t{name}\t{column}\t{old.get(column, '(no row)')}\t{new.get(column, '(no row)')}"


def alternatives(text: str) -> dict[str, str]:
    """`hip10:a;torch:b` as a dictionary."""
    return dict(item.split(":", 1) for item in text.split(";") if ":" in item) if text else {}
