"""What all tests share: nothing that they expect depends on the ROCm or CUDA that is installed here."""

from __future__ import annotations

import os

import pytest

from hipify.cli.releases import CUDA, NO_CUDA, TARGET
from hipify.model import DEFAULT_TARGET

# For this process and all that tests start: what a machine has installed is tested with machines made for it.
os.environ[TARGET] = DEFAULT_TARGET
os.environ[CUDA] = NO_CUDA


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """No translation of an earlier run, nor of an earlier test with other rules, stands in for one of a test's own."""
    monkeypatch.setattr("hipify.cli.session.Kept.open", lambda **_: None)
