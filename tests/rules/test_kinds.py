"""The kinds of findings are read off the modules once; what is kept of them says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.model import Severity
from hipify.rules import kinds


def test_what_is_kept_is_what_the_modules_define(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    read = kinds.all_kinds.__wrapped__
    first = read()
    monkeypatch.setattr(kinds, "_read", lambda: pytest.fail("imported again"))
    assert read() == first
    assert all(kind.id == key and isinstance(kind.severity, Severity) for key, kind in first.items())
    defined = {kind.id for module in kinds.modules() for kind in vars(module).values() if _is_kind(kind)}
    assert set(first) == defined


def _is_kind(value: object) -> bool:
    return isinstance(value, kinds.FindingKind)


def test_an_id_that_two_modules_claim_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from types import ModuleType

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = []
    for title in ("one", "another"):
        found.append(ModuleType(title))
        found[-1].KIND = kinds.FindingKind("HPY999", Severity.NOTE, title, "", "")  # type: ignore[attr-defined]
    monkeypatch.setattr(kinds, "modules", lambda: iter(found))
    with pytest.raises(ValueError, match="HPY999 is defined twice"):
        kinds.all_kinds.__wrapped__()


def test_no_kind_is_defined_where_nobody_looks_for_it() -> None:
    folder = Path(kinds.__file__).parent
    others = [path.name for path in folder.glob("*.py") if "= FindingKind(\n" in path.read_text(encoding="utf-8")]
    assert not others, "an id there could be another kind's, too, and its example is never tried"
