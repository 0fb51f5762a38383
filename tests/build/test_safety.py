"""What runs programs, and what must not: no shell, private folders, nothing executed by lint, convert or a translation."""

from __future__ import annotations

import ast
import signal
import stat
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hipify.build import process
from hipify.build.builder import CHECK, Settings, build
from hipify.build.compiler import Amd
from hipify.build.flags import Sources
from hipify.build.process import call, guarded
from hipify.build.toolchain import find
from hipify.cli.main import main
from hipify.model import Options
from hipify.pipeline import translate
from tests.cli.runner import CUDA, command, environment

from .machines import machine, recorder, rocm

PACKAGE = Path(__file__).resolve().parents[2] / "hipify"
PROGRAMS = ("hipcc", "nvcc", "make", "gmake", "cmake", "clang", "clang++", "clang++-22", "gcc", "g++", "cc", "ninja",
            "rocminfo", "hipInfo", "amdgpu-arch", "nvidia-smi", "sh", "bash", "python3")  # fmt: skip


def test_no_module_gives_a_shell_a_text() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword):
                assert node.arg != "shell", path
            if isinstance(node, ast.Attribute):
                assert (getattr(node.value, "id", ""), node.attr) not in (("os", "system"), ("os", "popen")), path


def test_a_build_that_ends_leaves_another_ones_compiler_alone() -> None:
    with ThreadPoolExecutor(1) as pool, guarded():
        with guarded():
            running = pool.submit(call, ["sleep", "1"])
            while not process._running:
                time.sleep(0.01)
        assert running.result().status == 0


@pytest.mark.parametrize(
    "words",
    [["lint", "in", "--fail-on", "never"], ["convert", "in", "out"], ["in/a.cu", "-o", "a.hip"]],
    ids=lambda w: w[0],
)
def test_nothing_is_executed(tmp_path: Path, words: list[str]) -> None:
    log = tmp_path / "log"
    for name in PROGRAMS:
        recorder(tmp_path / "bin" / name, log)
        text = (tmp_path / "bin" / name).read_text().replace("#!/bin/sh\n", f"#!/bin/sh\necho {name} >> {log}\n")
        (tmp_path / "bin" / name).write_text(text)
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.cu").write_bytes(CUDA)
    (tmp_path / "in/Makefile").write_text(f"X := $(shell touch {log})\nall:\n\tnvcc a.cu -o a\n")
    (tmp_path / "in/CMakeLists.txt").write_text(f"execute_process(COMMAND touch {log})\nfind_package(CUDA)\n")
    (tmp_path / "in/setup.py").write_text(
        f"open({str(log)!r}, 'w')\nfrom torch.utils.cpp_extension import CUDAExtension\n"
    )
    done = subprocess.run(
        command(*words), cwd=tmp_path, env={**environment(), "PATH": str(tmp_path / "bin")}, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert not log.exists(), log.read_text()


def test_the_folder_of_a_build_is_private_while_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    root = tmp_path / "machine"
    seen = tmp_path / "seen"
    hipcc = rocm(root / "opt/rocm") / "bin/hipcc"
    recorder(hipcc, tmp_path / "log")
    hipcc.write_text(hipcc.read_text() + f'stat -c %a "$PWD" > {seen}\n')
    here = machine(root)
    (root / "tools/stat").symlink_to("/usr/bin/stat")
    tool = find(here)
    assert tool is not None
    options = Options(clang=False)
    settings = Settings(Amd(tool, ("gfx90a",), tool.environment(here)), Sources(None), CHECK)
    outcome = build(settings, {"a.cu": translate(CUDA, "a.cu", options)}, {"a.cu": options})
    assert outcome.ok
    assert seen.read_text() == "700\n"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("hipify-build-")]


def test_a_program_that_is_not_there_and_one_that_hangs(tmp_path: Path) -> None:
    assert call([tmp_path / "none"]).status == 127
    hangs = tmp_path / "hangs"
    hangs.write_text("#!/bin/sh\nsleep 30 & wait\n")
    hangs.chmod(hangs.stat().st_mode | stat.S_IXUSR)
    done = call([hangs], timeout=0.3)
    assert (done.status, done.last_line) == (124, f"{hangs}: took more than 0.3 s")


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131), (signal.SIGKILL, -9)],
)
def test_an_interruption_ends_the_compilers_and_leaves_nothing(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    (tmp_path / "a.cu").write_bytes(CUDA)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    hipcc = tmp_path / "bin/hipcc"
    recorder(hipcc, tmp_path / "log")
    hipcc.write_text(
        hipcc.read_text() + 'touch "$TMPDIR/left"\nsleep 60 &\necho $! > ../pid\nmv ../pid ../sleeper\nwait\n'
    )
    process = subprocess.Popen(
        command("build", "a.cu", "-o", "prog", "--hipcc", str(hipcc)),
        cwd=tmp_path, env={**environment(), "TMPDIR": str(temporary)}, stderr=subprocess.PIPE,
    )  # fmt: skip
    while not (tmp_path / "temporary/sleeper").exists():
        assert process.poll() is None
        time.sleep(0.05)
    sleeper = int((tmp_path / "temporary/sleeper").read_text())
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == status
    (tmp_path / "temporary/sleeper").unlink()
    assert _soon(lambda: not _lives(sleeper))
    assert _soon(lambda: not list(temporary.iterdir()))
    assert not (tmp_path / "prog").exists()


def _lives(number: int) -> bool:
    """Whether a process is there and not only its exit status, which nobody has read."""
    try:
        return ") Z " not in Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False


def _soon(happened: Callable[[], bool]) -> bool:
    """Whether something happens within some seconds."""
    for _ in range(200):
        if happened():
            return True
        time.sleep(0.05)
    return False


def test_a_hangup_that_is_ignored_stays_so(tmp_path: Path) -> None:
    """As nohup wants it."""
    (tmp_path / "a.cu").write_bytes(CUDA)
    hipcc = tmp_path / "bin/hipcc"
    recorder(hipcc, tmp_path / "log")
    hipcc.write_text(hipcc.read_text() + "while ! [ -e ../go ]; do sleep 0.05; done\n")
    (tmp_path / "temporary").mkdir()
    process = subprocess.Popen(
        ["nohup", *command("build", "a.cu", "-o", "prog", "--hipcc", str(hipcc))],
        cwd=tmp_path, env={**environment(), "TMPDIR": str(tmp_path / "temporary")}, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert _soon((tmp_path / "log").exists)
    process.send_signal(signal.SIGHUP)
    (tmp_path / "temporary/go").touch()
    process.communicate(timeout=30)
    assert process.returncode == 0
    assert (tmp_path / "prog").exists()


def test_what_compilers_leave_in_the_temporary_folder_goes_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    hipcc = tmp_path / "bin/hipcc"
    recorder(hipcc, tmp_path / "log")
    hipcc.write_text(hipcc.read_text() + 'touch "$TMPDIR/left-$$"\n')
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert main(["build", "good.cu", "-o", "prog", "--hipcc", str(hipcc)]) == 0
    assert list((tmp_path / "temporary").iterdir()) == []
