"""`hipify-py build`, and --build, --run and --check of the translator."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from hipify.build.machine import Machine
from hipify.cli import build_session, releases
from hipify.cli.main import main
from hipify.emit.report import formats
from tests.cli.runner import CUDA, names

from .machines import machine, program, recorder, rocm, with_gpus

Capture = pytest.CaptureFixture[str]
CORPUS = Path(__file__).resolve().parents[2] / "corpus"
BROKEN_LINE = CUDA.partition(b"return 0")[0].count(b"\n") + 1
BROKEN = CUDA.replace(b"return 0;", b"return no_such_name;")


@pytest.fixture
def folder(folder: Path) -> Path:
    """The current folder, with a program, and a broken one."""
    (folder / "broken.cu").write_bytes(BROKEN)
    return folder


@pytest.fixture
def doubles(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine whose hipcc is a test double; no GPU."""
    root = tmp_path / "machine"
    prefix = rocm(root / "opt/rocm")
    recorder(prefix / "bin/hipcc", tmp_path / "log", "echo ran with $# arguments: $*; exit 7")
    return use(monkeypatch, machine(root))


def use(monkeypatch: pytest.MonkeyPatch, here: Machine) -> Machine:
    monkeypatch.setattr(build_session, "this_machine", lambda: here)
    return here


def logged(tmp_path: Path) -> list[list[str]]:
    """The words of the compiler's calls."""
    return [line.split() for line in (tmp_path / "log").read_text().splitlines()]


def test_a_program_is_built_and_starts(folder: Path, capsys: Capture) -> None:
    assert main(["build", "good.cu", "-o", "prog", "--offload-arch", "gfx90a", "--no-warnings"]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    note, built, summary = told.err.splitlines()
    assert re.fullmatch(r"hipify-py: note: the target is ROCm \S+: the nearest to hipcc's HIP \S+ \(.+\)", note)
    assert re.fullmatch(r"hipify-py: built prog for gfx90a with hipcc \(HIP [\d.-]+\)", built)
    assert re.fullmatch(r"hipify-py: good\.cu: \d+ changes, 0 findings \(0 errors, 0 warnings\)", summary)
    assert names(folder) == ["broken.cu", "good.cu", "prog"]
    assert (folder / "prog").stat().st_mode & 0o111


def test_an_error_comes_home_and_into_every_report(folder: Path, capsys: Capture) -> None:
    for kind in formats():
        status = main(["build", "broken.cu", "--check", "--no-warnings", "--report", kind, "--report-format", kind])
        assert status == 1
        assert "HPY901" in (folder / kind).read_text(), kind
    assert (
        "broken.cu:10:10: error: HPY901 hipcc: use of undeclared identifier 'no_such_name'; no finding foretold this\n"
        "    CUDA 10: return no_such_name;\n"
        "    HIP 10: return no_such_name;\n"
    ) in capsys.readouterr().err
    (finding,) = json.loads((folder / "json").read_text())["findings"]
    assert (finding["id"], finding["severity"], finding["line"], finding["column"]) == ("HPY901", "error", 10, 10)
    assert (finding["output_line"], finding["end_column"]) == (10, 22)
    assert not (folder / "broken").exists()


def test_a_finding_that_foretold_the_error_is_named(folder: Path, capsys: Capture) -> None:
    (folder / "odd.cu").write_bytes(
        b"#include <cuda_runtime.h>\nint main() {\n  int n = 0;\n  n = cudaGetFlyingSaucerCount(\n      n);\n  return n;\n}\n"
    )
    assert main(["build", "--check", "odd.cu", "--no-warnings"]) == 1
    assert (
        "odd.cu:4:7: error: HPY901 hipcc: use of undeclared identifier 'cudaGetFlyingSaucerCount'; foretold by HPY105\n"
    ) in capsys.readouterr().err


def test_the_translator_builds_too_and_still_writes_its_output(folder: Path, capsys: Capture) -> None:
    assert main(["good.cu", "-o", "out.hip", "--build", "--program", "prog", "--offload-arch", "gfx90a"]) == 0
    assert names(folder) == ["broken.cu", "good.cu", "out.hip", "prog"]
    assert b"hipMalloc" in (folder / "out.hip").read_bytes()
    told = capsys.readouterr().err
    assert "hipify-py: built prog for gfx90a" in told
    assert re.search(r"^hipify-py: note: the target is ROCm \S+: the nearest to hipcc's HIP \S+ \(.+\)$", told, re.M)


@pytest.mark.parametrize(
    ("words", "status", "line"),
    [
        (
            ["--build"],
            2,
            "hipify-py: error: translated, not compiled: no hipcc is here; `hipify-py doctor` says what installs it\n",
        ),
        (
            ["--run"],
            2,
            "hipify-py: error: translated, not compiled: no hipcc is here; `hipify-py doctor` says what installs it\n",
        ),
        (
            ["--check"],
            0,
            "hipify-py: note: translated, not compiled: no hipcc is here; `hipify-py doctor` says what installs it\n",
        ),
    ],
)
def test_without_hipcc_the_translation_is_written_and_one_line_says_the_rest(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    words: list[str],
    status: int,
    line: str,
) -> None:
    use(monkeypatch, machine(tmp_path / "bare"))
    assert main(["good.cu", "-o", "good.hip", *words]) == status
    assert line in capsys.readouterr().err
    assert b"hipMalloc" in (folder / "good.hip").read_bytes()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-o", "good.hip"], True),
        (["--out-dir", "."], True),
        (["-o", "good.hip", "--source-map", "map.json"], True),
        (["-o", "good.hip", "--quiet-warnings"], False),
        (["--no-output"], False),
    ],
)
def test_a_plain_translation_says_once_that_nothing_compiles_it_here(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, words: list[str], told: bool
) -> None:
    line = "hipify-py: note: translated, not compiled: no hipcc is here; `hipify-py doctor` says what installs it\n"
    monkeypatch.delenv(releases.TARGET)
    monkeypatch.setattr(releases.installed, "hipcc", lambda environ, root: None)
    assert main(["good.cu", *words]) == 0
    assert capsys.readouterr().err.count(line) == told
    monkeypatch.setattr(releases.installed, "hipcc", lambda environ, root: ("hipcc", "PATH"))
    assert main(["good.cu", *words]) == 0
    assert line not in capsys.readouterr().err


