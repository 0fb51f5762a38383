"""The tables are what tools/make_tables.py makes: what was corrected in them stands in tools/table_corrections.tsv."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
HELP = (
    "a table, or a correction, changed since the tables were made: put what was changed by hand into "
    "tools/table_corrections.tsv with its reason, then run tools/make_tables.py --seal (with the facts at hand: --facts)"
)


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    sys.path.insert(0, str(TOOLS))
    try:
        spec = importlib.util.spec_from_file_location("table_state", TOOLS / "table_state.py")
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules["table_state"] = module
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(TOOLS))


def test_no_table_was_changed_by_hand_alone(tool: ModuleType) -> None:
    assert tool.DIGESTS.read_text("utf-8") == tool.digests(), HELP


def test_every_correction_is_in_its_table(tool: ModuleType) -> None:
    assert [fix for fix in tool.read(tool.CORRECTIONS) if not tool.carried(fix)] == []


def test_every_correction_has_a_reason(tool: ModuleType) -> None:
    assert [fix for fix in tool.read(tool.CORRECTIONS) if len(fix["reason"]) < 4] == []


@pytest.mark.parametrize(
    ("fix", "carried"),
    [
        ({"table": "runtime", "name": "cudaMalloc", "column": "hip", "value": "hipMalloc"}, True),
        ({"table": "runtime", "name": "cudaMalloc", "column": "hip", "value": "hipOther|hipMalloc"}, True),
        ({"table": "runtime", "name": "cudaMalloc", "column": "hip", "value": "hipFree"}, False),
        ({"table": "runtime", "name": "cudaMalloc", "column": "kind", "value": "macro"}, False),
        ({"table": "runtime", "name": "cudaMalloc", "column": "seen", "value": "6.4,7.2"}, True),
        ({"table": "runtime", "name": "cudaNothingOfThat", "column": "hip", "value": "hipMalloc"}, False),
        ({"table": "headers", "name": "cuda_runtime.h", "column": "hip", "value": "hip/hip_runtime.h"}, True),
    ],
)
def test_a_lost_correction_is_seen(tool: ModuleType, fix: dict[str, str], carried: bool) -> None:
    assert tool.carried(fix) is carried


def test_differences_between_tables_are_listed(tool: ModuleType, tmp_path: Path) -> None:
    for folder, hip in (("one", "hipA"), ("two", "hipB")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.tsv").write_text(
            f"name\thip\ncudaA\t{hip}\ncudaC\thipC\n" + "cudaD\thipD\n" * (folder == "one")
        )
    lines = sorted(tool.compare(tmp_path / "one" / "x.tsv", tmp_path / "two" / "x.tsv"))
    assert lines == [
        "x\tcudaA\thip\thipA\thipB", "x\tcudaD\thip\thipD\t(no row)", "x\tcudaD\tname\tcudaD\t(no row)",
    ]  # fmt: skip
