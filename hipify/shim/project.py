"""What all files of a project need together: which name is a macro, a type or a wrapper, and what is left to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from hipify.model import Options
from hipify.rules.library import Library, map_name
from hipify.rules.target import Target
from hipify.shim.records import FileUsage, Obstacle, Place
from hipify.shim.wrappers import Wrapper, wrappers

# What nvcc includes by itself, and the header of each library's names where no file includes one.
_DEFAULT_HEADERS = {
    "driver": "cuda.h",
    "cublas": "cublas_v2.h",
    "cublaslt": "cublasLt.h",
    "cufft": "cufft.h",
    "curand": "curand.h",
    "cusparse": "cusparse.h",
    "cusolver": "cusolverDn.h",
    "nccl": "nccl.h",
    "nvrtc": "nvrtc.h",
    "nvtx": "nvtx3/nvToolsExt.h",
    "complex": "cuComplex.h",
    "fp16": "cuda_fp16.h",
    "bf16": "cuda_bf16.h",
    "fp8": "cuda_fp8.h",
    "cub": "cub/cub.cuh",
    "nvcuda::wmma": "mma.h",
}
# Where a header is another than the table's, the engine's features decide.
_ELSEWHERE = {"mma.h": "rocwmma/rocwmma.hpp", "cooperative_groups/reduce.h": "hipify_cooperative_groups.h"}
_ELSEWHERE |= {"cooperative_groups/scan.h": "hipify_cooperative_groups.h"}
_UNITS = (".cu", ".c", ".cc", ".cpp", ".cxx", ".C", ".c++")
RUNTIME = "cuda_runtime.h"
_TYPES = ("type", "device_type")


@dataclass
class Shim:
    """What the header holds."""

    target: str
    macros: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    wrappers: list[Wrapper] = field(default_factory=list)
    namespaces: dict[str, str] = field(default_factory=dict)
    cuda_headers: dict[str, bool] = field(default_factory=dict)
    """The CUDA headers that NVIDIA builds include, and whether only where they are found."""
    hip_headers: dict[str, bool] = field(default_factory=dict)
    helpers: list[str] = field(default_factory=list)
    standard: list[str] = field(default_factory=list)

    @property
    def names(self) -> set[str]:
        """Every name that the header gives."""
        return {*self.macros, *self.types, *self.namespaces, *(w.name for w in self.wrappers)}


@dataclass
class Project:
    """The header of a project, and what it cannot do."""

    shim: Shim
    obstacles: list[Obstacle]
    used: dict[str, Place]
    """Every name that the header gives, with the first place that uses it."""
    files: int
    others: int


def assemble(files: list[FileUsage], options: Options, header: str, kept: dict[str, bool]) -> Project:
    """Put the files' needs together. `header` is the shim's file name, `kept` the CUDA headers that it has already."""
    files = sorted(files, key=lambda file: file.path)
    shim = Shim(Target.from_options(options).label)
    obstacles = [obstacle for file in files for obstacle in file.obstacles]
    _headers(shim, files, kept)
    _namespaces(shim, files)
    used = _names(shim, files, obstacles, options)
    obstacles += _own(shim, files, used)
    obstacles += _includes(files, header)
    obstacles = [replace(o, lacks="") if o.lacks in used else o for o in obstacles]
    return Project(shim, sorted(set(obstacles)), used, len(files), sum(file.others for file in files))


def _headers(shim: Shim, files: list[FileUsage], kept: dict[str, bool]) -> None:
    library = Library.default()
    found: dict[str, bool] = dict(kept)
    hip: dict[str, str] = {}
    for file in files:
        for item in file.headers:
            found[item.name] = found.get(item.name, True) and item.conditional
        hip |= file.hip_headers
        for name in file.required:
            if name.startswith("hipify_") and name not in shim.helpers:
                shim.helpers.append(name)
    for default in _defaults(library, files):
        if not _covered(library, default, found):
            found[default] = False
    found[RUNTIME] = False
    shim.cuda_headers = dict(sorted(found.items(), key=lambda pair: (pair[0] != RUNTIME, pair[0])))
    shim.helpers.sort()
    required = {name for file in files for name in file.required if not name.startswith("hipify_")}
    shim.standard = sorted(name for name in required if "/" not in name)
    shim.hip_headers = dict.fromkeys((name for name in required if "/" in name), False)
    for name, conditional in shim.cuda_headers.items():
        api_header = library.header(name.encode())
        there = hip.get(name) or (api_header.hip_in(shim.target) if api_header is not None else "")
        there = _ELSEWHERE.get(name, there)
        if there.startswith("hipify_"):
            shim.helpers = sorted({*shim.helpers, there})
        elif there:
            shim.hip_headers[there] = shim.hip_headers.get(there, True) and conditional


def _defaults(library: Library, files: list[FileUsage]) -> list[str]:
    """The headers of the libraries and namespaces that the files use."""
    used = {name for file in files for name in file.libraries}
    for rename in (rename for file in files for rename in file.renames):
        api = library.get(rename.name.encode())
        used |= {api.library} if api is not None else set()
    used |= {name for file in files for name in file.namespaces}
    return sorted(_DEFAULT_HEADERS[name] for name in used if name in _DEFAULT_HEADERS)


def _covered(library: Library, default: str, found: Iterable[str]) -> bool:
    """Whether a header of the same library is there already."""
    wanted = library.header(default.encode())
    if wanted is None:
        return True
    known = (library.header(name.encode()) for name in found)
    return any(header is not None and (header.library, header.hip) == (wanted.library, wanted.hip) for header in known)


def _namespaces(shim: Shim, files: list[FileUsage]) -> None:
    for file in files:
        shim.namespaces |= file.namespaces
    shim.namespaces = dict(sorted(shim.namespaces.items()))


def _names(shim: Shim, files: list[FileUsage], obstacles: list[Obstacle], options: Options) -> dict[str, Place]:
    """Choose the form of each name; gives the first place of each."""
    given: dict[str, Counter[str]] = {}
    used: dict[str, Place] = {}
    for rename in (rename for file in files for rename in file.renames):
        given.setdefault(rename.name, Counter())[rename.new] += 1
        used[rename.name] = min(used.get(rename.name, rename.place), rename.place)
    calls = [pair for file in files for pair in file.calls]
    for name, obstacle in calls:
        used[name] = min(used.get(name, obstacle.place), obstacle.place)
    differing = {name for name, _ in calls}
    wrapped = {name for name in used if name in wrappers() and (name in differing or len(given.get(name, ())) > 1)}
    wrapped |= {name for file in files for name, _ in file.addresses if name in wrappers()}
    shim.wrappers = [wrappers()[name] for name in sorted(wrapped)]
    obstacles += [obstacle for name, obstacle in calls if name not in wrapped]
    obstacles += [obstacle for file in files for name, obstacle in file.addresses if name not in wrapped]
    elaborated = {name for file in files for name in file.elaborated}
    for name in sorted(given.keys() - wrapped):
        new = _chosen(name, given[name], options)
        if _only_differing(name, files, differing):
            del used[name]
        elif _is_type(name, new, elaborated, shim):
            shim.types[name] = new
        else:
            shim.macros[name] = new
            obstacles += _otherwise(name, new, files)
    obstacles += _alike(shim, used)
    return {name: place for name, place in used.items() if name in shim.names}


def _alike(shim: Shim, used: dict[str, Place]) -> list[Obstacle]:
    """Constants that CUDA tells apart and HIP does not."""
    first: dict[str, str] = {}
    found = []
    for name, new in sorted(shim.macros.items()):
        api = Library.default().get(name.encode())
        if api is None or api.kind != "enum_constant":
            continue
        if (other := first.setdefault(new, name)) != name:
            message = f"{other} and {name} are both {new} on HIP: a switch cannot have both"
            found.append(Obstacle(used[name], "value", message, _only(name)))
    return found


def _only(name: str) -> str:
    return f"#if !defined(__HIP_PLATFORM_AMD__)\n...  // what is done with {name}\n#endif"


def _only_differing(name: str, files: list[FileUsage], differing: set[str]) -> bool:
    """Whether every use of a name is a call with other arguments: then no macro is better than one that misleads."""
    if name not in differing:
        return False
    renamed = sum(rename.name == name for file in files for rename in file.renames)
    return renamed <= sum(called == name for file in files for called, _ in file.calls)


def _chosen(name: str, found: Counter[str], options: Options) -> str:
    api = Library.default().get(name.encode())
    mapped = map_name(api, Target.from_options(options)).name if api is not None else ""
    return mapped if mapped in found else min(found, key=lambda new: (-found[new], new))


def _otherwise(name: str, new: str, files: list[FileUsage]) -> list[Obstacle]:
    """The places where a name becomes another than the macro's."""
    return [
        Obstacle(rename.place, "value", f"{name} becomes {rename.new} here, and {new} elsewhere")
        for file in files
        for rename in file.renames
        if rename.name == name and rename.new != new
    ]


