"""What every CUDA name becomes, by the tables under `apis/`: a row is split into columns when its name is looked up."""

from __future__ import annotations

import functools
from collections.abc import Set as AbstractSet

from hipify.records import NamedTuple
from hipify.rules import tables
from hipify.rules.names import is_hip_name, spelled_like_cuda
from hipify.rules.target import KNOWN_ROCM, Target, label

__all__ = ["Api", "FieldApi", "HeaderApi", "Library", "Mapping", "map_name", "spelled_like_cuda"]

ROC_LIBRARIES = frozenset(("cublas", "cusparse", "cusolver", "curand"))
"""The CUDA libraries whose types and functions --roc moves to a roc library."""
_LABELS = tuple(label(version) for version in KNOWN_ROCM)


class Api(NamedTuple):
    """One CUDA identifier and its counterparts.

    `hip` is the name of the newest releases; `alt` names the others (`6.4:NAME;5.7:NAME`), `seen` the releases whose
    headers hold `hip`, `roc_seen` those that hold `roc` (or `miopen`). A status is one of `same` (HIP has the very
    name), `mapped`, `roc_only`, `unsupported` (known to have no counterpart), `unknown` (none was found), `dropped`
    (a version or platform guard that means nothing on HIP) and `ambiguous` (as often the user's own word: left alone).
    `flags` are comma-separated facts: `args_differ`, `count_differs`, `count_differs_in:13.0`, `overloads_differ`,
    `older_variant` (a `_vN` name that maps to the plain one), `experimental`, `v2_only` (only with cublas_v2.h),
    `define_6.4:MACRO` (that release declares it only under the macro), `guessed` (found by HIP's naming habit),
    `call_only` (CUDA's only where it is called), `std` (a C name) and `gone_in:13.0` (CUDA dropped it).
    """

    name: str
    kind: str
    library: str
    hip: str
    roc: str
    miopen: str
    cuda_since: str
    cuda_deprecated: str
    cuda_removed: str
    hip_since: str
    hip_deprecated: str
    hip_removed: str
    status: str
    alt: str
    seen: str
    roc_seen: str
    flags: str

    def hip_in(self, version: str) -> str:
        """The HIP name that the headers of this ROCm release hold; '' when they hold none."""
        for item in self.alt.split(";") if self.alt else ():
            release, _, name = item.partition(":")
            if release == version:
                return name
        return self.hip if version in self.seen.split(",") else ""

    def has(self, flag: str) -> bool:
        """Whether the row carries this flag."""
        return flag in self.flags.split(",")

    def value(self, flag: str) -> str:
        """What stands behind the colon of a flag; '' when the row does not carry it."""
        return next((f.partition(":")[2] for f in self.flags.split(",") if f.startswith(f"{flag}:")), "")


class FieldApi(NamedTuple):
    """One member of a CUDA struct and its HIP counterpart ('' when HIP's struct lacks it)."""

    struct: str
    field: str
    hip_struct: str
    hip_field: str
    cuda_type: str
    hip_type: str
    seen: str


class HeaderApi(NamedTuple):
    """One CUDA include path and what replaces it; '' when nothing does."""

    path: str
    library: str
    hip: str
    roc: str
    status: str
    note: str
    seen: str
    roc_seen: str

    @property
    def replaced(self) -> bool:
        """Whether any release of HIP or ROCm has something in its place, if only nothing that is needed."""
        return bool(self.hip or self.roc) or self.status == "drop"

    def hip_in(self, version: str) -> str:
        """The HIP include path, when that ROCm release has it."""
        return self.hip if version in self.seen.split(",") else ""


_ASKED = 4096
"""So many include paths are known without looking again: most files include the same ones."""


