"""Which ROCm release a command line writes for, and which CUDA release its input is written for, and who says so."""

from __future__ import annotations

import os
from collections.abc import Mapping

from hipify import installed
from hipify.errors import UsageError
from hipify.model import DEFAULT_TARGET
from hipify.records import NamedTuple
from hipify.rules.target import label, parse_cuda, parse_rocm, supported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from hipify.build.toolchain import Toolchain
    from hipify.cli.parser import Arguments

TARGET, CUDA, NO_CUDA = "HIPIFY_TARGET", "HIPIFY_CUDA_VERSION", "none"
"""What stands in for looking at the machine: for containers and builds that must not depend on it."""


NO_HIPCC = "no hipcc is here; `hipify-py doctor` says what installs it"


class Choice(NamedTuple):
    """A release as text ('' when unknown), why it is this one, and whether the machine was asked for it."""

    release: str
    origin: str
    found: bool = False


def target_of(args: Arguments) -> Choice:
    """The release to write for: the command line's, the settings', else that of the hipcc here, else the newest."""
    aimed: Choice | None = getattr(args, "aimed", None)  # that of what compiles at once
    return _given(args, "target") or aimed or installed_target(os.environ)


def cuda_of(args: Arguments, project: Path | None = None) -> Choice:
    """The CUDA release of the input: the command line's, the settings', else the project's, else the toolkit's."""
    return _given(args, "cuda_version") or _of_project(project) or installed_cuda(os.environ)


def _of_project(project: Path | None) -> Choice | None:
    """What the CMake files of a project that is converted ask for."""
    if project is None:
        return None
    from hipify.project.build_files.cmake_release import wanted

    found = wanted(project)
    return Choice(label(found[0]), f"asked for in {found[1]}") if found else None


def _given(args: Arguments, name: str) -> Choice | None:
    """What the command line, or the project's settings, say about a release."""
    value = getattr(args, name)
    if not value:
        return None
    return Choice(value, getattr(args, "said_by", {}).get(name) or f"--{name.replace('_', '-')}")


def check(target: Choice, cuda: Choice) -> None:
    """UsageError when a release is none that can be written for, or none at all."""
    for choice, parse in ((target, parse_rocm), (cuda, parse_cuda)):
        try:
            if choice.release:
                parse(choice.release)
        except ValueError as error:
            where = "" if choice.origin.startswith("--") else f"{choice.origin}: "
            raise UsageError(f"{where}{error}") from error


def installed_target(environ: Mapping[str, str], root: str = "/") -> Choice:
    """The release that programs would be compiled with here, as near as the tables have it."""
    if environ.get(TARGET):
        return Choice(environ[TARGET], TARGET)
    found = installed.rocm(environ, root)
    if found is None:
        return Choice(DEFAULT_TARGET, "the newest known, as no hipcc is installed", found=True)
    if found.version is None:
        return Choice(DEFAULT_TARGET, f"the newest known, as nothing tells the release of {found.origin}", found=True)
    release = supported(found.version)
    if release is None:
        reason = f"the newest known, as HIP {label(found.version)} ({found.origin}) is older than every target"
        return Choice(DEFAULT_TARGET, reason, found=True)
    return Choice(label(release), f"from the installed HIP {label(found.version)} ({found.origin})", found=True)


def compiled_target(tool: Toolchain | None) -> Choice | None:
    """The release to write for what a hipcc compiles at once: the nearest that there are tables for."""
    if tool is None or not tool.hip:
        return None
    from hipify.build.toolchain import target_for

    origin = f"the nearest to hipcc's HIP {tool.hip} ({tool.path}, found by {tool.found_by})"
    return Choice(target_for(tool.hip), origin, found=True)


def installed_cuda(environ: Mapping[str, str], root: str = "/") -> Choice:
    """The release of the CUDA toolkit here, which its user's code most likely compiles with."""
    if environ.get(CUDA):
        return Choice("", CUDA) if environ[CUDA] == NO_CUDA else Choice(environ[CUDA], CUDA)
    found = installed.cuda(environ, root)
    if found is None or found.version is None:
        return Choice("", "no CUDA toolkit is installed", found=True)
    return Choice(label(found.version), f"from the installed toolkit ({found.origin})", found=True)


def lacks_hipcc(environ: Mapping[str, str], root: str = "/") -> bool:
    """Whether nothing here would compile a translation; where TARGET stands in for the machine, nobody looks."""
    return not environ.get(TARGET) and installed.hipcc(environ, root) is None
