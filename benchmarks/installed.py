"""Install the working tree as its users do: into an environment of its own, with compiled bytecode."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / ".cache" / "bench"


class Installed(NamedTuple):
    """An installation: its interpreter, its console script, and the environment that it is run in."""

    python: str
    program: str
    environment: dict[str, str]


def install(place: Path = PLACE) -> Installed:
    """A copy of the package, installed; what others change in the tree meanwhile does not reach it."""
    venv = place / "venv"
    if not (venv / "bin" / "pip").exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for file in ("pyproject.toml", "README.md"):
            shutil.copy(ROOT / file, copy)
        shutil.copytree(ROOT / "hipify", copy / "hipify", ignore=shutil.ignore_patterns("__pycache__"))
        pip = [str(venv / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, str(copy)], check=True, env=clean_environment())
    return _at(place)


def dependencies(place: Path = PLACE) -> Installed:
    """An installation whose interpreter and dependencies are used, whichever version of the package it holds."""
    return _at(place) if (place / "venv" / "bin" / "hipify-py").exists() else install(place)


def _at(place: Path) -> Installed:
    programs = place / "venv" / "bin"
    cache = place / "user-cache"
    cache.mkdir(parents=True, exist_ok=True)
    return Installed(str(programs / "python"), str(programs / "hipify-py"), clean_environment(cache))


def clean_environment(cache: Path | None = None) -> dict[str, str]:
    """The environment without Python's own settings, so that bytecode is used and no other tree gets in."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    if cache is not None:
        environment["XDG_CACHE_HOME"] = str(cache)
    return environment
