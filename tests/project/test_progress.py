"""Plain lines in CI: now and then one with the rate and the time that is left."""

from __future__ import annotations

import pytest

from hipify.project import progress


def test_a_line_every_ten_seconds(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    lines = progress.Lines()
    lines.start(100)
    for _ in range(60):
        now[0] += 0.5
        lines.done("x")
    assert capsys.readouterr().err.splitlines() == [
        "hipify-py: 20 of 100 files, 2 a second, 40 s left",
        "hipify-py: 40 of 100 files, 2 a second, 30 s left",
        "hipify-py: 60 of 100 files, 2 a second, 20 s left",
    ]


def test_quiet_is_quiet_but_for_what_must_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.watcher(quiet=True) as seen:
        seen.start(3)
        seen.done("x")
        seen.say("trouble in \udce9")
    assert capsys.readouterr().err == "hipify-py: trouble in \ufffd\n"
