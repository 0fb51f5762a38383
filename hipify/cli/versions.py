"""What `--version` and `--versions` print."""

from __future__ import annotations

import os
import sys


def print_versions(*, everything: bool) -> None:
    """The tool's version, and with it the versions that it knows and uses."""
    from hipify import __version__

    print(f"hipify-py {__version__}")
    if not everything:
        return
    from importlib.metadata import PackageNotFoundError, version

    from hipify.cli.releases import installed_cuda, installed_target
    from hipify.rules.target import KNOWN_ROCM, label

    target, cuda = installed_target(os.environ), installed_cuda(os.environ)
    print(f"ROCm targets: {', '.join(map(label, KNOWN_ROCM))} (default here {target.release}: {target.origin})")
    print(f"CUDA {cuda.release or 'of no known release'}: {cuda.origin}")
    print(f"Python {sys.version.split()[0]}")
    for package in ("libclang", "lark", "jinja2", "rich"):
        try:
            print(f"{package} {version(package)}")
        except PackageNotFoundError:
            print(f"{package} not installed")
