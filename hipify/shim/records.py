"""What is said of one file: the names that the header gives it, and what the header cannot do."""

from __future__ import annotations

from dataclasses import dataclass, field

# What the passes are about, in the words of the list.
WORDS = {
    "calls": "arguments",
    "launches": "launch",
    "fields": "struct field",
    "pasting": "pasted name",
    "warp": "warp",
    "guards": "guard",
    "strings": "string",
    "atomics": "atomic",
    "vector_operators": "operator",
    "keywords": "language",
    "features": "feature",
    "conventions": "convention",
    "descriptors": "descriptor",
    "library_values": "value",
    "namespaces": "namespace",
    "names": "name",
    "builtins": "device function",
}


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """Where something stands."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, order=True, slots=True)
class Obstacle:
    """Something that no header can change, and what to write there."""

    place: Place
    kind: str
    message: str
    guard: str = ""
    lacks: str = ""
    """The name that HIP has no counterpart of, when that is the matter."""


@dataclass(frozen=True, slots=True)
class Rename:
    """A name that the header gives to a HIP name, at one place."""

    name: str
    new: str
    place: Place
    own_pass: bool
    """Whether the tables say so; else a pass chose the name for this place."""


@dataclass(frozen=True, slots=True)
class Header:
    """An include of a CUDA header."""

    name: str
    place: Place
    conditional: bool


@dataclass
class FileUsage:
    """What one file needs."""

    path: str
    renames: list[Rename] = field(default_factory=list)
    calls: list[tuple[str, Obstacle]] = field(default_factory=list)
    """The calls whose arguments change, by name: a wrapper may do."""
    addresses: list[tuple[str, Obstacle]] = field(default_factory=list)
    """The functions named without a call whose HIP form has other arguments."""
    namespaces: dict[str, str] = field(default_factory=dict)
    headers: list[Header] = field(default_factory=list)
    hip_headers: dict[str, str] = field(default_factory=dict)
    """What takes the place of each, '' when nothing does; of those that the shim's header brings, too."""
    required: set[str] = field(default_factory=set)
    libraries: set[str] = field(default_factory=set)
    """The libraries whose names it uses, HIP having them under the same name or another."""
    obstacles: list[Obstacle] = field(default_factory=list)
    elaborated: set[str] = field(default_factory=set)
    own: dict[str, list[Place]] = field(default_factory=dict)
    """The names of the API that the file also has as its own."""
    own_macros: dict[str, Place] = field(default_factory=dict)
    quoted: set[str] = field(default_factory=set)
    """The names, without folders, of the files that it includes with quotes."""
    uses: bool = False
    """Whether it uses anything of CUDA's, nvcc's own words included."""
    others: int = 0
    """Findings that are no errors."""
