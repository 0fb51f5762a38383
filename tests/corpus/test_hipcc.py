"""The distribution's own hipcc builds, links and starts every program of the corpus that needs no newer ROCm.

Without a GPU the programs say so. What they are translated for is the release that is nearest to this hipcc.
"""

from __future__ import annotations

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hipify import translate_file
from hipify.build.builder import Outcome, Settings, build
from hipify.build.compiler import Amd, environment
from hipify.build.flags import Sources
from hipify.build.machine import Machine
from hipify.build.toolchain import Toolchain, find, target_for
from tests.support.corpus import Program, programs

MACHINE = Machine()
_INCLUDE = re.compile(r"^\s*#\s*include\s*<((?:hip|roc|thrust|miopen|rccl|nvtx3|mma)[\w/.]*)>", re.MULTILINE)


def hipcc() -> Toolchain:
    """The hipcc here."""
    tool = find(MACHINE)
    assert tool is not None and not tool.problem, "no hipcc here; make test-deps installs it"
    return tool


def version(text: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", text)[:2]]


def builds_here(program: Program) -> bool:
    """Whether a hipcc has what a program needs: its release, and the headers of libraries that are installed."""
    tool = find(MACHINE)
    if tool is None or version(tool.hip) < version(program.since or "0.0"):
        return False
    text = "".join(path.read_text("utf-8") for path in program.units)
    return all((tool.headers / header).exists() for header in _INCLUDE.findall(text))


BUILT = [program for program in programs() if builds_here(program)]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Every program, translated and built for gfx90a."""
    folder = tmp_path_factory.mktemp("programs")
    tool = hipcc()

    def make(program: Program) -> Outcome:
        options = program.options._replace(target=target_for(tool.hip))
        made = {str(path): translate_file(path, options) for path in program.sources if path.suffix in (".cu", ".cpp")}
        compiler = Amd(tool, ("gfx90a",), environment(MACHINE))
        settings = Settings(compiler, Sources(None, ["-w"]), program=folder / program.name)
        return build(settings, made, dict.fromkeys(made, options))

    with ThreadPoolExecutor(2) as pool:
        return dict(zip((p.name for p in BUILT), pool.map(make, BUILT), strict=True))


MANAGED = """\
#include <hip/hip_runtime.h>
__managed__ int number = 0;
__global__ void write() { number = 1; }
int main() { return 7; }
"""


@pytest.fixture(scope="module")
def managed_alone(tmp_path_factory: pytest.TempPathFactory) -> int:
    """The status of a program written in HIP by hand, which has a managed variable and calls nothing."""
    folder = tmp_path_factory.mktemp("managed")
    (folder / "alone.hip").write_text(MANAGED)
    command = [str(hipcc().path), "--offload-arch=gfx90a", "alone.hip", "-o", "alone"]
    subprocess.run(command, cwd=folder, env=hipcc().environment(MACHINE), check=True, capture_output=True)
    return subprocess.run([folder / "alone"], check=False, timeout=60).returncode


def test_enough_of_them_can_be_built() -> None:
    assert len(BUILT) >= 28


@pytest.mark.parametrize("name", [program.name for program in BUILT])
def test_hipcc_builds_it_and_it_starts(
    name: str, outcomes: dict[str, Outcome], request: pytest.FixtureRequest
) -> None:
    outcome = outcomes[name]
    assert [arrival.message() for arrival in outcome.arrivals] == []
    assert outcome.program is not None
    ran = subprocess.run([outcome.program], capture_output=True, text=True, check=False, timeout=60)
    if Path("/dev/kfd").exists():
        assert "PASS" in ran.stdout
        return
    if ran.returncode < 0 and any("__managed__" in unit.home.translation.output.decode() for unit in outcome.units):
        # HIP 5.7's runtime crashes before main() where a program has a managed variable and the machine no GPU.
        assert ran.returncode == request.getfixturevalue("managed_alone")
        return
    assert ran.returncode > 0, "a program that finds no GPU ends by itself, with a status of its own"
    assert "PASS" not in ran.stdout
