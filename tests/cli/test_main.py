"""The entry point: commands found by name, cheap help, signals and broken pipes."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hipify.cli import main as entry

from .runner import CUDA, command, environment, names, run


def test_every_command_has_a_help_line_and_the_two_functions() -> None:
    assert "translate" in entry.names()
    for name in entry.names():
        module = entry.load(name)
        assert (module.__doc__ or "").strip().splitlines()[0].endswith(".")
        assert callable(module.add_arguments)
        assert callable(module.run)


def test_a_new_module_is_a_new_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "greet.py").write_text(
        '"""Greet."""\n\n\ndef add_arguments(parser):\n    parser.add_argument("--name")\n\n\n'
        'def run(args):\n    print(f"hello {args.name}")\n    return 1\n'
    )
    monkeypatch.setattr(entry.commands, "__path__", [*entry.commands.__path__, str(tmp_path)])
    assert entry.main(["greet", "-name", "you"]) == 1
    assert capsys.readouterr().out == "hello you\n"
    assert entry.main(["--help"]) == 0
    assert "greet      Greet.\n" in capsys.readouterr().out


@pytest.mark.parametrize("name", [None, *entry.names()])
def test_help(name: str | None, tmp_path: Path) -> None:
    done = run(tmp_path, *([name] if name else []), "--help")
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.startswith(f"usage: hipify-py{f' {name}' if name else ''} ".encode())
    assert done.stdout.isascii()


@pytest.mark.parametrize(
    ("name", "usage"),
    [
        ("translate", "[OPTION ...] [FILE ...] [-- CLANG-OPTION ...]"),
        ("build", "[OPTION ...] [FILE ...] [-- FLAG ...]"),
        ("convert", "[OPTION ...] SRC OUT [-- CLANG-OPTION ...]"),
        ("arch", "[OPTION ...] [GFX ...]"),
        ("doctor", "[OPTION ...]"),
        ("flags", "[OPTION ...] [-- NVCC-COMMAND ...]"),
    ],
)
def test_the_page_of_help_names_what_a_command_takes(name: str, usage: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main([name, "--help"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"usage: hipify-py {name} {usage}"


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; from hipify.cli.main import main; main(['--help']);"
        "print([m for m in ('rich', 'lark', 'jinja2', 'clang', 'hipify.rules', 'hipify.parser') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(), cwd=tmp_path, capture_output=True)
    assert done.stdout.splitlines()[-1] == b"[]"


def test_a_translation_loads_no_module_that_takes_longer_than_the_file(tmp_path: Path) -> None:
    (tmp_path / "in.cu").write_text("#include <cuda_runtime.h>\nint main() { return cudaDeviceSynchronize(); }\n")
    slow = ("typing", "pathlib", "dataclasses", "inspect", "shutil", "tempfile", "hashlib", "json", "lark", "argparse")
    code = (
        "import sys; there = set(sys.modules);"  # an editable installation's own finder may have brought some
        "from hipify.cli.main import main; main(['--no-cache', '--no-config', 'in.cu', '-o', 'out.hip']);"
        f"print([m for m in {slow} if m in sys.modules and m not in there])"
    )
    for _ in range(2):  # the first run makes what later ones find
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**environment(), "XDG_CACHE_HOME": str(tmp_path / "cache")},
            cwd=tmp_path,
            capture_output=True,
        )
    assert (done.stdout.splitlines()[-1], done.returncode) == (b"[]", 0)


def test_importing_the_package_loads_nothing_else_of_it(tmp_path: Path) -> None:
    code = "import sys, hipify; print([m for m in sys.modules if m.startswith('hipify.')], hipify.Options().target)"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), cwd=tmp_path, capture_output=True)
    assert done.stdout == b"[] 7.2\n"


def _blocked(folder: Path, *arguments: str) -> tuple[subprocess.Popen[bytes], int]:
    """A process that waits for more input on in.cu; gives it and the pipe's writing end."""
    os.mkfifo(folder / "in.cu")
    process = subprocess.Popen(
        command("in.cu", *arguments), cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    return process, os.open(folder / "in.cu", os.O_WRONLY)  # opens when the process does


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupts_end_cleanly(tmp_path: Path, number: signal.Signals, status: int) -> None:
    process, pipe = _blocked(tmp_path, "-o", "out.hip")
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    os.close(pipe)
    assert (process.returncode, out, err) == (status, b"", b"")
    assert names(tmp_path) == ["in.cu"]


def test_a_broken_pipe_ends_quietly(tmp_path: Path) -> None:
    process, pipe = _blocked(tmp_path)
    assert process.stdout is not None
    process.stdout.close()
    with os.fdopen(pipe, "wb") as stream:
        stream.write(CUDA * 1000)
    assert process.stderr is not None
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 141


def test_a_named_pipe_is_an_input(tmp_path: Path) -> None:
    process, pipe = _blocked(tmp_path)
    with os.fdopen(pipe, "wb") as stream:
        stream.write(CUDA)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"hipMalloc(&data, 64);" in out


def _on_terminal(folder: Path, *arguments: str) -> str:
    """What the program writes to a terminal as its standard error."""
    master, slave = pty.openpty()
    env = {**environment(), "TERM": "xterm", "COLUMNS": "100", "NO_COLOR": "1"}
    process = subprocess.Popen(command(*arguments), cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    text = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    os.close(master)
    assert process.wait(timeout=60) == 0
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text.decode())


def test_a_terminal_gets_a_table_and_a_progress_bar(folder: Path) -> None:
    text = _on_terminal(folder, "good.cu", "unknown.cu", "-no-output")
    assert "translating" in text
    lines = [line.split() for line in text.splitlines()]
    assert ["file", "changes", "errors", "warnings", "notes"] in [
        [word for word in line if word.isalpha()] for line in lines
    ]
    assert any(line[:1] == ["good.cu"] and line[-3:] == ["0", "0", "0"] for line in lines)
    assert "2 files" in text


def test_one_file_on_a_terminal_has_no_progress_bar(folder: Path) -> None:
    text = _on_terminal(folder, "unknown.cu")
    assert "unknown.cu:2:21: " in text
    assert "translating" not in text


def test_the_program_leaves_with_its_status_after_the_exit_handlers_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "probe.py").write_text(
        "import atexit, sys\nfrom hipify.cli import main\n"
        "def run(arguments=None):\n    atexit.register(print, 'handler ran', flush=True)\n    return 7\n"
        "main.main = run\nmain.program()\n"
    )
    done = subprocess.run([sys.executable, "probe.py"], env=environment(), cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stdout) == (7, b"handler ran\n")