def test_with_nvcc_here_the_build_is_for_amd(folder: Path, tmp_path: Path, doubles: Machine, capsys: Capture) -> None:
    recorder(doubles.root / "usr/bin/nvcc", tmp_path / "log")
    assert main(["build", "good.cu", "-o", "prog"]) == 0
    compiled, linked = logged(tmp_path)
    assert compiled[0] == linked[0] == "HIP_PLATFORM=amd"
    assert compiled[1:4] == ["-x", "hip", "--offload-arch=gfx90a"]
    assert (
        "hipify-py: note: no GPU is seen here, so gfx90a was taken; --offload-arch chooses\n" in capsys.readouterr().err
    )


def test_the_gpus_here_are_built_for_and_offload_arch_wins(tmp_path: Path, doubles: Machine) -> None:
    with_gpus(doubles.root)
    assert main(["build", "good.cu", "-o", "prog"]) == 0
    assert main(["build", "good.cu", "-o", "prog", "--offload-arch", "gfx942,gfx950", "--offload-arch", "gfx1201"]) == 0
    archs = [[word for word in line if word.startswith("--offload-arch")] for line in logged(tmp_path)]
    assert archs[0] == ["--offload-arch=gfx90a", "--offload-arch=gfx1100"]
    assert archs[2] == ["--offload-arch=gfx942", "--offload-arch=gfx950", "--offload-arch=gfx1201"]


def test_flags_of_nvcc_become_those_of_hipcc(tmp_path: Path, doubles: Machine, capsys: Capture) -> None:
    flags = ["-arch=sm_70", "-O2", "--expt-extended-lambda", "-use_fast_math", "-DN=3", "-lcublas", "-maxrregcount=32"]
    assert main(["build", "good.cu", "-o", "prog", "--", *flags]) == 0
    compiled, linked = logged(tmp_path)
    assert [word for word in compiled if word in ("-O2", "-ffast-math", "-DN=3")] == ["-O2", "-ffast-math", "-DN=3"]
    assert "-lhipblas" in linked and "-lcublas" not in linked
    assert not any("sm_70" in word or "extended" in word for word in compiled)
    assert (
        "hipify-py: note: -maxrregcount: AMD's registers are set by kernel: __launch_bounds__\n"
        in capsys.readouterr().err
    )


