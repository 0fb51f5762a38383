"""The real compilers that the build tests call."""

from __future__ import annotations

import shutil
from pathlib import Path

from hipify import Options, Translation, translate_file
from hipify.build.builder import CHECK, Outcome, Settings, build
from hipify.build.compiler import Amd, environment
from hipify.build.flags import Sources
from hipify.build.machine import Machine
from hipify.build.toolchain import find
from tests.support.hip import rocm_folder

MACHINE = Machine()


def distribution(*archs: str) -> Amd:
    """The distribution's own hipcc."""
    assert shutil.which("hipcc"), "no hipcc here; make test-deps installs it"
    tool = find(MACHINE)
    assert tool is not None and tool.usable
    return Amd(tool, archs or ("gfx90a",), environment(MACHINE))


def release(version: str, *archs: str) -> Amd:
    """A ROCm release's hipcc, or the clang in its place."""
    tool = find(MACHINE, str(rocm_folder(version) / "bin" / "hipcc"))
    assert tool is not None and tool.usable, "make test-deps installs clang 22"
    return Amd(tool, archs or ("gfx942",), environment(MACHINE))


def check(compiler: Amd, *sources: Path, options: Options | None = None, warnings: bool = False) -> Outcome:
    """Translate sources and let a compiler look for errors."""
    chosen = options or Options()
    translations: dict[str, Translation] = {str(path): translate_file(path, chosen) for path in sources}
    settings = Settings(compiler, Sources(None), CHECK, jobs=2, warnings=warnings)
    return build(settings, translations, dict.fromkeys(translations, chosen))
