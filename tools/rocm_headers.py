#!/usr/bin/env python3
"""Bring the headers and device libraries of a ROCm release from Debian's archive into a folder of the user's cache.

usage: tools/rocm_headers.py 5.7|6.4|7.2 [FOLDER]

Nothing is installed: packages are downloaded by this machine's apt, under a state folder of their own, and unpacked.
The address of the archive is the one that this machine's apt uses. Prints the unpacked `usr` folder. Exit status 1
and one line on stderr when it cannot be had. Default folder: $XDG_CACHE_HOME/hipify-py/rocm/VERSION; a folder named
by $HIPIFY_ROCM_HEADERS_<VERSION without dot> is used as it is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

# Debian's suite for each release; what is not there yet is taken from unstable.
SUITES = {"5.7": "trixie", "6.4": "sid", "7.2": "experimental"}
FALLBACK = "sid"
RUNTIME = ("hipcc", "libamdhip64-dev")
LIBRARIES = (
    *("libamd-comgr-dev", "libhsa-runtime-dev", "libhipblas-common-dev", "libhipblas-dev", "libhipblaslt-dev"),
    *("libhipcub-dev", "libhipfft-dev", "libhiprand-dev", "libhipsolver-dev", "libhipsparse-dev", "libmiopen-dev"),
    *("librccl-dev", "librocblas-dev", "librocfft-dev", "librocm-smi-dev", "librocprim-dev", "librocrand-dev"),
    *("librocsolver-dev", "librocsparse-dev", "librocthrust-dev", "libroctx-dev"),
)
OLDEST_LIBRARIES = (
    *("libhsa-runtime-dev", "libhipblas-dev", "libhipcub-dev", "libhipfft-dev", "libhiprand-dev", "libhipsolver-dev"),
    *("libhipsparse-dev", "librccl-dev", "librocblas-dev", "librocfft-dev", "librocprim-dev", "librocrand-dev"),
    *("librocsolver-dev", "librocsparse-dev", "librocthrust-dev", "libroctx-dev"),
)
NEWEST_LIBRARIES = ("libhipsparselt-dev", "librocm-core-dev", "librocwmma-dev")
PACKAGES: dict[str, tuple[str, ...]] = {
    "5.7": (*RUNTIME, *OLDEST_LIBRARIES, "rocm-device-libs-17"),
    "6.4": (*RUNTIME, *LIBRARIES, "rocm-device-libs-21"),
    "7.2": (*RUNTIME, *LIBRARIES, *NEWEST_LIBRARIES, "rocm-device-libs-22"),
}


class Unavailable(Exception):
    """The release cannot be had on this machine; the text is one line."""


def default_folder(version: str) -> Path:
    """Where a release is kept when no folder is given."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "hipify-py" / "rocm" / version


def bring(version: str, folder: Path | None = None) -> Path:
    """The `usr` folder of a ROCm release, downloaded when it is not there; Unavailable when it cannot be had."""
    if version not in PACKAGES:
        raise Unavailable(f"unknown ROCm release {version}: choose from {', '.join(PACKAGES)}")
    given = os.environ.get("HIPIFY_ROCM_HEADERS_" + version.replace(".", ""))
    if given:
        return Path(given)
    folder = folder or default_folder(version)
    if (folder / "usr" / "include" / "hip").is_dir():
        return folder / "usr"
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{version}.", dir=folder.parent))
    try:
        _download(version, work)
        work.chmod(0o755)
        shutil.rmtree(folder, ignore_errors=True)
        work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return folder / "usr"


def _archive() -> str:
    """The address of the Debian archive that this machine's apt uses."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE)"], capture_output=True, text=True, check=False
    )
    for site in listed.stdout.split():
        if site.rstrip("/").endswith("debian"):
            return site.rstrip("/")
    raise Unavailable("this machine's apt names no Debian archive (run apt-get update first)")


def _download(version: str, work: Path) -> None:
    state = work / "apt"
    for name in ("lists/partial", "archives/partial", "etc", "packages"):
        (state / name).mkdir(parents=True)
    (state / "status").touch()
    suites = list(dict.fromkeys((SUITES[version], FALLBACK)))
    site = _archive()
    (state / "etc" / "sources.list").write_text("".join(f"deb {site} {suite} main\n" for suite in suites))
    options = [
        f"-o{key}={value}"
        for key, value in {
            "Dir::State": state,
            "Dir::State::Lists": state / "lists",
            "Dir::State::status": state / "status",
            "Dir::Cache": state,
            "Dir::Etc::sourcelist": state / "etc" / "sources.list",
            "Dir::Etc::sourceparts": "/dev/null",
            "APT::Sandbox::User": "root",
        }.items()
    ]
    _apt(options, ["update"], state)
    packages = state / "packages"
    try:
        _apt(options, ["download", *(f"{name}/{SUITES[version]}" for name in PACKAGES[version])], packages)
    except Unavailable:
        _download_singly(options, version, packages)
    for package in sorted(packages.glob("*.deb")):
        subprocess.run(["dpkg", "-x", package, work], check=True)
    shutil.rmtree(state)
    if not (work / "usr" / "include" / "hip").is_dir():
        raise Unavailable(f"the packages of ROCm {version} hold no HIP headers")


def _download_singly(options: Sequence[str], version: str, packages: Path) -> None:
    """One package after the other, from the release's suite or the fallback; only the runtime must be there."""
    for name in PACKAGES[version]:
        for suite in dict.fromkeys((SUITES[version], FALLBACK)):
            try:
                _apt(options, ["download", f"{name}/{suite}"], packages)
                break
            except Unavailable:
                continue
        else:
            if name in RUNTIME:
                raise Unavailable(f"Debian's archive has no {name} for ROCm {version}")


def _apt(options: Sequence[str], arguments: Sequence[str], folder: Path) -> None:
    done = subprocess.run(
        ["apt-get", "-q", *options, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise Unavailable(f"apt-get {arguments[0]} failed: {reason}")


def main(arguments: Sequence[str]) -> int:
    """Bring one release and print where it is."""
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        print(bring(arguments[0], Path(arguments[1]) if len(arguments) == 2 else None))
    except (Unavailable, OSError, subprocess.CalledProcessError) as error:
        print(f"rocm_headers: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
