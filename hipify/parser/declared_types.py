"""The C++ shape of CUDA's types, read off their names: enums with their constants, handles, structs with fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hipify.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.library import Library

# Enums whose constants are not spelled like the enum.
_CONSTANT_PREFIXES = {
    "cudaError": r"cudaError[A-Z]|cudaSuccess",
    "cudaError_enum": r"CUDA_SUCCESS|CUDA_ERROR_",
    "cudaMemcpyKind": r"cudaMemcpy(?:Host|Device|Default)",
    "cudaSharedMemConfig": r"cudaSharedMemBankSize",
    "cudaDeviceAttr": r"cudaDevAttr",
    "cudaTextureAddressMode": r"cudaAddressMode",
    "cudaTextureFilterMode": r"cudaFilterMode",
    "cudaSurfaceBoundaryMode": r"cudaBoundaryMode",
    "cudaSurfaceFormatMode": r"cudaFormatMode",
    "cudaResourceViewFormat": r"cudaResViewFormat",
    "cudaMemoryAdvise": r"cudaMemAdvise",
    "cudaDeviceP2PAttr": r"cudaDevP2PAttr",
    "cudaGraphicsMapFlags": r"cudaGraphicsMapFlags",
    "cublasComputeType_t": r"CUBLAS_COMPUTE_",
    "cudaDataType_t": r"CUDA_[RC]_\d",
    "cublasGemmAlgo_t": r"CUBLAS_GEMM_",
    "cublasOperation_t": r"CUBLAS_OP_",
    "cublasSideMode_t": r"CUBLAS_SIDE_",
    "cublasMath_t": r"CUBLAS_.*MATH",
    "cusparseOperation_t": r"CUSPARSE_OPERATION_",
    "cufftResult_t": (
        r"CUFFT_(?:SUCCESS|INVALID|ALLOC|INTERNAL|EXEC|SETUP|UNALIGNED|INCOMPLETE|PARSE|NO_|NOT_|LICENSE|MISSING)"
    ),
    "cufftType_t": r"CUFFT_[CRDZ]2[CRDZ]",
    "curandRngType": r"CURAND_RNG_",
    "nvrtcResult": r"NVRTC_",
    "ncclResult_t": r"nccl(?:Success|Unhandled|System|Internal|Invalid|Remote|InProgress|NumResults)",
    "ncclDataType_t": r"nccl(?:Int|Uint|Float|Half|Double|Bfloat|Char|NumTypes)",
    "ncclRedOp_t": r"nccl(?:Sum|Prod|Max|Min|Avg|NumOps)",
    "nvJitLinkResult": r"NVJITLINK_(?:SUCCESS|ERROR)",
    "cudnnStatus_t": r"CUDNN_STATUS_",
}
_ALIASES = {"cudaDataType": "cudaDataType_t", "cublasDataType_t": "cudaDataType_t", "cublasStatus": "cublasStatus_t"}
_HANDLE = lazy(
    r"\w*(?:Handle|Layout|Descr|Desc|Descriptor|Info|Plan|Comm|Context|Generator|Distribution|Window|Preference|Shift|M2K|M2V)_t"
    r"|nvrtcProgram|cudnn\w*Struct \*|nvtx\w*_t|\w*Program"
)
_FUNCTION_POINTER = lazy(r"\w*(?:Callback|Allocator|Callback_t|CallbackLoad[CDRZ]|CallbackStore[CDRZ]|_func|Fn)")
_WORDS = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|\d+")
_PLACEHOLDER = (
    "struct {0} {{ long long hipify_value; {0}() = default;"
    " template <class T> constexpr {0}(T) : hipify_value(0) {{}} constexpr operator long long() const; }};"
)
_KNOWN_TYPES = lazy(
    r"void|char|short|int|long|float|double|unsigned|signed|size_t|bool|u?int(?:8|16|32|64)_t|const|volatile"
)


class TypeNames:
    """All type names without a hand-written declaration, and the constants that belong to each."""

    def __init__(self, names: list[str], constants: list[str]) -> None:
        self.names = dict.fromkeys(name for name in names if name not in ("cub", "texture", "surface"))
        self.constants: dict[str, list[str]] = {}
        self.loose_constants: list[str] = []
        self.declared: set[str] = set()
        by_prefix = {self._prefix(name): name for name in self.names if not _HANDLE.fullmatch(name)}
        special = [(re.compile(pattern), name) for name, pattern in _CONSTANT_PREFIXES.items()]
        for constant in constants:
            owner = next((name for pattern, name in special if pattern.match(constant)), "")
            owner = owner or self._by_prefix(constant, by_prefix)
            if owner:
                self.constants.setdefault(owner, []).append(constant)
            else:
                self.loose_constants.append(constant)

    @staticmethod
    def _prefix(name: str) -> str:
        """The name as the constants of an enum would begin with it: upper case, no underscores, no ending."""
        return re.sub(r"(?:Attributes_t|_t|_enum|_st|_flags|Flags|Mode|Type|Kind)$", "", name).replace("_", "").upper()

    @staticmethod
    def _by_prefix(constant: str, by_prefix: dict[str, str]) -> str:
        flat = constant.replace("_", "").upper()
        for length in range(len(flat) - 1, 5, -1):
            if flat[:length] in by_prefix:
                return by_prefix[flat[:length]]
        return ""

    def enums(self) -> Iterator[str]:
        """The enums that have constants, and typedefs of the same name with another ending."""
        for name, constants in self.constants.items():
            base = " : int" if name in ("cudaError", "cudaError_enum") else ""
            yield f"enum {name}{base} {{ {', '.join(constants)} }};"
            self.declared.add(name)
        for alias, name in _ALIASES.items():
            if name in self.declared:
                yield from self.alias(alias, name)
        for name in self.names:
            for other in (name + "_t", name + "_enum", name.removesuffix("_t"), name.removesuffix("_enum")):
                if other in self.declared:
                    yield from self.alias(name, other)
                    break

    def alias(self, name: str, target: str) -> Iterator[str]:
        """A typedef, unless the name is declared already."""
        if name not in self.declared:
            self.declared.add(name)
            yield f"typedef {target} {name};"

    @property
    def open(self) -> list[str]:
        """The names that nothing has declared so far."""
        return [name for name in self.names if name not in self.declared]


def handles(types: TypeNames) -> Iterator[str]:
    """Opaque pointers, function pointers, and incomplete structs."""
    for name in types.open:
        if _FUNCTION_POINTER.fullmatch(name):
            yield f"typedef void (*{name})(...);"
        elif _HANDLE.fullmatch(name) and not name.endswith("Params_t"):
            stem = name.removesuffix("_t")
            tag = stem if stem != name and stem in types.open else f"{name}_hipify"
            types.declared.add(tag)
            yield f"struct {tag}; typedef struct {tag} *{name};"
        else:
            continue
        types.declared.add(name)


def structs(types: TypeNames, library: Library, known: Callable[[str], bool]) -> Iterator[str]:
    """Structs with the fields of the tables, members before holders, and placeholders for what is left."""
    fields: dict[str, list[tuple[str, str]]] = {}
    for key in library.fields_in_order():
        for field in library.field(key):
            fields.setdefault(field.struct, []).append((field.field, field.cuda_type))
    todo = [name for name in fields if name.isidentifier() and not known(name) and name not in types.declared]
    pending = set(todo)
    for name in types.open:
        if name not in fields and not _has_twin(name, fields):
            yield _PLACEHOLDER.format(name)
            types.declared.add(name)
    yield from (f"struct {name};" for name in todo)

    def emit(name: str) -> Iterator[str]:
        pending.discard(name)
        lines = []
        for field, text in fields[name]:
            for word in re.findall(r"\w+", text.split("*")[0]):
                if word in pending:
                    yield from emit(word)
            lines.append(_member(field, text, types, lambda w: known(w) or w in todo))
        types.declared.add(name)
        yield f"struct {name} {{ {' '.join(lines)} }};"

    for name in todo:
        if name in pending:
            yield from emit(name)
    for name in types.open:
        twin = _has_twin(name, fields)
        if twin and twin in types.declared:
            yield from types.alias(name, twin)
        else:
            yield _PLACEHOLDER.format(name)
            types.declared.add(name)


def _has_twin(name: str, fields: dict[str, list[tuple[str, str]]]) -> str:
    """The struct that a name without fields of its own most likely stands for."""
    stem = re.sub(r"_v\d$|_t$", "", name)
    return next(
        (twin for twin in (f"{name}_st", stem, f"{stem}_st", f"{stem}_v1") if twin in fields and twin != name), ""
    )


def _member(field: str, text: str, types: TypeNames, known: Callable[[str], bool]) -> str:
    base, bracket, size = re.sub(r"\b(?:enum|struct|union) ", "", text).partition("[")
    words = re.findall(r"[A-Za-z_]\w*", base)
    seen = [_KNOWN_TYPES.fullmatch(w) or w in types.declared or known(w) for w in words]
    if not words or not all(seen) or "(" in text or not field.isidentifier():
        base = "void *" if "*" in text or "(" in text else "int"
    return f"{base} {field}{bracket}{size};"