class Library:
    """All tables. Use `Library.default()`: one instance is enough, and it is never changed."""

    def __init__(self, folder: str = tables.APIS) -> None:
        self._folder = folder
        self._apis, self._fields, self._headers = tables.load(folder)
        self._parsed: dict[bytes, Api] = {}
        self._asked: dict[bytes, HeaderApi | None] = {}

    @staticmethod
    @functools.cache
    def default() -> Library:
        """The tables that come with the package."""
        return Library()

    @property
    def names(self) -> AbstractSet[bytes]:
        """All CUDA identifiers (namespaced ones as `cub::Name`), for set operations with `Tokens.vocabulary`."""
        return self._apis.names

    def in_order(self) -> tuple[bytes, ...]:
        """All CUDA identifiers in the order of the tables."""
        return tuple(self._files.apis)

    @functools.cached_property
    def _files(self) -> tables.Tables:
        """All rows: for those who go through all of them."""
        return tables.read(self._folder)

    @property
    def parsed(self) -> int:
        """How many rows were split into columns so far."""
        return len(self._parsed)

    def get(self, name: bytes) -> Api | None:
        """The row of a CUDA identifier; None when no table knows it."""
        api = self._parsed.get(name)
        if api is None and (rows := self._apis.rows(name)):
            library, kind, *rest = rows[0].decode().split("\t")
            api = self._parsed[name] = Api(name.decode(), kind, library, *rest)
        return api

    @functools.cached_property
    def _by_library(self) -> dict[str, list[bytes]]:
        found: dict[str, list[bytes]] = {}
        for name, (row,) in self._files.apis.items():
            found.setdefault(row[: row.index(b"\t")].decode(), []).append(name)
        return found

    def library(self, name: str) -> tuple[bytes, ...]:
        """The names that one library's table holds; nothing for an unknown library."""
        return tuple(self._by_library.get(name, ()))

    @property
    def libraries(self) -> tuple[str, ...]:
        """The libraries that have a table."""
        return tuple(self._by_library)

    def field(self, name: bytes) -> tuple[FieldApi, ...]:
        """Every CUDA struct that has a member of this name."""
        return tuple(_field_api(row) for row in self._fields.rows(name))

    @property
    def field_names(self) -> AbstractSet[bytes]:
        """The names of all struct members, for set operations."""
        return self._fields.names

    def fields_in_order(self) -> tuple[bytes, ...]:
        """The names of all struct members in the order of the tables."""
        return tuple(self._files.fields)

    def header(self, path: bytes) -> HeaderApi | None:
        """What a CUDA include path becomes; None when it is no CUDA header. A row `folder/*` serves what lies below."""
        if path in self._asked:
            return self._asked[path]
        found = self._header(path)
        if len(self._asked) < _ASKED:
            self._asked[path] = found
        return found

    def _header(self, path: bytes) -> HeaderApi | None:
        rows = self._headers.rows(path)
        folder = path
        while not rows and b"/" in folder:
            folder = folder.rpartition(b"/")[0]
            rows = self._headers.rows(folder + b"/*")
        return HeaderApi(path.decode(), *rows[0].decode().split("\t")) if rows else None

    def headers_in_order(self) -> tuple[bytes, ...]:
        """All CUDA include paths in the order of the table."""
        return tuple(self._files.headers)

    def is_hip_name(self, name: bytes) -> bool:
        """Whether an identifier is spelled like one of HIP's or ROCm's own."""
        return is_hip_name(name)


@functools.cache
def _field_api(row: bytes) -> FieldApi:
    name, *rest = row.decode().split("\t")
    struct, _, field = name.rpartition("::")
    return FieldApi(struct, field, *rest)


class Mapping(NamedTuple):
    """The decision about one identifier.

    `name` is the name to write: '' when there is none, the identifier itself when HIP has it under that name.
    `problem` is '' or one of `unsupported`, `unknown`, `removed_hip`, `too_new`, `deprecated_hip` (a name is given),
    `roc_only`, `miopen_only`; `note` is a sentence for the message.
    """

    api: Api
    name: str
    problem: str = ""
    note: str = ""


@functools.lru_cache(1 << 13)
def map_name(api: Api, target: Target) -> Mapping:
    """The name of `api` for this target."""
    if api.status == "ambiguous":
        return Mapping(api, api.name)
    if target.label in api.roc_seen.split(","):
        if target.miopen and api.miopen:
            return Mapping(api, api.miopen)
        if target.roc and api.roc:
            return Mapping(api, api.roc)
    name = api.hip_in(target.label)
    if name and is_hip_only(api, name, target):
        note = f"{name} takes other types than --roc writes, and no roc library has it."
        return Mapping(api, "", "hip_only", note)
    if name:
        return _usable(api, name, target)
    if api.seen or api.alt:
        return _other_release(api, target)
    return _without_name(api)


def is_hip_only(api: Api, name: str, target: Target) -> bool:
    """Whether a name is of a hip library whose types --roc writes as those of the roc library below it."""
    return target.roc and api.library in ROC_LIBRARIES and name.lower().startswith(api.library.replace("cu", "hip"))


def _usable(api: Api, name: str, target: Target) -> Mapping:
    if api.hip_deprecated and name != api.name and _version(api.hip_deprecated) <= target.rocm:
        return Mapping(api, name, "deprecated_hip", f"{name} is deprecated since HIP {api.hip_deprecated}.")
    return Mapping(api, name)


def _other_release(api: Api, target: Target) -> Mapping:
    releases = [v for v in _LABELS if api.hip_in(v)]
    index = _LABELS.index(target.label)
    later = [v for v in releases if _LABELS.index(v) > index]
    if later:
        name = api.hip_in(later[0])
        note = f"ROCm has {name} as of {later[0]}, not in {target.label}."
        if macro := api.value(f"define_{target.label}"):
            note = f"ROCm {target.label} declares {name} only when {macro} is defined, {later[0]} always."
        return Mapping(api, "", "too_new", note)
    name = api.hip_in(releases[-1])
    return Mapping(api, "", "removed_hip", f"ROCm {releases[-1]} had {name}; ROCm {target.label} has it no more.")


def _without_name(api: Api) -> Mapping:
    if api.status == "dropped":
        return Mapping(
            api, "", "unsupported", f"{api.name} is not defined on HIP, and no number of HIP's compares to it."
        )
    if api.miopen:
        return Mapping(api, "", "miopen_only", f"ROCm's counterpart is MIOpen's {api.miopen} (option --miopen).")
    if api.roc:
        return Mapping(api, "", "roc_only", f"Only the ROCm name {api.roc} exists (option --roc).")
    if api.status == "unknown":
        return Mapping(api, "", "unknown", f"No HIP counterpart of {api.name} is known.")
    return Mapping(api, "", "unsupported", f"HIP has no counterpart of {api.name}.")


def _version(text: str) -> tuple[int, int]:
    major, _, rest = text.partition(".")
    return int(major), int(rest.partition(".")[0] or 0)
