"""Headers of libraries that are not here: found before anything is compiled, joined with the compiler's error."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import Options, translate_file, translate_source
from hipify.build import absent
from hipify.build.compiler import Amd
from hipify.build.homing import Home, Homes
from hipify.build.toolchain import Toolchain
from hipify.cli.main import main
from hipify.model import Finding
from tests.cli.runner import CUDA
from tests.support.corpus import Program, programs
from tests.support.hip import rocm_folder

from .compilers import check, release

Capture = pytest.CaptureFixture[str]


def amd(prefix: Path, **variables: str) -> Amd:
    """A compiler whose headers lie in a folder."""
    return Amd(Toolchain(prefix / "bin/hipcc", "here", prefix), ("gfx90a",), variables)


def found(text: str, *places: Path) -> list[Finding]:
    """What is absent of what a CUDA source includes once translated."""
    home = Home(translate_source(text, "t.cu", Options(miopen=True, clang=False)), "t.hip")
    return absent.findings(home, [str(place) for place in places])


def header(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_header_that_no_folder_has_is_told_at_the_cuda_line(tmp_path: Path) -> None:
    (finding,) = found(
        "// net\n#include <cudnn.h>\n#include <cublas_v2.h>\n", tmp_path, header(tmp_path / "a/rocblas/x")
    )[:1]
    assert (finding.id, finding.line, finding.column) == ("HPY903", 2, 10)
    assert finding.message == "miopen/miopen.h is not on this machine (MIOpen)"
    assert "libmiopen-dev" in finding.fix


def test_a_header_that_lacks_a_part_of_its_package(tmp_path: Path) -> None:
    guarded = (
        '#ifndef A\n#define A\n#include "own.h"\n#if 0\n#include "never.h"\n#endif\n#include "inner/lost.h"\n#endif\n'
    )
    header(tmp_path / "miopen/miopen.h", guarded)
    header(tmp_path / "miopen/own.h")
    (finding,) = found("#include <cudnn.h>\n", tmp_path)
    assert finding.message == "miopen/miopen.h is there, but not inner/lost.h, which it includes (MIOpen)"
    header(tmp_path / "miopen/inner/lost.h")
    assert found("#include <cudnn.h>\n", tmp_path) == []


@pytest.mark.parametrize(
    "text",
    [
        "#ifdef WITH_NET\n#include <cudnn.h>\n#endif\n",
        "#ifndef NET_H\n#define NET_H\n#if USE_NET\n#include <cudnn.h>\n#endif\n#endif\n",
        '#include <cuda_runtime.h>\n#include "own.h"\n#include <vector>\n',
    ],
)
def test_what_a_build_may_never_ask_for_is_no_finding(text: str, tmp_path: Path) -> None:
    assert found(text, tmp_path) == []


def test_a_guard_is_no_condition(tmp_path: Path) -> None:
    assert len(found("#ifndef NET_H\n#define NET_H\n#include <cudnn.h>\n#endif\n", tmp_path)) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["-I{0}/mine"],
        ["-I", "{0}/mine"],
        ["-isystem", "{0}/mine"],
        ["-O2", "-idirafter", "{0}/mine"],
        ["-iquote{0}/mine"],
    ],
)
def test_folders_that_flags_name_are_looked_at(words: list[str], tmp_path: Path) -> None:
    places = absent.folders(amd(tmp_path / "rocm"), [["-DX"], [word.format(tmp_path) for word in words]])
    assert places is not None and str(tmp_path / "mine") in places
    assert str(tmp_path / "rocm/include") in places and "/usr/include" in places


def test_the_environment_names_folders_too(tmp_path: Path) -> None:
    places = absent.folders(amd(tmp_path, CPATH="/one:/two", CPLUS_INCLUDE_PATH="/three"), [])
    assert places is not None and {"/one", "/two", "/three"} <= set(places)


@pytest.mark.parametrize("word", ["@flags", "--sysroot=/x", "-isysroot", "--config=x", "-include-pch"])
def test_nothing_is_said_where_flags_lead_elsewhere(word: str, tmp_path: Path) -> None:
    places = absent.folders(amd(tmp_path), [[word, "-I/x"]])
    assert places is None
    home = Home(translate_source("#include <cudnn.h>\n", "t.cu", Options(miopen=True, clang=False)), "t.hip")
    assert absent.look(Homes([home]), places) == {}
    assert absent.folders(amd(tmp_path, HIPCC_COMPILE_FLAGS_APPEND="-I/x"), []) is None


def users_of_libraries() -> list[Program]:
    return [p for p in programs() if p.libraries or p.missing_header or p.name in ("cub_primitives", "thrust_sort")]


@pytest.mark.parametrize(
    ("version", "lost"),
    [("5.7", {"cudnn_activation": "MIOpen"}), ("6.4", {}), ("7.2", {"wmma_gemm": "rocWMMA"})],
)
def test_the_corpus_knows_what_debians_releases_lack(version: str, lost: dict[str, str]) -> None:
    compiler = release(version)
    places = absent.folders(compiler, [[]])
    told = {}
    assert len(users_of_libraries()) >= 10
    for program in users_of_libraries():
        for source in program.sources:
            home = Home(translate_file(source, program.options._replace(target=version)), str(source))
            for names in absent.look(Homes([home]), places).values():
                told[program.name] = names[0].message.rpartition("(")[2].rstrip(")")
    assert told == lost


def test_the_compilers_error_is_joined_with_it(folder: Path) -> None:
    (folder / "net.cu").write_bytes(b"#include <cudnn.h>\n" + CUDA)
    assert not (rocm_folder("5.7") / "include/miopen").exists()
    outcome = check(release("5.7", "gfx90a"), folder / "net.cu", options=Options(target="5.7", miopen=True))
    (arrival,) = outcome.arrivals
    assert arrival.verdict == "foretold by HPY903"
    assert [f.id for f in outcome.findings()[str(folder / "net.cu")]] == ["HPY903", "HPY901"]


def test_verify_tells_it_too(folder: Path, capsys: Capture) -> None:
    (folder / "in").mkdir()
    (folder / "in/net.cu").write_bytes(b"#include <cudnn.h>\n" + CUDA)
    assert main(["convert", "in", "out", "--miopen", "--target", "5.7"]) == 0
    hipcc = str(rocm_folder("5.7") / "bin/hipcc")
    assert main(["verify", "out", "--hipcc", hipcc, "--offload-arch", "gfx90a", "--report", "r.json"]) == 1
    assert "'miopen/miopen.h' file not found (HPY903 foretold it): in/net.cu:1" in capsys.readouterr().out
    assert '"HPY903"' in (folder / "r.json").read_text()
