"""Types that a roc library has for itself, where code keeps HIP's: arguments of its functions are cast (--roc only).

hip, rocBLAS and rocSPARSE have each a complex type, of one layout; the same values go to all of them, so that no
renaming of types can be right. The same holds for rocSPARSE's numbers of data types, which are those of rocBLAS.
"""

from __future__ import annotations

import functools
from pathlib import Path

from hipify.rules.context import Context
from hipify.rules.library import Api, map_name
from hipify.rules.surgery import Site, Slot, without_needless_wrap, write_arguments

COMPLEX_HEADER = "hip/hip_complex.h"
_LT = b"cublasLt.h"
_TABLE = Path(__file__).with_name("roc_types.tsv")


@functools.cache
def _table() -> dict[bytes, str]:
    rows = (line.split(b"\t") for line in _TABLE.read_bytes().splitlines())
    return {name: types.decode() for name, types in rows}


def own_types(function: bytes) -> dict[int, str]:
    """The parameters of a roc function that have a type of its library, and the type."""
    pairs = (item.partition(":") for item in _table().get(function, "").split(",") if item)
    return {int(place): own for place, _, own in pairs}


def with_casts(site: Site, function: bytes, slots: list[Slot]) -> list[Slot]:
    """The arguments of a call of a roc function (b"": that of the tables), cast to the types of its library's own."""
    own = own_types(function or _counterpart(site))
    if "rocsparse_datatype" in own.values() and "cublas" not in _libraries(site.context):
        own = {place: kind for place, kind in own.items() if not kind.startswith("rocsparse_datatype")}
    return [_cast(slot, own[place]) if place in own else slot for place, slot in enumerate(slots)]


def rewrite(site: Site) -> None:
    """Cast the arguments of a call that no rule rewrites."""
    slots = with_casts(site, b"", [[at] for at in range(len(site.args))])
    write_arguments(site, [without_needless_wrap(site, slot) for slot in slots])


def data_type(context: Context, api: Api, name: str) -> str:
    """What one of CUDA's data types is called in a file: by the library it uses, rocBLAS, else rocSPARSE, else HIP."""
    used = _libraries(context)
    if "cublas" in used:
        return name
    if "cusparse" in used:
        return name.replace("rocblas_datatype", "rocsparse_datatype").rstrip("_")
    return api.hip_in(context.target.label) or name


def tell_mixed(context: Context) -> None:
    """Report a file whose data types go to rocBLAS and to hipBLASLt, which number them in other ways."""
    from hipify.rules.passes.names import OTHER_LIBRARY

    include = next((i for i in context.structure.includes if i.name == _LT), None)
    if include is not None and "cublas" in _libraries(context):
        message = "cublasLt.h: hipBLASLt takes hipDataType, and with --roc the data types of this file are rocBLAS's"
        context.find_bytes(OTHER_LIBRARY, include.start, include.end, message=message)


def _libraries(context: Context) -> set[str]:
    names = {include.name for include in context.structure.includes} - {_LT}
    headers = map(context.library.header, names)
    return {header.library for header in headers if header is not None}


def _counterpart(site: Site) -> bytes:
    api = site.context.library.get(site.context.text(site.call.name))
    return map_name(api, site.context.target).name.encode() if api is not None else b""


def _cast(slot: Slot, to: str) -> Slot:
    new = b"".join(piece for piece in slot if isinstance(piece, bytes))
    if b"_cast<" in new or (new and len(slot) == 1):  # a rule's own text, which is right already
        return slot
    if to.endswith("complex"):  # by value: nothing converts it
        return [f"{to}{{(".encode(), *slot, b").x, (", *slot, b").y}"]
    return [f"{'reinterpret' if to.endswith('*') else 'static'}_cast<{to}>(".encode(), *slot, b")"]
