"""What a conversion is asked to do: the command line's options, with those of the project's own file behind them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from hipify.config import SUFFIXES, THIRD_PARTY, Config
from hipify.model import Options

__all__ = ["SUFFIXES", "THIRD_PARTY", "Selection", "Settings"]


@dataclass(frozen=True)
class Selection:
    """Which files of a tree take part."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    gitignore: bool = True
    third_party: str = "convert"
    third_party_dirs: tuple[str, ...] = ()
    vendored: bool = True
    """Whether copies of NVIDIA's template libraries are left as they are."""
    in_place: bool = False
    """Whether the tree itself is converted, so that what is left out of it stays."""
    max_bytes: int = 32 << 20


@dataclass(frozen=True)
class Settings:
    """One conversion."""

    source: Path
    out: Path
    options: Options = field(default_factory=Options)
    target_origin: str = ""
    cuda_origin: str = ""
    selection: Selection = field(default_factory=Selection)
    in_place: bool = False
    force: bool = False
    suffix: str = "same"
    rename_paths: bool = False
    link_unchanged: bool = False
    compile_commands: str = ""
    jobs: int = 0
    timeout: float = 120.0
    scheduler: str = ""
    keep: bool = False
    """Whether translations are kept in the user's cache, and those of earlier runs taken from it."""
    project: Config = field(default_factory=Config)
    """The settings file of the tree, for what it says by path."""