def test_a_c_file_gets_no_standard_of_cpp(folder: Path, tmp_path: Path, doubles: Machine) -> None:
    (folder / "plain.c").write_bytes(b"int plain(void) { return 0; }\n")
    assert main(["build", "good.cu", "plain.c", "-o", "prog", "-j", "1", "--", "-std=c++20"]) == 0
    cpp, c, _ = logged(tmp_path)
    assert "-std=c++20" in cpp and cpp[1:3] == ["-x", "hip"]
    assert c[1:4] == ["-x", "c", "-D__HIP_PLATFORM_AMD__=1"]
    assert not any(word.startswith("-std") for word in c)


def test_libraries_come_from_the_includes(folder: Path, tmp_path: Path, doubles: Machine) -> None:
    (folder / "blas.h").write_bytes(b"#include <cublas_v2.h>\n#include <cufft.h>\n")
    (folder / "more.cu").write_bytes(b'#include "blas.h"\n#include <curand.h>\n#include <curand_kernel.h>\n' + CUDA)
    assert main(["build", "more.cu", "-o", "prog"]) == 0
    assert [word for word in logged(tmp_path)[-1] if word.startswith("-l")] == ["-lhiprand", "-lhipblas", "-lhipfft"]


def test_flags_and_files_of_a_makefile(folder: Path, tmp_path: Path, doubles: Machine) -> None:
    (folder / "Makefile").write_text(
        "NVCC = /usr/local/cuda/bin/nvcc\nFLAGS = -O3 -arch=sm_80 -Iinc -DFROM_MAKE=1\nprog: good.o\n"
        "\t$(NVCC) $^ -o $@ -lcusparse\ngood.o: good.cu\n\t$(NVCC) $(FLAGS) -c $< -o $@\n"
    )
    assert main(["build", "--makefile", "Makefile", "-o", "prog"]) == 0
    compiled, linked = logged(tmp_path)
    assert "-DFROM_MAKE=1" in compiled and f"-I{folder}/inc" in compiled
    assert "-lhipsparse" in linked


def test_flags_and_files_of_a_compilation_database(folder: Path, tmp_path: Path, doubles: Machine) -> None:
    entry = {
        "file": "good.cu",
        "directory": str(folder),
        "command": "nvcc -DFROM_DATABASE -gencode arch=compute_70,code=sm_70 -c good.cu",
    }
    (folder / "compile_commands.json").write_text(json.dumps([entry]))
    assert main(["build", "-p", ".", "-o", "prog"]) == 0
    assert "-DFROM_DATABASE" in logged(tmp_path)[0]


def test_no_gpu_means_built_and_not_run(folder: Path, doubles: Machine, capsys: Capture) -> None:
    assert main(["build", "good.cu", "-o", "prog"]) == 0
    assert main(["build", "good.cu", "-o", "prog", "--run"]) == 3
    assert (
        "hipify-py: prog was built and not run: no AMD GPU can be used here: /dev/kfd is not there\n"
        in capsys.readouterr().err
    )
    assert main(["good.cu", "-o", "good.hip", "--run"]) == 3
    assert names(folder) == ["broken.cu", "good.cu", "good.hip", "prog"]


