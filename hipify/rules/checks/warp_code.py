"""Where a file has warp-level code: the operations, the masks they take and give, and the regions they stand in."""

from __future__ import annotations

from functools import cached_property

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.parser.structure import Argument, Call
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.arch import wavefronts
from hipify.rules.checks.warp_values import Values
from hipify.rules.constant_expressions import Value
from hipify.rules.context import Context
from hipify.rules.hip_branches import counts_in_64, hip_branches, inside


class Operation(NamedTuple):
    """A warp built-in of CUDA: where its mask stands (-1: it takes none), and what it is."""

    name: bytes
    kind: str  # shuffle, ballot, vote, match, reduce, sync
    mask: int = -1
    least: int = 1
    most: int = 4

    @property
    def gives_mask(self) -> bool:
        """Whether the result has a bit for each lane."""
        return self.kind in ("ballot", "match")

    @property
    def amount(self) -> int:
        """The argument of a shuffle that holds the lane or the distance."""
        return self.mask + 2

    @property
    def width(self) -> int:
        """The argument of a shuffle that holds the width."""
        return self.mask + 3


_SHUFFLES = (b"__shfl", b"__shfl_up", b"__shfl_down", b"__shfl_xor")
OPERATIONS = {
    op.name: op
    for op in (
        *(Operation(name, "shuffle", -1, 2, 3) for name in _SHUFFLES),
        *(Operation(name + b"_sync", "shuffle", 0, 3, 4) for name in _SHUFFLES),
        Operation(b"__ballot", "ballot", -1, 1, 1),
        Operation(b"__activemask", "ballot", -1, 0, 0),
        Operation(b"__ballot_sync", "ballot", 0, 2, 2),
        Operation(b"__any", "vote", -1, 1, 1),
        Operation(b"__all", "vote", -1, 1, 1),
        Operation(b"__any_sync", "vote", 0, 2, 2),
        Operation(b"__all_sync", "vote", 0, 2, 2),
        Operation(b"__uni_sync", "vote", 0, 2, 2),
        Operation(b"__match_any_sync", "match", 0, 2, 2),
        Operation(b"__match_all_sync", "match", 0, 3, 3),
        *(Operation(b"__reduce_%s_sync" % w, "reduce", 0, 2, 2) for w in b"add min max and or xor".split()),
        Operation(b"__syncwarp", "sync", 0, 0, 1),
    )
}
"""CUDA's warp built-ins by name."""

NOTHING_TO_DO = "Nothing needs to be done."
"""The advice where the translation keeps warps of 32 lanes."""

_GROUP_WORDS = (b"tiled_partition", b"thread_block_tile", b"coalesced_threads", b"coalesced_group")
_CUB_WARP = (b"WarpReduce", b"WarpScan", b"WarpExchange", b"WarpLoad", b"WarpStore", b"WarpMergeSort")
_ASM_WARP = lazy(rb"%lane|%warpid|shfl\.|vote\.|match\.|redux\.|bar\.warp|activemask|mma\.|ldmatrix")
_MODE = lazy(rb"/[/*]\s*hipify:\s*warp=(preserve|native|report)\b")
_WARP_NAME = lazy(rb"(?i)warp(?!_?size)|wavefront")

EVIDENCE = frozenset((*OPERATIONS, *_GROUP_WORDS, b"*warp*", b"*wavefront*", b"asm", b"__asm__", b"__asm"))
"""Without any of these words, or words with such a part, a file has no warp-level code."""


class Use:
    """One call of a warp built-in."""

    __slots__ = ("call", "index", "operation")

    def __init__(self, operation: Operation, index: int, call: Call) -> None:
        self.operation = operation
        self.index = index
        self.call = call

    def argument(self, at: int) -> Argument | None:
        """An argument that is there and not empty."""
        found = self.call.args[at] if 0 <= at < len(self.call.args) else None
        return None if found is None or found.empty else found

    @property
    def lane_mask(self) -> Argument | None:
        """The argument that is the lane mask."""
        return self.argument(self.operation.mask) if self.operation.mask >= 0 else None


_FRAGMENT_WORDS = (b"wmma", b"load_matrix_sync", b"store_matrix_sync", b"mma_sync", b"fill_fragment")


