"""The machine that a build runs on: its programs, its GPUs, and whether they can be used. Reads, changes nothing."""

from __future__ import annotations

import grp
import os
import pwd
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from hipify.build.process import Done, call

_GROUPS = ("video", "render")


@dataclass(frozen=True)
class Machine:
    """This machine, or (in tests) a folder that looks like one: `root` holds its /dev, /etc, /opt, /proc and /sys."""

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    root: Path = Path("/")

    def which(self, name: str) -> Path | None:
        """A program of the PATH."""
        found = shutil.which(name, path=self.environ.get("PATH", ""))
        return Path(found) if found else None

    def at(self, path: str) -> Path:
        """A place of the machine."""
        return self.root / path.lstrip("/")

    def read(self, path: str) -> str:
        """A small file of the machine; nothing where it cannot be read."""
        try:
            return self.at(path).read_text("utf-8", "replace")
        except OSError:
            return ""

    def call(self, *command: str | os.PathLike[str], **more: str) -> Done:
        """Ask a program of the machine something."""
        return call(command, {**self.environ, **more}, timeout=30)

    @cached_property
    def distribution(self) -> str:
        """`debian`, `ubuntu`, `fedora` or what /etc/os-release says; a conda environment is `conda`."""
        if self.environ.get("CONDA_PREFIX"):
            return "conda"
        release = self._release
        for name in (release.get("ID", ""), *release.get("ID_LIKE", "").split()):
            if name in ("debian", "ubuntu", "fedora"):
                return name
        return release.get("ID", "")

    @property
    def distribution_release(self) -> str:
        """The release of the system that `distribution` names; nothing for one that only resembles it."""
        return self._release.get("VERSION_ID", "") if self._release.get("ID") == self.distribution else ""

    @cached_property
    def _release(self) -> dict[str, str]:
        return dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', self.read("/etc/os-release"), re.M))

    @cached_property
    def gpus(self) -> Gpus:
        """The GPUs that ROCm's own programs see."""
        tried: list[str] = []
        for name, pattern in _LISTERS:
            program = self._tool(name)
            if program is None:
                continue
            done = self.call(program)
            found = tuple(pattern.findall(done.out))
            if done.status == 0 and found:
                return Gpus(found, name)
            if not tried:  # the first that is here says best what is wrong
                tried.append(f"{name}: {_plain(done.last_line) or _ended(done.status)}")
        if not tried:
            return Gpus((), "", "none of rocminfo, hipInfo and amdgpu-arch is here", tools=False)
        return Gpus((), "", tried[0])

    def _tool(self, name: str) -> Path | None:
        found = self.which(name)
        for variable in ("ROCM_PATH", "HIP_PATH"):
            prefix = self.environ.get(variable)
            if found is None and prefix and os.access(Path(prefix) / "bin" / name, os.X_OK):
                found = Path(prefix) / "bin" / name
        usual = self.at("/opt/rocm/bin") / name
        return usual if found is None and os.access(usual, os.X_OK) else found

    @cached_property
    def driver(self) -> bool:
        """Whether the kernel has loaded amdgpu."""
        return self.at("/sys/module/amdgpu").is_dir()

    def device(self, path: str) -> str:
        """Why a device of the machine cannot be opened; nothing where it can."""
        place = self.at(path)
        if not place.exists():
            return "is not there"
        nodes = sorted(place.glob("renderD*")) if place.is_dir() else [place]
        if not nodes:
            return "holds no render node"
        if any(os.access(node, os.R_OK | os.W_OK) for node in nodes):
            return ""
        return f"cannot be opened (its group is {_group_of(nodes[0])})"

    @cached_property
    def missing_groups(self) -> tuple[str, ...]:
        """Those of the groups video and render that the machine has and the user is not in; root needs none."""
        if os.geteuid() == 0:
            return ()
        there = re.findall(r"^(\w+):[^:]*:(\d+):", self.read("/etc/group"), re.M)
        mine = set(os.getgroups())
        return tuple(name for name, number in there if name in _GROUPS and int(number) not in mine)

    @cached_property
    def container(self) -> str:
        """The container that this is, by its marks; nothing outside of one."""
        if self.at("/.dockerenv").exists():
            return "docker"
        if self.at("/run/.containerenv").exists():
            return "podman"
        named = self.environ.get("container", "")
        if named:
            return named
        match = re.search(r"docker|kubepods|containerd|libpod|lxc", self.read("/proc/1/cgroup"))
        return match[0] if match else ""

    @property
    def user(self) -> str:
        """The user's name."""
        try:
            return pwd.getpwuid(os.geteuid()).pw_name
        except KeyError:
            return str(os.geteuid())


@dataclass(frozen=True, slots=True)
class Gpus:
    """The GPUs there are, which program saw them, why there are none, and whether any such program is here."""

    archs: tuple[str, ...]
    seen_by: str = ""
    reason: str = ""
    tools: bool = True

    @property
    def distinct(self) -> tuple[str, ...]:
        """Each architecture once, in order."""
        return tuple(dict.fromkeys(self.archs))


# An agent of rocminfo is named once as an agent and again in the names of its ISAs; only the first counts.
_LISTERS = (
    ("rocminfo", re.compile(r"^\s*Name:\s*(gfx[1-9][0-9a-f]{2,3})\s*$", re.M)),
    ("hipInfo", re.compile(r"^\s*gcnArchName:\s*(gfx[1-9][0-9a-f]{2,3})", re.M)),
    ("amdgpu-arch", re.compile(r"^(gfx[1-9][0-9a-f]{2,3})", re.M)),
)


def _plain(text: str) -> str:
    """The text without colours and what is none; nothing where little is left."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    shown = "".join(letter for letter in text if letter.isprintable())
    return shown if 2 * len(shown) > len(text) else ""


def _ended(status: int) -> str:
    return f"ended by signal {-status}" if status < 0 else f"status {status}, no GPU"


def _group_of(path: Path) -> str:
    number = path.stat().st_gid
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
