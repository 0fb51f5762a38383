"""The CUDA release that one file is written for, where a call looks alike in two releases and means another thing.

What a person says comes first, then what the file itself uses: a name that other releases lack, a form of a call that
they do not have. What the project or the machine makes likely comes last, and only as far as the file agrees.
"""

from __future__ import annotations

from collections.abc import Iterator

from hipify.parser.owner import Owner
from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.target import Version, label, parse_cuda

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.context import Context

_FIRST: Version = (0, 0)
_END: Version = (99, 0)
# A file that asks for its release itself is written for several.
_ASKING = frozenset((b"CUDA_VERSION", b"CUDART_VERSION", b"__CUDACC_VER_MAJOR__", b"__CUDART_API_VERSION"))
_SINCE = lazy(r"(?:(\d+)\.(\d+)\.\.)?(\d+)\.(\d+)\Z")
_REMOVED = lazy(r"(\d+)\.(\d+)(?:\(h\))?\Z")
_LAST_MINOR = {11: 8, 12: 9}

_Before13, _From13 = (_FIRST, (13, 0)), ((13, 0), _END)
_EDGES = {5: _From13, 4: _Before13}
_NODES = {4: _From13, 3: _Before13}
_ADDED = {6: _From13, 5: _Before13}
_BATCHES = {8: _From13, 9: ((12, 8), (13, 0))}
# How many arguments a call has in which releases, where the number tells.
_FORMS: dict[bytes, dict[int, tuple[Version, Version]]] = {
    **dict.fromkeys((b"cudaGraphAddDependencies", b"cudaGraphRemoveDependencies", b"cudaGraphGetEdges"), _EDGES),
    **dict.fromkeys((b"cuGraphAddDependencies", b"cuGraphRemoveDependencies", b"cuGraphGetEdges"), _EDGES),
    **dict.fromkeys((b"cudaGraphNodeGetDependencies", b"cudaGraphNodeGetDependentNodes"), _NODES),
    **dict.fromkeys((b"cuGraphNodeGetDependencies", b"cuGraphNodeGetDependentNodes"), _NODES),
    **dict.fromkeys((b"cudaGraphAddNode", b"cuGraphAddNode"), _ADDED),
    b"cudaStreamUpdateCaptureDependencies": {5: _From13, 3: _Before13},
    b"cudaStreamGetCaptureInfo": dict.fromkeys((4, 5, 6, 7), _From13),
    b"cudaMemPrefetchAsync": {5: _From13, 3: _Before13},
    b"cuMemPrefetchAsync": {5: _From13, 4: _Before13},
    b"cuCtxCreate": {4: _From13, 3: _Before13},
    **dict.fromkeys((b"cudaMemcpyBatchAsync", b"cuMemcpyBatchAsync"), _BATCHES),
    b"cudaGraphExecUpdate": {3: ((12, 0), _END), 4: (_FIRST, (12, 0))},
    b"cudaGraphInstantiate": {5: (_FIRST, (12, 0))},
}


class Use(NamedTuple):
    """The releases that have something which a file uses: from `first`, before `end`; and what that is."""

    first: Version
    end: Version
    what: str


def release_of(context: Context) -> tuple[str, str]:
    """The release that a file is written for ('' when nothing tells), and what in the file says so, if it does."""
    if context.target.cuda:
        return context.target.cuda, ""
    assumed = context.options.cuda_assumed
    first, end, what = _own_use(context)
    if not what or (assumed and first <= parse_cuda(assumed) < end):
        return assumed, ""
    return label(first if first != _FIRST else _before(end)), what


def _own_use(context: Context) -> Use:
    """What the file uses, taken together; nothing where it contradicts itself or asks for the release."""
    nothing = Use(_FIRST, _END, "")
    if not _ASKING.isdisjoint(context.tokens.vocabulary):
        return nothing
    first, end, told = _FIRST, _END, {}
    for use in (*_names(context), *_forms(context)):
        if use.first > first:
            first, told["first"] = use.first, use.what
        if use.end < end:
            end, told["end"] = use.end, use.what
    return Use(first, end, ", ".join(dict.fromkeys(told.values()))) if first < end else nothing


def _names(context: Context) -> Iterator[Use]:
    for name in sorted(context.api_names):
        api = context.library.get(name)
        if api is None or not (api.cuda_since or api.cuda_removed) or api.library == "cudnn":
            continue
        since, gone = _SINCE.match(api.cuda_since), _REMOVED.match(api.cuda_removed)
        first = _FIRST
        if since is not None:
            first = _after(int(since[1]), int(since[2])) if since[1] else (int(since[3]), int(since[4]))
        end = (int(gone[1]), int(gone[2])) if gone else _END
        if (first >= (12, 0) or end < _END) and (line := _line_of(context, name)):
            yield Use(first, end, f"{api.name} in line {line}")


def _forms(context: Context) -> Iterator[Use]:
    for name in sorted(_FORMS.keys() & context.structure.index.keys()):
        for index in context.structure.index[name]:
            call = context.structure.call_at(index)
            form = _FORMS[name].get(len(call.args)) if call is not None else None
            if call is not None and form is not None and context.owner(index)[0] is not Owner.USER:
                line = context.source.position(context.tokens.start[index])[0]
                yield Use(*form, f"{name.decode()} with {len(call.args)} arguments in line {line}")


def _line_of(context: Context, name: bytes) -> int:
    """Where the API's name is used first; 0 when all are the user's own."""
    for index in context.structure.index[name]:
        if context.is_code(index) and context.owner(index)[0] is not Owner.USER:
            return int(context.source.position(context.tokens.start[index])[0])
    return 0


def _after(major: int, minor: int) -> Version:
    return (major + 1, 0) if _LAST_MINOR.get(major) == minor else (major, minor + 1)


def _before(end: Version) -> Version:
    major, minor = end
    return (major, minor - 1) if minor else (major - 1, _LAST_MINOR.get(major - 1, 0))