class WarpCode:
    """The warp-level code of one file; made once and shared by the pass and the checks."""

    def __init__(self, context: Context, values: Values) -> None:
        self.context = context
        self.values = values
        self.preserved: set[int] = set()
        """Name tokens that now call hipify_warp.h: 32 lanes on every architecture."""
        self.preserved_cub: set[int] = set()
        """Names of CUB's warp primitives that are given 32 lanes now."""
        self.widened: set[int] = set()
        """Name tokens of built-ins whose all-ones mask now has 64 bits."""

    @cached_property
    def uses(self) -> list[Use]:
        """Every call of a warp built-in that is CUDA's, in order."""
        context, structure = self.context, self.context.structure
        out = []
        for name, operation in OPERATIONS.items():
            own = context.declared_here(name) if name in structure.index else False
            for index in structure.index.get(name, ()):
                if own or not context.is_code(index) or context.owner(index)[0] is Owner.USER:
                    continue
                call = structure.call_at(index)
                if call is not None and operation.least <= len(call.args) <= operation.most:
                    out.append(Use(operation, index, call))
        return sorted(out, key=lambda use: use.index)

    @cached_property
    def mentions(self) -> list[int]:
        """Built-ins of CUDA's that are named without a readable call: passed on, pointed at, renamed by a macro."""
        context, structure = self.context, self.context.structure
        called, out = {use.index for use in self.uses}, []
        for name in OPERATIONS:
            for index in structure.index.get(name, ()) if not context.declared_here(name) else ():
                directive = structure.directive_at(index)
                macro = structure.macro_at(index) if directive is not None and directive.name == b"define" else None
                if index in called or (directive is not None and (macro is None or index == macro.name)):
                    continue
                beside = context.text(structure.prev_code(index - 1)), context.text(structure.next_code(index + 1))
                if b"##" not in beside and context.is_code(index) and context.owner(index)[0] is not Owner.USER:
                    out.append(index)
        return out

    @cached_property
    def regions(self) -> dict[tuple[int, int], bool]:
        """Bodies (first, stop) of the functions and macros that hold warp-level code, and whether lane counts matter.

        They do not where every operation names its width itself: tiles of cooperative groups, shuffles with a width.
        """
        out: dict[tuple[int, int], bool] = {}
        for index, open_ended in self._evidence:
            region = self.region(index)
            out[region] = out.get(region, False) or open_ended
        return out

    @cached_property
    def _evidence(self) -> list[tuple[int, bool]]:
        """Tokens that show warp-level code, and whether they leave the lane count open."""
        context, index_of = self.context, self.context.structure.index
        found = [(use.index, not self._has_width(use)) for use in self.uses]
        for word in (b"warpSize", *_GROUP_WORDS, *_CUB_WARP):
            open_ended = word not in (b"tiled_partition", b"thread_block_tile")
            found += [(i, open_ended) for i in index_of.get(word, ()) if self._in_device_code(i)]
        for statement in context.asm if b"asm" in index_of or b"__asm__" in index_of else ():
            if any(_ASM_WARP.search(context.tokens.text[i]) for i in statement.strings):
                found.append((statement.first, True))
        for word in index_of if self._mentions_warps else ():
            if _WARP_NAME.search(word) and is_ident(word) and word not in _GROUP_WORDS and word not in OPERATIONS:
                found += [(i, True) for i in index_of[word] if self._calls_device(i)]
        return sorted(found)

    @property
    def _mentions_warps(self) -> bool:
        """Whether a word may be a warp's, going by the letters in the file; one that a splice cuts in two is none."""
        data = self.context.source.data.lower()
        return not self.context.structure.as_spelled or b"warp" in data or b"wavefront" in data

    def _has_width(self, use: Use) -> bool:
        width = self.width(use)
        return width is not None and width <= 32

    def _in_device_code(self, index: int) -> bool:
        return self.context.is_code(index) and self.context.functions.in_device(index)

    def _calls_device(self, index: int) -> bool:
        """Whether token `index` is the name of a function called in device code (`warpReduceSum(v)`)."""
        structure = self.context.structure
        return self.context.text(structure.next_code(index + 1)) in (b"(", b"<") and self.context.functions.in_device(
            index
        )

    def __bool__(self) -> bool:
        return bool(self._evidence)

    def region(self, index: int) -> tuple[int, int]:
        """The tokens of the function or macro body around token `index`."""
        structure = self.context.structure
        macro = structure.macro_at(index)
        if macro is not None:
            return macro.first, macro.stop
        body = self.context.functions.device_function(index)
        if body is not None:
            return body
        best, opener = (index, index + 1), structure.enclosing(index)
        while opener is not None:  # a function whose attributes come from another header
            before = self.context.text(structure.prev_code(opener - 1))
            if self.context.text(opener) == b"{" and before in (b")", b"const", b"noexcept", b"override"):
                best = (opener, structure.partner.get(opener, opener))
            opener = structure.enclosing(opener)
        return best

    def uses_in(self, region: tuple[int, int]) -> list[Use]:
        """The built-in calls inside a region."""
        return [use for use in self.uses if region[0] <= use.index < region[1]]

    def width(self, use: Use) -> int | None:
        """The constant width that a shuffle is given; None when it has none or another."""
        argument = use.argument(use.operation.width) if use.operation.kind == "shuffle" else None
        return None if argument is None else self.values.number(argument.first, argument.stop)

    def mask_value(self, use: Use) -> Value | None:
        """The constant mask of a use."""
        argument = use.lane_mask
        return None if argument is None else self.values.constant(argument.first, argument.stop)

    def severity(self, plain: Severity, index: int) -> Severity:
        """How bad a 32-lane assumption at a token is: by the wavefronts it meets, and by whether 32 lanes are kept."""
        if self.keeps_lanes(index):
            return Severity.NOTE
        sizes = wavefronts(self.context.options.offload_arch)
        if sizes == {32}:
            return Severity.NOTE
        return Severity.ERROR if 64 in sizes else plain

    def keeps_lanes(self, index: int) -> bool:
        """Whether the translation keeps 32-lane warps where token `index` stands, so that counting in 32 is right."""
        return self.mode(index) == "preserve"

    def mode(self, index: int) -> str:
        """What is done with warp built-ins at a token: the option, or `// hipify: warp=native` at its function."""
        if self.context.options.language == "hip" or self.is_for_hip(index):
            return "report"
        if not self._chosen:
            return self._unless_fragments(index)
        macro = self.context.structure.macro_at(index)
        body = self.context.functions.device_function(index)
        chosen = self._chosen.get(body[0] if body and macro is None else -1)
        return chosen if chosen is not None else self._unless_fragments(index)

    def is_for_hip(self, index: int) -> bool:
        """Whether only builds for HIP compile a token, in a file whose code for HIP counts in wavefronts of 64."""
        return inside(self._for_hip, index)

    @cached_property
    def _for_hip(self) -> list[tuple[int, int]]:
        """Code that only builds for HIP compile, where its author counted in wavefronts of 64."""
        found = hip_branches(self.context)
        return found if counts_in_64(self.context, found) else []

    def _unless_fragments(self, index: int) -> str:
        """The option; but a fragment of rocWMMA takes a whole wavefront, which a kernel of them must count in."""
        warp = self.context.options.warp
        if warp == "preserve" and self._with_fragments:
            body = self.context.functions.device_function(index)
            if body is not None and body[0] in self._with_fragments:
                return "native"
        return warp

    @cached_property
    def _with_fragments(self) -> frozenset[int]:
        """The bodies of functions that use tensor core fragments."""
        index_of, functions = self.context.structure.index, self.context.functions
        bodies = [functions.device_function(i) for word in _FRAGMENT_WORDS for i in index_of.get(word, ())]
        return frozenset(body[0] for body in bodies if body is not None)

    @cached_property
    def _chosen(self) -> dict[int, str]:
        """The modes that comments ask for, by the body of the function they stand in, or in front of."""
        index_of, functions = self.context.structure.index, self.context.functions
        out: dict[int, str] = {}
        for word in index_of if b"hipify:" in self.context.source.data else ():
            match = _MODE.match(word) if word[:1] == b"/" else None
            for place in index_of[word] if match else ():
                around = functions.device_function(place)
                later = [f.body for f in functions.all if f.is_device and f.body > place]
                body = around[0] if around else min(later, default=None)
                if match and body is not None:
                    out[body] = match[1].decode()
        return out


def warp_code(context: Context) -> WarpCode:
    """The warp-level code of the file under a context, read once and kept with the context."""
    kept = vars(context).get("_warp_code")
    if not isinstance(kept, WarpCode):
        kept = WarpCode(context, Values(context))
        vars(context)["_warp_code"] = kept
    return kept
