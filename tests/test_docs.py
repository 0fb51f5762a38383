"""The pages of docs/ say what the code does."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from hipify.cli.commands import lint
from hipify.cli.parser import Parser
from hipify.config import _KEYS, _PATH_IGNORES, _PATH_WARP, load
from hipify.emit import report
from hipify.lint import suppressions
from hipify.parser.source import Source
from hipify.rules.kinds import all_kinds

ROOT = Path(__file__).parents[1]
LINT = (ROOT / "docs" / "lint.md").read_text("utf-8")


def make_docs() -> object:
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "tools" / "make_docs.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_findings_page_is_what_the_code_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert make_docs().main(["--check"]) == 0, capsys.readouterr().err  # type: ignore[attr-defined]


def test_the_findings_page_has_every_kind_with_its_example() -> None:
    page = (ROOT / "docs" / "findings.md").read_text("utf-8")
    for kind in all_kinds().values():
        assert f"\n### {kind.id}\n" in page
        assert kind.before.strip() in page
        assert kind.after.strip() in page


def test_the_lint_page_names_every_key_format_and_ending() -> None:
    known = set(re.findall(r"`([^`\n]+)`", LINT))
    assert {*_KEYS, _PATH_IGNORES, _PATH_WARP} <= known
    for name in report.formats():
        assert name in known
        assert set(report.writer("", name).SUFFIXES) <= known


def test_the_lint_page_names_the_options_of_lint_that_translations_lack() -> None:
    parser = Parser("lint", "")
    lint.add_arguments(parser)
    groups = ("which findings", "which files")
    names = [option.flags[-1] for group in parser.groups if group.title in groups for option in group.options]
    assert len(names) > 8
    assert [name for name in names if name not in LINT and name != "--jobs"] == []


def test_the_settings_of_the_lint_page_can_be_read(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", LINT, re.DOTALL)
    path = tmp_path / "pyproject.toml"
    path.write_text(example)
    settings = load(path)
    assert settings is not None
    assert settings.values["offload_arch"] == ["gfx90a", "gfx942"]
    assert settings.warp(str(tmp_path / "src" / "legacy" / "a.cu")) == "native"
    assert settings.path_ignores == {"tests/*": ("HPY3",)}


def test_the_suppressions_of_the_lint_page_are_well_formed() -> None:
    (example,) = re.findall(r"```cuda\n(.*?)```", LINT, re.DOTALL)
    found = suppressions.parse(Source(example.encode()))
    assert found.faults == []
    assert [item.id for item in found.items] == ["HPY302", "HPY301", "HPY304", "HPY3", "HPY401"]
