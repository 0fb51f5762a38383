"""The pre-commit hook and the GitHub Action: their files are valid, and what they run works."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from .conftest import UNKNOWN, WARPED

ROOT = Path(__file__).resolve().parents[2]
ACTION = YAML(typ="safe").load((ROOT / "action.yml").read_text("utf-8"))
(HOOK,) = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
_EXPRESSION = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")


@pytest.fixture(scope="session")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a runner in which the first step of the action was carried out: a copy of this checkout, installed."""
    folder = tmp_path_factory.mktemp("runner")
    shutil.copytree(ROOT / "hipify", folder / "action" / "hipify", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / "action")
    done = step(0, folder, folder, {})
    assert done.returncode == 0, done.stderr
    return folder


def step(number: int, runner: Path, folder: Path, inputs: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """One step of the action as a runner carries it out."""
    values = {name: given["default"] for name, given in ACTION["inputs"].items()}
    values |= {"python": sys.executable} | inputs
    definition = ACTION["runs"]["steps"][number]
    given = {key: _EXPRESSION.sub(lambda match: values[match[1]], text) for key, text in definition["env"].items()}
    script = runner / "step.sh"
    script.write_text(definition["run"])
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=folder,
        env=clean | given | {"RUNNER_TEMP": str(runner), "GITHUB_ACTION_PATH": str(runner / "action")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with one commit, and a change."""
    folder = tmp_path / "repository"
    (folder / "my src").mkdir(parents=True)
    (folder / "my src" / "old.cu").write_text(WARPED)
    (folder / "host.cpp").write_text("int main() {}\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
        subprocess.run(["git", *identity, *command], cwd=folder, check=True)
    (folder / "new.cu").write_text(UNKNOWN)
    return folder


def validated(file: str, *schema: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "check_jsonschema", *schema, str(ROOT / file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_action_is_valid() -> None:
    done = validated("action.yml", "--builtin-schema", "vendor.github-actions")
    assert done.returncode == 0, done.stdout
    assert ACTION["runs"]["using"] == "composite"
    # What a user gives goes through the environment: a script that it is pasted into could run it.
    assert not any("${{" in step["run"] for step in ACTION["runs"]["steps"])


def test_the_workflow_is_valid() -> None:
    done = validated(".github/workflows/ci.yml", "--builtin-schema", "vendor.github-workflows")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("inputs", "status", "titles"),
    [
        ({}, 1, ["HPY301 error", "HPY105 warning"]),
        ({"fail-on": "never"}, 0, ["HPY301 error", "HPY105 warning"]),
        ({"diff": "HEAD"}, 0, ["HPY105 warning"]),
        ({"paths": "my src\n"}, 1, ["HPY301 error"]),
        ({"paths": "my src\nnew.cu\n", "args": "--ignore HPY301 --severity warning"}, 0, ["HPY105 warning"]),
        ({"report": "out.sarif", "args": "--no-clang"}, 1, ["HPY301 error", "HPY105 warning"]),
        ({"report": "out.html"}, 1, ["HPY301 error", "HPY105 warning"]),
        ({"args": "--select $(touch$IFS.pwned)"}, 2, []),
    ],
)
def test_the_action_lints(
    runner: Path, repository: Path, inputs: dict[str, str], status: int, titles: list[str]
) -> None:
    done = step(1, runner, repository, inputs)
    assert done.returncode == status, done.stderr
    assert sorted(re.findall(r"title=([^:,]*)", done.stdout)) == sorted(titles)
    assert all(line.startswith("::") for line in done.stdout.splitlines())
    assert not (repository / "pwned").exists()
    if "report" in inputs:
        text = (repository / inputs["report"]).read_text("utf-8")
        assert "HPY301" in text
        assert ("runs" in json.loads(text)) if inputs["report"].endswith("sarif") else "<table" not in text


def hook_files(folder: Path) -> list[str]:
    """The files that pre-commit hands to the hook."""
    done = subprocess.run(["git", "ls-files", "-co"], cwd=folder, check=True, capture_output=True, text=True)
    return [name for name in done.stdout.splitlines() if re.search(HOOK["files"], name)]


def test_the_hook_names_what_pre_commit_needs() -> None:
    assert set(HOOK) >= {"id", "name", "entry", "language"}
    assert (HOOK["id"], HOOK["language"], HOOK["require_serial"]) == ("hipify-lint", "python", True)
    wanted = ("a.cu", "b/c.CUH", "d.cpp", "e.hip", "f.h", "g.inl")
    assert all(re.search(HOOK["files"], name) for name in wanted)
    assert not any(re.search(HOOK["files"], name) for name in ("a.py", "b.md", "cu", "c.cu.orig"))


def test_the_hook_lints_the_files_that_it_is_handed(runner: Path, repository: Path) -> None:
    def hook(*names: str, args: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
        program, *rest = shlex.split(HOOK["entry"])
        command = [str(runner / "hipify-py" / "bin" / program), *rest, *args, *names]
        return subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)

    names = hook_files(repository)
    assert sorted(names) == ["host.cpp", "my src/old.cu", "new.cu"]
    done = hook(*names)
    assert done.returncode == 1
    assert sorted(re.findall(r"HPY\d\d\d", done.stdout)) == ["HPY105", "HPY301"]
    assert hook(*names, args=("--offload-arch", "gfx1100", "--ignore", "HPY301")).returncode == 0
    assert hook("host.cpp").stdout == ""