def _is_type(name: str, new: str, elaborated: set[str], shim: Shim) -> bool:
    """Whether a typedef serves: no `struct NAME`, no template, and declared whenever the header is included."""
    api = Library.default().get(name.encode())
    if api is None or api.kind not in _TYPES or name in elaborated or "::" in new or api.has("template"):
        return False
    default = _DEFAULT_HEADERS.get(api.library, RUNTIME)
    return not shim.cuda_headers.get(default, False) and not name.startswith("__")


def _own(shim: Shim, files: list[FileUsage], used: dict[str, Place]) -> list[Obstacle]:
    """The project's own things that a macro renames too, or that take the macro's place."""
    found = []
    for file in files:
        for name, place in sorted(file.own_macros.items()):
            if name in shim.macros:
                message = f"the file defines {name} as a macro of its own, which takes the place of the header's"
                found.append(Obstacle(place, "own macro", message, _only_nvidia(name)))
        for name, places in sorted(file.own.items()):
            if name in shim.macros and name not in file.own_macros:
                found += [Obstacle(place, "own name", _renamed_too(name, shim), _pushed(name)) for place in places[:1]]
    return found


def _renamed_too(name: str, shim: Shim) -> str:
    return (
        f"{name} is a name of the project's own here; the macro makes it {shim.macros[name]}, which is well as long as "
        "every file that uses it includes the header"
    )


