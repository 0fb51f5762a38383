"""Stages are imported for sources that have a word they need, and nothing is lost by leaving them out of others."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from hipify.model import Options
from hipify.parser.source import Source
from hipify.rules import remembered, stages
from hipify.rules.context import Context
from hipify.rules.kinds import all_kinds, modules
from hipify.rules.stages import Stage

ROOT = Path(__file__).resolve().parents[2]
GATED = [stage for stage in stages.stages() if stage.needs is not None]


def _sources() -> Iterator[tuple[str, bytes]]:
    for path in sorted((ROOT / "corpus").glob("**/*.cu*")):
        yield str(path), path.read_bytes()
    for kind in all_kinds().values():
        yield "a.cu", kind.before.encode()


SOURCES = list(_sources())


def _said(context: Context) -> tuple[object, ...]:
    analysis = context.analysis
    said = len(analysis.edits), len(analysis.findings), len(analysis.references), sorted(analysis.helper_headers)
    return said, set(context.claimed), context.needs_runtime, len(context.moves)


@pytest.mark.parametrize("stage", GATED, ids=lambda stage: str(stage.module.removeprefix("hipify.rules.")))
def test_a_source_without_the_words_is_none_of_its_business(stage: Stage) -> None:
    assert stage.needs
    run = import_module(stage.module).run
    tried = 0
    for archs in ((), ("gfx942",)):
        for path, data in SOURCES:
            context = Context(Source(data, path), Options(clang=False, offload_arch=archs))
            if stage.module not in {wanted.module for wanted in stages.wanted(context)}:
                before = _said(context)
                run(context)
                assert _said(context) == before, path
                tried += 1
    assert tried > 50


def test_every_module_with_a_run_is_a_stage() -> None:
    assert {stage.module for stage in stages.stages()} == {m.__name__ for m in modules() if hasattr(m, "run")}


def test_what_is_kept_is_what_the_modules_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def plain(found: tuple[Stage, ...]) -> list[object]:
        return [(stage.module, stage.needs) for stage in found]

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    read = stages.stages.__wrapped__
    first = plain(read())
    (place,) = (tmp_path / "hipify-py").glob("stages-*")
    monkeypatch.setattr(stages, "_read", lambda: pytest.fail("imported again"))
    assert plain(read()) == first
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    place.write_bytes(place.read_bytes()[:-1])
    assert plain(read()) == first
    monkeypatch.setattr(remembered, "state", lambda: "another state")
    monkeypatch.setattr(stages, "_read", list)
    assert plain(read()) == []


def test_a_short_source_imports_no_more_than_it_needs(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\nint *p;\nvoid f() { cudaFree(p); }\n")
    code = (
        "import sys; from hipify.cli.main import main; main(['--no-clang', '--no-cache', 'a.cu'])\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    for _ in range(2):  # the first may have to keep what the modules say
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            cwd=tmp_path,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    loaded = set(done.stderr.splitlines())
    assert "hipify.rules.passes.names" in loaded
    assert not {stage.module for stage in GATED} & loaded
