"""What a run on an NVIDIA GPU says of a translation, and how programs are packed for it."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import nvidia_platform
from benchmarks.nvidia_runner import Step, call, differing, judge, outline


def judged(cuda: Step, hip: Step, again: Step | None = None) -> dict[str, Any]:
    return judge([cuda], [hip], lambda: [again or cuda])


@pytest.mark.parametrize(
    ("cuda", "hip", "again", "verdict"),
    [
        (Step(0, "PASS\nkernel time 3 ms\n"), Step(0, "PASS\nkernel time 9 ms\n"), None, "same output"),
        (Step(0, "sum 10.00001\nPASS\n"), Step(0, "sum 10.00002\nPASS\n"), None, "same output"),
        (Step(0, "sum 10\nPASS\n"), Step(0, "sum 11\nPASS\n"), None, "different"),
        (Step(0, "PASS\n"), Step(0, "FAIL\n"), None, "different"),
        (Step(0, "PASS took 3 ms\n"), Step(0, "FAIL took 3 ms\n"), None, "different"),
        (Step(0, "PASS\n"), Step(1, "PASS\n"), None, "different"),
        (Step(0, "PASS\n"), Step(None, "PASS\n"), None, "different"),
        (
            Step(0, "seed 1\nPASS\n"),
            Step(0, "seed 2\nPASS\n"),
            Step(0, "seed 3\nPASS\n"),
            "same verdict, output varies from run to run",
        ),
        (Step(0, "seed 1\nPASS\n"), Step(0, "seed 2\nFAIL\n"), Step(0, "seed 3\nPASS\n"), "different"),
        (Step(0, "Failed to open file a.txt\n"), Step(0, "Failed to open file a.txt\n"), None, "original does not run"),
        (Step(1, "1\n"), Step(1, "1\n"), None, "original does not run"),
        (Step(None, ""), Step(None, ""), None, "original runs out of time"),
        (Step(0, "kernel time 3 ms\n"), Step(0, "kernel time 4 ms\n"), None, "runs, but prints nothing but times"),
    ],
)
def test_the_verdict(cuda: Step, hip: Step, again: Step | None, verdict: str) -> None:
    assert judged(cuda, hip, again)["verdict"] == verdict


def test_words_count_on_lines_of_time_and_numbers_do_not() -> None:
    assert outline("PASS in 3 ms\nx  =  4\n\n") == (["PASS"], ["x = 4"])


def test_lines_that_differ_are_shown_from_both_sides() -> None:
    assert differing(["a 1", "b"], ["a 2", "b"]) == ["a 1 ≠ a 2"]
    assert differing(["a"], ["a", "b"]) == ["1 lines ≠ 2 lines"]


def test_a_command_past_its_limit_has_no_status(tmp_path: Path) -> None:
    done = call([sys.executable, "-c", "print(7, flush=True); import time; time.sleep(60)"], tmp_path, 1)
    assert done.status is None
    assert done.text == "7\n"


def test_a_command_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = call([str(tmp_path / "missing")], tmp_path, 1)
    assert (done.status, "missing" in done.text) == (127, True)


MAKEFILE = """\
program = main
$(program): main.o
\t$(CC) -arch=sm_60 main.o -o $@
main.o: main.cu
\t$(CC) -gencode arch=compute_60,code=sm_60 -I../beside -c main.cu -o $@
run: $(program)
\t./$(program) 64 5000
"""
SOURCE = """\
#include "../beside/shared.h"
int main(int argc, char** argv) {
    int size = atoi(argv[1]);
    const int repeat = atoi(argv[2]);
    cudaFree(0);
}
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack of one program with a folder beside it, against headers that stand for HIP's."""
    for name, text in {
        "programs/scale-cuda/Makefile": "CC = nvcc\n" + MAKEFILE,
        "programs/scale-cuda/main.cu": SOURCE,
        "programs/other-cuda/Makefile": "CC = nvcc\n" + MAKEFILE,
        "programs/beside/shared.h": "#include <cuda_runtime.h>\n",
        "include/hip/hip_runtime.h": "// runtime\n",
        "include/hip/hip_runtime_api.h": "// api\n",
        "include/hip/nvidia_detail/nvidia_hip_runtime_api.h": "// detail\n",
        "names": "scale\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    arguments = ["prepare", tmp_path / "pack", tmp_path / "programs", "--names", tmp_path / "names"]
    arguments += ["--hip-include", tmp_path / "include"]
    assert nvidia_platform.main([str(a) for a in arguments]) == 0
    return tmp_path / "pack"


def test_a_pack_says_how_to_build_and_run(pack: Path) -> None:
    (program,) = json.loads((pack / "manifest.json").read_text())["programs"]
    assert program["name"] == "scale"
    assert program["build"] == [
        ["nvcc", "-I../beside", "-c", "main.cu", "-o", "main.o", "-arch=sm_90"],
        ["nvcc", "main.o", "-o", "main", "-arch=sm_90"],
    ]
    assert program["run"] == [["./main", "64", "10"]]


def test_a_semicolon_in_an_argument_is_no_command(tmp_path: Path, pack: Path) -> None:
    folder = tmp_path / "programs/script-cuda"
    folder.mkdir()
    (folder / "Makefile").write_text("CC = nvcc\n" + MAKEFILE.replace("64 5000", '"read a; write b"'))
    (folder / "main.cu").write_text(SOURCE)
    arguments = ["prepare", pack, folder, "--hip-include", tmp_path / "include"]
    assert nvidia_platform.main([str(a) for a in arguments]) == 0
    (program,) = json.loads((pack / "manifest.json").read_text())["programs"]
    assert program["run"][0][:2] == ["./main", "read a; write b"]


def test_a_pack_holds_both_versions_and_what_lies_beside_them(pack: Path) -> None:
    assert "cudaFree(0)" in (pack / "src/scale-cuda/main.cu").read_text()
    assert "hipFree(0)" in (pack / "hip/scale-cuda/main.cu").read_text()
    assert "hip/hip_runtime.h" in (pack / "hip/beside/shared.h").read_text()
    assert not (pack / "src/other-cuda").exists()


def test_hips_headers_bring_what_they_lack(pack: Path) -> None:
    for name in ("hip_runtime.h", "hip_runtime_api.h"):
        assert (pack / "include/hip" / name).read_text().startswith('#include "hipify_nvidia.h"')
    assert (pack / "include/hipify_nvidia.h").is_file()
    assert (pack / "include/hipcub/hipcub.hpp").is_file()
    assert (pack / "include/hipify_warp.h").is_file()


FAKE = """\
#!{python}
import sys
words = sys.argv[1:]
if "-c" in words:
    open(words[words.index("-o") + 1], "w").write("hip" if "-D__HIP_PLATFORM_NVIDIA__=1" in words else "cuda")
else:
    side = open("main.o").read()
    open("main", "w").write("#!/bin/sh\\necho PASS; echo " + (side if {loud} else "same"))
    import os
    os.chmod("main", 0o755)
"""


@pytest.mark.parametrize(("loud", "verdict"), [(False, "same output"), (True, "different")])
def test_the_runner_needs_the_pack_alone(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loud: bool, verdict: str
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "nvcc").write_text(FAKE.format(python=sys.executable, loud=loud))
    (tools / "nvcc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    out = tmp_path / "results.jsonl"
    command: Sequence[str] = [sys.executable, "-I", str(pack / "nvidia_runner.py"), str(pack), "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(out.read_text())["verdict"] == verdict


def test_a_table_shows_the_latest_row_of_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text(
        '{"name": "a", "verdict": "different", "note": "x | y"}\n{"name": "corpus-b", "verdict": "different"}\n'
    )
    new.write_text('{"name": "a", "verdict": "same output", "words": ["PASS", "PASS"], "numbers": 3, "run": ["7"]}\n')
    assert nvidia_platform.main(["table", str(old), str(new)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "| same output | 1 | 0 |" in lines
    assert "| different | 0 | 1 |" in lines
    assert "Of those that do the same, 1 and 0 print a verdict or an error of their own." in lines
    assert "| a | 7 | same output | PASS ×2 | 3 |  |" in lines
