"""What `--version` and `--versions` print."""

from __future__ import annotations

import sys


def print_versions(*, everything: bool) -> None:
    """The tool's version, and with it the versions that it knows and uses."""
    from hipify import __version__

    print(f"hipify-py {__version__}")
    if not everything:
        return
    from importlib.metadata import PackageNotFoundError, version

    from hipify.model import DEFAULT_TARGET
    from hipify.rules.target import KNOWN_ROCM, label

    print(f"ROCm targets: {', '.join(map(label, KNOWN_ROCM))} (default {DEFAULT_TARGET})")
    print(f"Python {sys.version.split()[0]}")
    for package in ("libclang", "lark", "jinja2", "rich"):
        try:
            print(f"{package} {version(package)}")
        except PackageNotFoundError:
            print(f"{package} not installed")
