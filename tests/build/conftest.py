"""What tests of builds share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.runner import CUDA


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a program."""
    here = tmp_path / "project"
    here.mkdir()
    (here / "good.cu").write_bytes(CUDA)
    monkeypatch.chdir(here)
    return here