def test_the_programs_arguments_and_status_are_passed_on(doubles: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    with_gpus(doubles.root)
    assert main(["build", "good.cu", "-o", "prog", "--run", "--", "10", "a b"]) == 7
    assert capfd.readouterr().out == "ran with 2 arguments: 10 a b\n"
    assert main(["build", "good.cu", "-o", "prog", "--run", "--", "-O1", "--", "x"]) == 7
    assert capfd.readouterr().out == "ran with 1 arguments: x\n"


def test_a_program_that_takes_too_long_is_ended(
    tmp_path: Path, doubles: Machine, capfd: pytest.CaptureFixture[str]
) -> None:
    with_gpus(doubles.root)
    recorder(doubles.root / "opt/rocm/bin/hipcc", tmp_path / "log", "echo begun; sleep 60")
    assert main(["build", "good.cu", "-o", "prog", "--run", "--timeout", "0.5"]) == 124
    told = capfd.readouterr()
    assert told.out == "begun\n"
    assert "hipify-py: error: prog: took more than 0.5 s and was ended\n" in told.err


@pytest.mark.parametrize(
    ("how", "status", "name"), [("kill -SEGV $$", 139, "SIGSEGV"), ("kill -40 $$", 168, "signal 40")]
)
def test_a_program_that_crashes_says_so(
    tmp_path: Path, doubles: Machine, capsys: Capture, how: str, status: int, name: str
) -> None:
    with_gpus(doubles.root)
    recorder(doubles.root / "opt/rocm/bin/hipcc", tmp_path / "log", how)
    assert main(["build", "good.cu", "-o", "prog", "--run"]) == status
    assert f"hipify-py: prog was ended by {name}\n" in capsys.readouterr().err


def test_outputs_are_compared_with_a_tolerance(folder: Path, tmp_path: Path, doubles: Machine, capsys: Capture) -> None:
    with_gpus(doubles.root)
    program(doubles.root / "usr/bin/nvidia-smi", "GPU 0: NVIDIA H200\n")
    recorder(doubles.root / "opt/rocm/bin/hipcc", tmp_path / "log", "echo sum 1.0000001; echo took 3 ms")
    cuda = program(folder / "cuda", "sum 1.0\ntook 9 ms\n")
    command = ["build", "good.cu", "-o", "prog", "--run", "--compare", str(cuda)]
    assert main([*command, "--ignore-lines", "^took"]) == 0
    assert "hipify-py: the outputs are the same\n" in capsys.readouterr().err
    assert main(command) == 1
    assert (
        "hipify-py: line 2: 9 and 3\n    CUDA: took 9 ms\n    HIP:  took 3 ms\nhipify-py: the outputs differ in 1 line\n"
    ) in capsys.readouterr().err
    (folder / "saved.txt").write_text("sum 1\ntook 3 ms\n")
    (folder / "saved.txt").chmod(0o755)  # as every file is on some file systems
    assert main([*command[:-1], "saved.txt"]) == 0


def test_the_time_limit_is_the_programs(folder: Path, doubles: Machine, tmp_path: Path) -> None:
    with_gpus(doubles.root)
    slow = recorder(doubles.root / "opt/rocm/bin/hipcc", tmp_path / "log", "exit 0")
    slow.write_text(slow.read_text().replace('echo "HIP_PLATFORM', '/bin/sleep 0.6; echo "HIP_PLATFORM'))
    assert main(["build", "good.cu", "-o", "prog", "--run", "--timeout", "0.5"]) == 0
    assert main(["build", "good.cu", "-o", "prog", "--timeout", "0.5"]) == 1


def test_standard_output_is_the_programs(
    folder: Path, doubles: Machine, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with_gpus(doubles.root)
    recorder(doubles.root / "opt/rocm/bin/hipcc", tmp_path / "log", "echo sum 1")
    assert main(["good.cu", "--program", "prog", "--run"]) == 0
    assert capfd.readouterr().out == "sum 1\n"
    assert not (folder / "good.cu.hip").exists()


def test_native_is_the_gpus_that_are_here(
    folder: Path, doubles: Machine, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder(doubles.root / "opt/rocm/bin/hipcc", tmp_path / "log")
    command = ["build", "good.cu", "-o", "prog", "--offload-arch", "native", "--offload-arch", "gfx1100"]
    monkeypatch.setattr(type(doubles.gpus), "distinct", property(lambda gpus: ("gfx942", "gfx1100")))
    assert main(command) == 0
    compiled, _ = logged(tmp_path)
    assert [word for word in compiled if "arch" in word] == ["--offload-arch=gfx942", "--offload-arch=gfx1100"]
    monkeypatch.setattr(type(doubles.gpus), "distinct", property(lambda gpus: ()))
    assert main(command) == 2
    assert "hipify-py: error: --offload-arch native: no AMD GPU is seen here" in capsys.readouterr().err


def test_compare_says_when_the_cuda_program_cannot_run(
    folder: Path, doubles: Machine, capsys: Capture, tmp_path: Path
) -> None:
    with_gpus(doubles.root)
    recorder(doubles.root / "opt/rocm/bin/hipcc", tmp_path / "log", "echo sum 1")
    cuda = program(folder / "cuda", "sum 1\n")
    assert main(["build", "good.cu", "-o", "prog", "--run", "--compare", str(cuda)]) == 3
    assert (
        f"hipify-py: {cuda} was not run, nothing was compared: no NVIDIA GPU is here: there is no nvidia-smi, nor /dev/nvidia0\n"
    ) in capsys.readouterr().err


@pytest.mark.parametrize(("platform", "told"), [("foo", 1), ("AMD", 0), ("", 0)])
def test_a_platform_that_is_none_is_named(
    folder: Path, doubles: Machine, capsys: Capture, monkeypatch: pytest.MonkeyPatch, platform: str, told: int
) -> None:
    use(monkeypatch, Machine({**doubles.environ, "HIP_PLATFORM": platform}, doubles.root))
    assert main(["build", "good.cu", "-o", "prog"]) == 0
    note = f"hipify-py: note: HIP_PLATFORM={platform} names no platform of HIP (amd, nvidia): amd was taken\n"
    assert capsys.readouterr().err.count(note) == told


def test_the_nvidia_platform(folder: Path, tmp_path: Path, doubles: Machine) -> None:
    recorder(doubles.root / "usr/bin/nvcc", tmp_path / "log")
    (doubles.root / "opt/rocm/include/hip/nvidia_detail").mkdir()
    (folder / "blas.cu").write_bytes(b"#include <cublas_v2.h>\n" + CUDA)
    assert main(["build", "blas.cu", "--platform", "nvidia", "--offload-arch", "sm_90", "-o", "prog", "--", "-O3"]) == 0
    compiled, linked = logged(tmp_path)
    assert compiled[1:5] == ["-x", "cu", "-D__HIP_PLATFORM_NVIDIA__=1", "-gencode=arch=compute_90,code=sm_90"]
    assert compiled[compiled.index("-isystem") + 1] == f"{doubles.root}/opt/rocm/include" and "-O3" in compiled
    assert linked[-1] == "-lcublas"


def test_the_source_map_leads_home(folder: Path) -> None:
    (folder / "long.cu").write_bytes(b"#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n" + CUDA)
    assert main(["long.cu", "-o", "long.hip", "--source-map", "map.json"]) == 0
    (entry,) = json.loads((folder / "map.json").read_text())["files"]
    assert (entry["input"], entry["output"]) == ("long.cu", "long.hip")
    from hipify.emit.source_map import SourceMap

    lines = SourceMap.from_dict(entry)
    source, output = ((folder / name).read_text().splitlines() for name in ("long.cu", "long.hip"))
    at = next(number for number, line in enumerate(output, 1) if "hipMalloc" in line)
    assert "cudaMalloc" in source[lines.input_line(at) - 1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["good.cu", "--compare", "x"], "--compare needs --run"),
        (["good.cu", "--timeout", "soon"], "--timeout soon: a number is expected"),
        (["good.cu", "-p", ".", "--makefile", "."], "-p and --makefile exclude each other"),
        (["good.cu", "-o", "good.cu"], "good.cu: is an input"),
        (["good.cu", "-o", "../project"], "../project: is a directory"),
        (["good.cu", "-o", "none/prog"], "none/prog: cannot be written: there is no folder none"),
        (["good.cu", "--source-map", "broken.cu/x"], "broken.cu/x: cannot be written: there is no folder broken.cu"),
        (["good.cu", "--run", "--compare", "nowhere"], "--compare nowhere: is no file"),
        (["--makefile", "nowhere"], "nowhere: is no makefile"),
        (["good.cu", "--hipcc", "/no/hipcc"], "--hipcc /no/hipcc: is no program that can be run"),
        (
            ["good.cu", "--run", "--compare", "good.cu", "--ignore-lines", "("],
            "--ignore-lines (: is no regular expression",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(folder: Path, capsys: Capture, words: list[str], message: str) -> None:
    assert main(["build", *words]) == 2
    assert message in capsys.readouterr().err
    assert names(folder) == ["broken.cu", "good.cu"]


@pytest.mark.parametrize(
    "words",
    [
        ["good.cu", "-o", "a.hip", "--build", "--program", "./a.hip"],
        ["good.cu", "-o", "a.hip", "--source-map", "a.hip"],
        ["build", "good.cu", "-o", "p", "--source-map", "p"],
        ["build", "good.cu", "-o", "p", "--report", "p", "--report-format", "json"],
        ["good.cu", "-o", "a.hip", "--run", "--source-map", "a.hip"],
    ],
)
def test_no_output_is_written_over_another(
    folder: Path, doubles: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, words: list[str]
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    before = names(folder)
    assert main(words) == 2
    assert capsys.readouterr().err.endswith(": two files would be written to this path\n")
    assert (names(folder), names(tmp_path / "temporary")) == (before, [])


def test_a_program_that_nobody_named_takes_no_other_files_place(folder: Path, doubles: Machine) -> None:
    (folder / "good").write_text("notes\n")
    for _ in range(2):
        assert main(["build", "good.cu"]) == 0
    assert names(folder) == ["broken.cu", "good", "good.cu", "good.out"]
    assert (folder / "good").read_text() == "notes\n"
    assert main(["build", "good.cu", "-o", "good"]) == 0
    assert (folder / "good").read_text().startswith("#!")


def test_a_header_alone_is_nothing_to_compile(folder: Path, doubles: Machine, capsys: Capture) -> None:
    shutil.copy(folder / "good.cu", folder / "good.cuh")
    assert main(["build", "good.cuh"]) == 2
    assert "hipify-py: error: nothing to compile: no input is a source, all are headers\n" in capsys.readouterr().err


def test_nothing_stays_behind_in_the_temporary_folder(
    folder: Path, tmp_path: Path, doubles: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    assert main(["build", "good.cu", "-o", "prog"]) == 0
    assert main(["good.cu", "-o", "good.hip", "--run"]) == 3
    assert names(temporary) == []


def test_a_path_with_marks_of_the_shell_is_only_a_path(folder: Path, tmp_path: Path) -> None:
    odd = folder / "a b;touch $(x)'"
    odd.mkdir()
    (odd / "good.cu").write_bytes(CUDA)
    assert main(["build", str(odd / "good.cu"), "-o", str(odd / "prog"), "--offload-arch", "gfx90a"]) == 0
    assert names(odd) == ["good.cu", "prog"]


ODD = ("x$(touch ${HOME}mark).cu", "x`touch ${HOME}mark`.cu", "x';touch ${HOME}mark;'.cu", 'x";touch ${HOME}mark;".cu',
       "new\nline.cu", "a.cu(3): error: b.cu", "a:3:4: error: b.cu")  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_a_name_runs_nothing_and_is_told_as_it_is(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, name: str
) -> None:
    """The real hipcc puts the words of its command into a text for a shell, that behind -o as it is."""
    monkeypatch.setenv("HOME", f"{tmp_path}/")
    (folder / name).write_bytes(CUDA.replace(b"return 0", b"return no_such"))
    assert main(["build", name, "-o", "prog", "--offload-arch", "gfx90a"]) == 1
    assert f"{name}:{BROKEN_LINE}:" in capsys.readouterr().err
    (folder / name).write_bytes(CUDA)
    assert main(["build", name, "-o", "prog", "--offload-arch", "gfx90a"]) == 0
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("platform", ["amd", "nvidia"])
def test_no_word_for_a_compiler_holds_a_mark_of_the_shell(
    folder: Path, tmp_path: Path, doubles: Machine, platform: str
) -> None:
    (tmp_path / "machine/usr/include/hip/nvidia_detail").mkdir(parents=True)
    recorder(tmp_path / "machine/usr/bin/nvcc", tmp_path / "log")
    odd, more = folder / "d;`x`", folder / "i,$(x)"
    for place in (odd, more):
        place.mkdir()
    (odd / "in$(x).cuh").write_bytes(b"extern cudaStream_t stream;\n")
    (more / "more.cuh").write_bytes(b"extern cudaEvent_t event;\n")
    (odd / "a'b.cu").write_bytes(b'#include "in$(x).cuh"\n#include <more.cuh>\n' + CUDA)
    (odd / "li b.a").touch()
    words = ["--platform", platform, "-I", str(more), "--", str(odd / "li b.a"), f"-L{more}"]
    assert main(["build", str(odd / "a'b.cu"), str(folder / "good.cu"), "-o", str(folder / "p"), *words]) == 0
    told = (tmp_path / "log").read_text()
    without_names = re.sub(r"-ffile-prefix-map=\S+=.*? (?=-)", "", told) if platform == "amd" else told
    assert not set("$`;'") & set(without_names.replace("HIP_PLATFORM=$HIP_PLATFORM", ""))
    assert "li b.a" not in told
