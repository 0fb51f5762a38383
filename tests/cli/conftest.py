"""Fixtures of the command line's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from .runner import CUDA, UNKNOWN


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with good.cu and unknown.cu, which is the current one."""
    (tmp_path / "good.cu").write_bytes(CUDA)
    (tmp_path / "unknown.cu").write_bytes(UNKNOWN)
    monkeypatch.chdir(tmp_path)
    return tmp_path
