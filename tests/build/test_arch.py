"""The table of architectures as it is printed."""

from __future__ import annotations

import json

import pytest

from hipify.cli.main import main
from hipify.rules.arch import ARCHS


def test_the_table_of_some(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arch", "gfx90a", "gfx942:xnack+", "gfx1100"]) == 0
    table, _, notes = capsys.readouterr().out.partition("\n\n")
    assert table.splitlines() == [
        "arch     family  wavefront  images  matrix     FP64  LDS     memory           ROCm         products",
        "gfx90a   CDNA2   64         yes     mfma+fp64  1:1   64 KiB  64-128 GB HBM2e  5.7 6.4 7.2  Instinct MI210, MI250, MI250X",
        "gfx942   CDNA3   64         no      mfma+fp64  1:2   64 KiB  128-256 GB HBM3  6.4 7.2      Instinct MI300A, MI300X, MI325X",
        "gfx1100  RDNA3   32/64      yes     wmma       1:32  64 KiB  16-48 GB GDDR6   5.7 6.4 7.2  Radeon PRO W7800, W7900, RX 7900",
    ]
    assert notes.startswith("wavefront  its lanes, the default first\n")


def test_all_of_them_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arch"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1 : len(ARCHS) + 1]] == [
        a.name for a in ARCHS
    ]
    assert main(["arch", "--json", "gfx950"]) == 0
    (arch,) = json.loads(capsys.readouterr().out)
    assert (arch["name"], arch["lds"], arch["wavefronts"], arch["rocm"]) == ("gfx950", 160, [64], ["7.2"])


def test_an_unknown_one_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arch", "gfx000"]) == 2
    assert capsys.readouterr().err.startswith("hipify-py: error: gfx000: is not in the table, which has gfx900, ")