def _pushed(name: str) -> str:
    return "\n".join(
        (f'#pragma push_macro("{name}")', f"#undef {name}", "...  // the project's own", f'#pragma pop_macro("{name}")')
    )


def _only_nvidia(name: str) -> str:
    return f"#undef {name}\n...  // the project's own, with HIP's names in it under #if defined(__HIP_PLATFORM_AMD__)"


def _includes(files: list[FileUsage], header: str) -> list[Obstacle]:
    """The includes of CUDA headers that the shim's takes the place of, and those that nvcc does without."""
    found = []
    bring = _bringing(files, header)
    for file in files:
        has = header in file.quoted
        for item in file.headers:
            advice = f"the header brings <{item.name}>: remove it" if has else f'write #include "{header}" instead'
            found.append(Obstacle(item.place, "include", f"<{item.name}>: {advice}"))
            has = True
        if file.uses and file.path.endswith(_UNITS) and not _bases(file.path) & bring:
            found.append(Obstacle(Place(file.path, 1, 1), "include", f'add #include "{header}"'))
    return found


def _bringing(files: list[FileUsage], header: str) -> set[str]:
    """The names of the files that include the shim's header, or CUDA's where it will be, themselves or by others."""
    bring = {header}
    todo = True
    while todo:
        more = {name for f in files if f.headers or f.quoted & bring for name in _bases(f.path)} - bring
        bring |= more
        todo = bool(more)
    return bring


def _bases(path: str) -> set[str]:
    return {path.replace("\\", "/").rpartition("/")[2]}
