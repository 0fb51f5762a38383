"""What HIP's compiler makes of `#if`s that ask for CUDA: macros it leaves undefined, the branch it takes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property

from hipify.model import Finding, Severity
from hipify.parser.brackets import Directive
from hipify.parser.conditions import (
    DEFINED,
    UNDEFINED,
    UNKNOWN,
    Branch,
    Chain,
    Environment,
    MacroValue,
    condition_value,
    evaluate,
    find_chains,
)
from hipify.parser.tokens import is_ident
from hipify.records import NamedTuple
from hipify.rules.context import Context
from hipify.rules.guard_macros import EXISTENCE, GUARD_PARTS, HIP_WORD, KNOWN_GUARDS, GuardKind, guard_kind
from hipify.rules.library import map_name

_NEVER = frozenset(
    b"__HIPCC_RTC__ __HIP_PLATFORM_NVIDIA__ __HIP_PLATFORM_NVCC__ __PTX__ __NVPTX__ "
    b"NV_NPPIDEFS_H NV_NPP_H NV_NPPI_H NV_NPPS_H".split()  # NPP's headers, which HIP has none of
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.guard_holders import Holder


class Guard(NamedTuple):
    """A branch whose condition asks for CUDA: `first` is the token of the first guard macro, `macros` all of them."""

    chain: Chain
    position: int
    first: int
    macros: tuple[bytes, ...]
    kind: GuardKind
    holder: bytes = b""
    """The macro of the project in the condition that holds the first of them."""

    @property
    def branch(self) -> Branch:
        """The branch that the condition opens."""
        return self.chain.branches[self.position]


def conditionals_of(context: Context) -> Conditionals:
    """The conditionals of the file under the rules, read once and kept with the context."""
    found = vars(context).get("_conditionals")
    if not isinstance(found, Conditionals):
        found = vars(context)["_conditionals"] = Conditionals(context)
    return found


def relax(context: Context) -> None:
    """Turn what is wrong in code that HIP's compiler leaves out into notes: it cannot break anything there."""
    if not context.structure.directives or all(f.severity is Severity.NOTE for f in context.analysis.findings):
        return
    conditionals = conditionals_of(context)
    context.analysis.findings = [
        f._replace(severity=Severity.NOTE, message=f"{f.message} (in code that HIP's compiler leaves out)")
        if f.severity is not Severity.NOTE and conditionals.leaves_out(f.start)
        else f
        for f in context.analysis.findings
    ]
    if any(f.severity is Severity.ERROR for f in context.analysis.findings):
        context.analysis.findings = [_optional(conditionals, f) for f in context.analysis.findings]


def _optional(conditionals: Conditionals, finding: Finding) -> Finding:
    """An error is a warning in code that only a macro brings in that neither the build nor any header defines."""
    macro = conditionals.switch(finding.start) if finding.severity is Severity.ERROR else ""
    if not macro:
        return finding
    message = f"{finding.message} (compiled only when {macro} is defined)"
    return finding._replace(severity=Severity.WARNING, message=message)


def joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges sorted, those inside others left away."""
    out: list[tuple[int, int]] = []
    for first, stop in sorted(ranges):
        if not out or stop > out[-1][1]:
            out.append((first, stop))
    return out


class Conditionals:
    """The conditionals of one file as HIP's compiler sees them."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.structure = context.structure
        vocabulary, data = context.tokens.vocabulary, context.source.data
        names = list(KNOWN_GUARDS & vocabulary)
        # Words are many, and texts are looked for quickly.
        if not self.structure.as_spelled or any(part in data for part in GUARD_PARTS):
            names = [n for n in vocabulary if guard_kind(n) is not None]
        self.guard_names = {n for n in names if not self._has_hip_name(n)}
        self.widened: set[int] = set()
        """The first tokens of the directives that the output widens: HIP's macros are known to them."""
        self.excepted: dict[int, bool] = {}
        """Directives whose condition the output decides for HIP, and how."""
        self._knows_hip: dict[int, bool] = {}
        self._excluded: dict[tuple[int, int], bool] = {}
        self._ranges: dict[str, tuple[tuple[int, int], list[tuple[int, int]]]] = {}
        self.never_defined: set[bytes] = set()
        """The file's own macros whose every definition HIP's compiler leaves out."""

    def is_guard(self, name: bytes) -> bool:
        """Whether a name is one of CUDA's guard macros, in this file or a header."""
        return name in self.guard_names or (guard_kind(name) is not None and not self._has_hip_name(name))

    def _has_hip_name(self, name: bytes) -> bool:
        api = self.context.library.get(name)
        return api is not None and bool(map_name(api, self.context.target).name)

    @cached_property
    def holders(self) -> dict[bytes, Holder]:
        """The macros that hold a guard macro in each of their definitions."""
        from hipify.rules.guard_holders import find_holders

        theirs = self.context.included_names.holders if self.structure.includes else []
        return find_holders(self.context, theirs, self.is_guard) if theirs or self.guard_names else {}

    @cached_property
    def chains(self) -> list[Chain]:
        """Every conditional."""
        return find_chains(self.structure)

    @cached_property
    def guards(self) -> list[Guard]:
        """Every branch that asks for CUDA, in order."""
        return [g for c in self.chains for p in range(len(c.branches)) if (g := self._guard(c, p)) is not None]

    def words(self, directive: Directive) -> list[int]:
        """The identifier tokens of a condition."""
        tokens = self.structure.tokens
        return [i for i in tokens.significant(directive.body, directive.stop) if is_ident(tokens.text[i])]

    def _guard(self, chain: Chain, position: int) -> Guard | None:
        directive = chain.branches[position].directive
        if directive.name == b"else":
            return None
        text = self.structure.tokens.text
        words = self.words(directive)
        found = [i for i in words if text[i] in self.guard_names]
        macros = tuple(dict.fromkeys(text[i] for i in found))
        holder = b""
        if not found and directive.name in (b"if", b"elif"):
            found = [i for i in words if text[i] in self.holders and not self._is_asked(i)]
            holder = text[found[0]] if found else b""
            macros = self.holders[holder].held if found else ()
        if not found:
            return None
        kinds = [kind for m in macros if (kind := guard_kind(m)) is not None]
        compared = [k for k in kinds if k is not GuardKind.COMPILER]
        return Guard(chain, position, found[0], macros, (compared or kinds)[0], holder)

    def _is_asked(self, index: int) -> bool:
        """Whether a condition asks only for a macro's being defined, or the output has made it know HIP."""
        tokens = self.structure.tokens
        before = tokens.prev(index - 1)
        before = tokens.prev(before - 1) if tokens.text[before] == b"(" else before
        is_widened = self.holders[tokens.text[index]].only_asks and self.context.options.guards == "widen"
        return is_widened or tokens.text[before] == b"defined"

    def mentions_hip(self, directive: Directive) -> bool:
        """Whether a condition already asks for HIP or AMD."""
        text = self.structure.tokens.text
        return any(HIP_WORD.search(text[i]) for i in self.words(directive))

    def knows_hip(self, chain: Chain) -> bool:
        """Whether a chain's author thought of HIP: in a condition, or by including a HIP header in a branch."""
        place = chain.branches[0].directive.first
        known = self._knows_hip.get(place)
        if known is None:
            known = any(self.mentions_hip(b.directive) for b in chain.branches)
            known = known or any(b.first <= i < b.stop for b in chain.branches for i in self._hip_includes)
            self._knows_hip[place] = known
        return known

    @cached_property
    def _hip_includes(self) -> list[int]:
        return [i.directive.first for i in self.structure.includes if i.name.startswith(b"hip/")]

    def excluded(self, chain: Chain) -> bool:
        """Whether an outer conditional that names HIP keeps HIP's compiler away from this one."""
        parent, way = chain.parent, []
        while parent is not None and parent not in self._excluded:
            way.append(parent)
            parent = self.chains[parent[0]].parent
        found = parent is not None and self._excluded[parent]
        for place in reversed(way):
            outer = self.chains[place[0]]
            found = found or (self.knows_hip(outer) and self._not_entered(outer, place[1]))
            self._excluded[place] = found
        return found

    def _not_entered(self, chain: Chain, position: int) -> bool:
        """Whether both of HIP's passes, as the source stands, leave this branch out."""
        return all(
            condition_value(self.structure, chain.branches[position].directive, env) is False
            or any(condition_value(self.structure, b.directive, env) for b in chain.branches[:position])
            for env in (self.environment(False), self.environment(True))
        )

    def environment(self, device: bool, widened: bool = False) -> Environment:
        """What the macros are in HIP's host or device pass; `widened`: existence tests know HIP's macros too."""
        own = self.context.own_macros

        def look_up(name: bytes) -> MacroValue:
            if widened and name in EXISTENCE:
                hip = EXISTENCE[name]
                return look_up(hip)
            if name == b"__HIP_DEVICE_COMPILE__":
                return DEFINED if device else UNDEFINED
            if name in (b"__HIPCC__", b"__HIP__", b"__HIP_PLATFORM_AMD__", b"__HIP_PLATFORM_HCC__", b"__clang__"):
                return DEFINED
            if name in _NEVER:
                return UNDEFINED
            if name == b"__cplusplus":
                return MacroValue(True, 201703)
            if name in self.holders and (words := self.holders[name].words) is not None:
                asks = self.holders[name].only_asks and self.context.options.guards == "widen"
                return MacroValue(True, evaluate(list(words), self.environment(device, asks)))
            if name in self.never_defined or (name not in own and self.is_guard(name)):
                return UNDEFINED
            return UNKNOWN

        return look_up

    def taken(self, chain: Chain, device: bool) -> int | None:
        """Position of the branch that a pass of HIP's compiler takes in the output; -1: none, None: not known."""
        for position, branch in enumerate(chain.branches):
            environment = self.environment(device, branch.directive.first in self.widened)
            decided = self.excepted.get(branch.directive.first)
            value = decided if decided is not None else condition_value(self.structure, branch.directive, environment)
            if value is None:
                return None
            if value:
                return position
        return -1

    @property
    def left_out(self) -> list[tuple[int, int]]:
        """Byte ranges, sorted and apart, of the branches that no pass of HIP's compiler enters."""
        return self._kept("left out", self._find_left_out)

    def _kept(self, name: str, find: Callable[[], list[tuple[int, int]]]) -> list[tuple[int, int]]:
        """Ranges, found anew when guards have been widened since."""
        state = len(self.widened), len(self.excepted)
        if name not in self._ranges or self._ranges[name][0] != state:
            self._ranges[name] = state, find()
        return self._ranges[name][1]

    def _find_left_out(self) -> list[tuple[int, int]]:
        self.never_defined = set()
        ranges = self._skipped()
        inside = {m.name: self._in(ranges, self.structure.tokens.start[m.name]) for m in self.structure.macros}
        text = self.structure.tokens.text
        self.never_defined = {text[i] for i in inside} - {text[i] for i, skipped in inside.items() if not skipped}
        return self._skipped() if self.never_defined else ranges

    def _skipped(self) -> list[tuple[int, int]]:
        start, out = self.structure.tokens.start, []
        for chain in self.chains:
            host = self.taken(chain, False)
            device = self.taken(chain, True) if host is not None else None
            if device is not None:
                skipped = (b for p, b in enumerate(chain.branches) if p not in (host, device))
                out += [(start[b.first], start[b.stop]) for b in skipped]
        return joined(out)

    def _alone(self, device: bool) -> list[tuple[int, int]]:
        """Byte ranges of the branches that HIP's device pass enters and its host pass does not, or the reverse."""
        start, out = self.structure.tokens.start, []
        for chain in self.chains:
            taken, other = self.taken(chain, device), self.taken(chain, not device)
            if taken is not None and taken >= 0 and other is not None and taken != other:
                out.append((start[chain.branches[taken].first], start[chain.branches[taken].stop]))
        return joined(out)

    def for_host_alone(self, offset: int) -> bool:
        """Whether HIP's device pass never sees the code at a byte offset, and its host pass does."""
        return self._in(self._kept("host", lambda: self._alone(False)), offset)

    def for_device_alone(self, offset: int) -> bool:
        """Whether HIP's host pass never sees the code at a byte offset, and its device pass does."""
        return self._in(self._kept("device", lambda: self._alone(True)), offset)

    def _in(self, ranges: list[tuple[int, int]], offset: int) -> bool:
        at = bisect_right(ranges, (offset, len(self.context.source.data) + 1)) - 1
        return at >= 0 and offset < ranges[at][1]

    def leaves_out(self, offset: int) -> bool:
        """Whether HIP's compiler never sees the code at a byte offset."""
        return self._in(self.left_out, offset)

    @cached_property
    def _switched(self) -> list[tuple[int, int, str]]:
        """Byte ranges of branches that clang, all headers found, left out for want of a macro of the user's."""
        semantics = vars(self.context).get("semantics")
        if semantics is None or not (skipped := semantics.skipped_ranges()) or semantics.missing_headers():
            return []
        start, text, out = self.structure.tokens.start, self.structure.tokens.text, []
        for chain in self.chains:
            words: list[int] = []
            for branch in chain.branches:
                words += self.words(branch.directive)
                names = [text[i] for i in words if text[i] != b"defined"]
                inside = any(a <= start[branch.directive.first] and start[branch.stop] <= b for a, b in skipped)
                if inside and names and all(self._is_users(n) for n in names):
                    out.append((start[branch.first], start[branch.stop], names[-1].decode("utf-8", "replace")))
        return out

    def _is_users(self, name: bytes) -> bool:
        """Whether a macro is neither the compiler's nor CUDA's nor HIP's."""
        return not name.startswith(b"__") and guard_kind(name) is None and not HIP_WORD.search(name)

    def switch(self, offset: int) -> str:
        """The macro without which the code at a byte is not compiled; '' where it is, or may be."""
        return next((macro for first, stop, macro in self._switched if first <= offset < stop), "")

    def blank(self, branch: Branch) -> bool:
        """Whether a branch holds nothing but white space and comments."""
        return self.structure.tokens.next(branch.first, branch.stop) >= branch.stop

    @cached_property
    def _lines(self) -> list[int]:
        """The lines that anything but white space and comments begins on."""
        tokens, position = self.structure.tokens, self.context.source.position
        return list(dict.fromkeys(position(tokens.start[i])[0] for i in tokens.significant(0, len(tokens))))

    def lines(self, branch: Branch) -> int:
        """How many lines a branch has that are not empty."""
        tokens, position = self.structure.tokens, self.context.source.position
        first, last = tokens.next(branch.first, branch.stop), tokens.prev(branch.stop - 1)
        if last < first:
            return 0
        ends = position(tokens.start[first])[0], position(tokens.start[last])[0]
        return bisect_right(self._lines, ends[1]) - bisect_left(self._lines, ends[0])

    def holds_code(self, branch: Branch) -> bool:
        """Whether anything but directives stands in a branch."""
        return next(self._code(branch), None) is not None

    def _code(self, branch: Branch) -> Iterator[int]:
        at = branch.first
        while (at := self.structure.next_code(at)) < branch.stop:
            yield at
            at += 1

    def error_directive(self, branch: Branch) -> bool:
        """Whether a branch stops the compiler with `#error`, whatever its inner conditions are."""
        depth = 0
        for d in self.structure.directives_between(branch.directive.first, branch.stop - 1):
            if d.name in (b"if", b"ifdef", b"ifndef"):
                depth += 1
            elif d.name == b"endif":
                depth -= 1
            elif d.name == b"error" and depth == 0:
                return True
        return False

    def redefines(self, branch: Branch) -> list[bytes]:
        """The device functions of HIP that a branch defines itself (`double atomicAdd(…)`), if it defines no others."""
        text = self.structure.tokens.text
        inside = [f for f in self.context.functions.all if f.name >= 0 and branch.first <= f.first < branch.stop]
        names = [text[f.name] for f in inside if f.is_device]
        return names if names and all(self._is_hip_function(n) for n in names) else []

    def _is_hip_function(self, name: bytes) -> bool:
        api = self.context.library.get(name)
        return api is not None and api.library == "device" and api.name == map_name(api, self.context.target).name
