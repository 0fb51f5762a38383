"""What every pass and check works with: one file's structure, the tables, clang's answers, and where results go."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from hipify.model import Confidence, Edit, Finding, Options, Reference, Severity
from hipify.parser.branches import Branches
from hipify.parser.functions import AsmStatement, Functions, find_asm
from hipify.parser.launches import Launch, find_launches
from hipify.parser.owner import Owner
from hipify.parser.scopes import declares
from hipify.parser.source import Source
from hipify.parser.structure import KEYWORDS, Argument, Structure
from hipify.patterns import lazy
from hipify.rules.kinds import FindingKind
from hipify.rules.library import Library
from hipify.rules.moves import Move, Span
from hipify.rules.own_names import OwnName, OwnNames
from hipify.rules.target import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.parser.semantics import Semantics
    from hipify.rules.included_names import IncludedNames

_BEHIND_RESULT = frozenset((b"{", b";", b"*", b"&", b"=", b"override", b"final", b","))
_IN_LIST = (b"(", b",")
_MACRO = lazy(rb"define[ \t]+\w+\(([^()\n]*\w[^()\n]*)\)((?:[^\n\\]|\\\r?\n|\\[^\n])*)")
_MEMBER = lazy(rb"(?:\.|->|::)[ \t]*(\w+)")
_AT_STATEMENT = frozenset((b";", b"{", b"}", b","))


class Analysis:
    """The outcome of the rules for one source."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self.findings: list[Finding] = []
        self.references: list[Reference] = []
        self.clang_used = False
        self.cuda = ""
        """The CUDA release that something was decided by, and what in the file says that it is this one."""
        self.helper_headers: dict[str, bytes] = {}


class Context:
    """One file under the rules. Passes add edits, findings and references; they never see each other's output."""

    def __init__(self, source: Source, options: Options) -> None:
        self.source = source
        self.options = options
        self.target = Target.from_options(options)
        self.library = Library.default()
        self.structure = Structure(source)
        self.tokens = self.structure.tokens
        self.analysis = Analysis()
        self.moves: list[Move] = []
        """Pieces of the input that go elsewhere, with the edits in them; see hipify.rules.moves."""
        self._declared: dict[bytes, bool] = {}
        self._stand_ins: frozenset[bytes] = frozenset()
        self.claimed: set[int] = set()
        """Tokens that a pass has dealt with: the passes behind it leave them alone."""
        self.embedded = False
        """Whether the source is a string's, which the program compiles when it runs: no header lies beside it."""
        self.needs_runtime = False
        """Whether the output uses something that hip/hip_runtime.h declares."""
        self.helpers_at_head: set[bytes] = set()
        """The helper headers that passes have included at the head of the output."""

    @cached_property
    def cuda(self) -> str:
        """The CUDA release that the file is written for; '' when nothing tells."""
        from hipify.rules.cuda_release import release_of

        release, use = release_of(self)
        if release and not self.target.cuda:
            self.analysis.cuda = f"{release}: {use}" if use else release
        return release

    @cached_property
    def api_names(self) -> frozenset[bytes]:
        """The file's words that are names of the tables."""
        return self.tokens.vocabulary & self.library.names

    @cached_property
    def semantics(self) -> Semantics | None:
        """clang's answers; None when clang is off or cannot be loaded. Asking for it parses the file."""
        if not self.options.clang:
            return None
        from hipify.parser.clang import analyse

        result = analyse(self.source, self.tokens, self.options)
        self.analysis.clang_used = result is not None
        return result

    @cached_property
    def branches(self) -> Branches:
        """The conditionals around each directive."""
        return Branches(self.structure)

    @cached_property
    def functions(self) -> Functions:
        """Kernels and device functions."""
        sided = not self.tokens.vocabulary.isdisjoint((b"__CUDA_ARCH__", b"__HIP_DEVICE_COMPILE__"))
        return Functions(self.structure, self.attribute_macros, self._for_host_alone if sided else None)

    def _for_host_alone(self, index: int) -> bool:
        from hipify.rules.conditionals import conditionals_of

        return conditionals_of(self).for_host_alone(self.tokens.start[index])

    @property
    def attribute_macros(self) -> dict[bytes, frozenset[bytes]]:
        """The macros of the project's headers that stand for attributes of functions."""
        return self.included_names.attributes if self.structure.includes else {}

    @cached_property
    def launches(self) -> list[Launch]:
        """Every `<<<>>>` launch."""
        return find_launches(self.structure)

    @cached_property
    def asm(self) -> list[AsmStatement]:
        """Every asm statement."""
        return find_asm(self.structure)

    @cached_property
    def own_macros(self) -> frozenset[bytes]:
        """Names that this file defines as macros itself, for ends of its own."""
        text = self.tokens.text
        return frozenset(text[m.name] for m in self.structure.macros if m.name not in self._bridges) - self._stand_ins

    @cached_property
    def _bridges(self) -> frozenset[int]:
        """The name tokens in definitions such as `#define cudaFree hipFree`: the name is still CUDA's."""
        text = self.tokens.text
        if not any(text[m.name] in self.library.names for m in self.structure.macros):
            return frozenset()
        from hipify.rules.bridges import bridges
        from hipify.rules.macro_reach import stand_ins

        self._stand_ins = stand_ins(self.structure, self.branches, self.library)
        return bridges(self)

    @cached_property
    def _no_code(self) -> frozenset[int]:
        includes = (i for inc in self.structure.includes for i in range(inc.directive.first, inc.directive.stop))
        return self._bridges.union(includes)

    def is_code(self, index: int) -> bool:
        """Whether token `index` may be changed: no part of an `#include` or `#error` line, and no name that stays."""
        if index in self._no_code:
            return False
        directive = self.structure.directive_at(index)
        return directive is None or directive.name not in (b"error", b"warning", b"line", b"ident")

    def text(self, index: int) -> bytes:
        """Token text; empty outside the file."""
        text = self.tokens.text
        return text[index] if 0 <= index < len(text) else b""

    def owner(self, index: int) -> tuple[Owner, Confidence]:
        """Whose name token `index` is: the CUDA API's, the user's own, or not known; and who says so."""
        lexical = self._lexical_owner(index)
        if lexical is not Owner.UNKNOWN:
            return lexical, Confidence.LEXICAL
        own = self.own_names.at(index)
        if own is not None and own.hands_on(index):
            return Owner.API, Confidence.LEXICAL
        if self.semantics is not None:
            answer = self.semantics.owner(self.tokens.start[index])
            # clang drops a declaration whose types it does not know: then what the tokens say of it stands.
            dropped = answer is Owner.API and self._is_dropped(own, index)
            if answer is Owner.USER and own is None and self._is_restated(index):
                return Owner.API, Confidence.LEXICAL
            if answer is not Owner.UNKNOWN and not dropped:
                return answer, Confidence.CLANG
        theirs = self.included_names
        is_own = own is not None or self.text(index) in theirs.macros or (theirs.functions and theirs.owns(index))
        return Owner.USER if is_own else Owner.UNKNOWN, Confidence.LEXICAL

    def _is_dropped(self, own: OwnName | None, index: int) -> bool:
        """Whether clang has no use for the declaration of the user's that token `index` seems to speak of."""
        if self.semantics is None:
            return False
        if own is None:
            return bool(self._misses_headers) and self.included_names.owns(index)
        return self.semantics.owner(self.tokens.start[own.token]) is not Owner.USER

    def _is_restated(self, index: int) -> bool:
        """Whether clang takes a name for the user's only because the user declares CUDA's own once more."""
        return self.own_names.restates(index) or self.text(index) in self.included_names.restated

    @cached_property
    def _misses_headers(self) -> bool:
        return self.semantics is not None and bool(self.semantics.missing_headers())

    @cached_property
    def included_names(self) -> IncludedNames:
        """What the project's headers declare."""
        from hipify.rules.included_names import IncludedNames

        return IncludedNames(self)

    @cached_property
    def own_names(self) -> OwnNames:
        """The file's own declarations of names that CUDA has too."""
        return OwnNames(self.structure, self.branches, self.library.names)

    def _lexical_owner(self, index: int) -> Owner:
        """What the neighbours of a token say: members, names of other scopes and the file's own macros are users'."""
        name = self.tokens.text[index]
        if name in self.own_macros and self._is_defined(index):
            # A macro's own name in its body is not expanded: `#define cudaFree(p) checked(cudaFree(p))`.
            macro = self.structure.macro_at(index)
            in_body = macro is not None and self.tokens.text[macro.name] == name and index != macro.name
            return Owner.API if in_body and name in self.library.names else Owner.USER
        before = self.structure.prev_code(index - 1)
        link = self.text(before)
        is_first = link in _AT_STATEMENT and self.text(index + 1) != b"("
        if link == b"goto" or (is_first and self.text(self.structure.next_code(index + 1)) == b":"):
            return Owner.USER  # a label, or `{name: value}`
        if link in (b".", b"->", b"->*"):
            return Owner.UNKNOWN if link == b"->" and self._is_returned(index, before) else Owner.USER
        if link == b"::":
            lead = self.structure.prev_code(before - 1)
            scope = self.text(lead)
            if (scope[:1].isalpha() or scope[:1] in (b"_", b">")) and not self._is_outermost(lead, before, index):
                known = scope in self.library.names or (scope, name) in self._reexports
                return Owner.UNKNOWN if known else Owner.USER
        if link in _IN_LIST and self._reads_members and self._is_handed(index):
            return Owner.USER
        return Owner.API if name in self._stand_ins else Owner.UNKNOWN

    def _is_defined(self, index: int) -> bool:
        from hipify.rules.macro_reach import is_defined

        return is_defined(self, index)

    @cached_property
    def has_member_macros(self) -> bool:
        """Whether macros of the file may put arguments behind a dot: `#define LOAD(f) api.f = …`."""
        found = _MACRO.finditer(self.source.data) if b"define" in self.tokens.vocabulary else ()
        return any(member[1] in macro[1] for macro in found for member in _MEMBER.finditer(macro[2]))

    @cached_property
    def _reads_members(self) -> bool:
        if not self.has_member_macros:
            return False
        from hipify.rules.member_names import members

        return bool(members(self))

    def _is_handed(self, index: int) -> bool:
        from hipify.rules.member_names import handed

        return handed(self, index) is not None

    def _is_outermost(self, lead: int, link: int, index: int) -> bool:
        """Whether `::` at `link` asks for the global name, as in `const ::cudaStream_t s`: `lead` is no scope of it."""
        return self.text(lead) in KEYWORDS or self.text(lead) == b"using" or (lead + 1 < link and link + 1 == index)

    @cached_property
    def _reexports(self) -> frozenset[tuple[bytes, bytes]]:
        if b"using" not in self.structure.index:
            return frozenset()
        from hipify.rules.reexports import reexports

        return reexports(self.structure)

    def _is_returned(self, index: int, arrow: int) -> bool:
        """Whether token `index` is a type behind the arrow of `auto f() -> type`."""
        api = self.library.get(self.tokens.text[index])
        lead = self.text(self.structure.prev_code(arrow - 1))
        if api is None or "type" not in api.kind or lead not in (b")", b"noexcept", b"const", b"mutable", b"override"):
            return False
        return self.text(self.structure.next_code(index + 1)) in _BEHIND_RESULT

    def declared_here(self, name: bytes) -> bool:
        """Whether the file seems to declare `name` itself: a type or another declarator's word stands before it."""
        found = self._declared.get(name)
        if found is None:
            places = self.structure.index.get(name, ())
            found = self._declared[name] = name in self.own_macros or any(self.declares(i) for i in places)
        return found

    def declares(self, index: int) -> bool:
        """Whether token `index` is the name in a declaration: a type or another declarator's word stands before it."""
        return declares(self.structure, index)

    def edit(self, start: int, end: int, text: bytes, confidence: Confidence = Confidence.LEXICAL) -> None:
        """Replace bytes [start, end)."""
        self.analysis.edits.append(Edit(start, end, text, confidence))

    def insert(self, offset: int, text: bytes, confidence: Confidence = Confidence.LEXICAL) -> None:
        """Insert bytes at `offset`; insertions at one place keep the order in which they were asked for."""
        self.analysis.edits.append(Edit(offset, offset, text, confidence))

    def replace(self, index: int, text: bytes, confidence: Confidence = Confidence.LEXICAL) -> None:
        """Replace token `index`; line splices inside it are kept behind the new text, so that lines stay."""
        old = self.source.data[self.tokens.start[index] : self.tokens.end(index)]
        if b"\\" in old:
            text += b"".join(b"\\" + line_end for line_end in _splices(old))
        self.edit(self.tokens.start[index], self.tokens.end(index), text, confidence)
        self.claimed.add(index)

    def move(self, start: int, end: int, parts: Iterable[bytes | Span] = ()) -> None:
        """Replace bytes [start, end), with every edit in them, by parts; by nothing when there are none."""
        self.moves.append(Move(start, end, tuple(parts), len(self.moves)))

    def delete_blank(self, first: int, stop: int) -> bool:
        """Delete tokens [first, stop) when they are white space alone; False (nothing done) when a comment is there."""
        if any(t[:1] in (b"/", b"#") for t in self.tokens.text[first:stop]):
            return False
        if first < stop:
            self.edit(self.tokens.start[first], self.tokens.start[stop], b"")
        return True

    def find(
        self,
        kind: FindingKind,
        first: int,
        stop: int | None = None,
        *,
        message: str = "",
        why: str = "",
        fix: str = "",
        severity: Severity | None = None,
        confidence: Confidence = Confidence.LEXICAL,
    ) -> None:
        """Report `kind` at tokens [first, stop) (default: one token)."""
        start = self.tokens.start[first]
        end = self.tokens.start[stop] if stop is not None else self.tokens.end(first)
        self.find_bytes(kind, start, end, message=message, why=why, fix=fix, severity=severity, confidence=confidence)

    def find_bytes(
        self,
        kind: FindingKind,
        start: int,
        end: int,
        *,
        message: str = "",
        why: str = "",
        fix: str = "",
        severity: Severity | None = None,
        confidence: Confidence = Confidence.LEXICAL,
    ) -> None:
        """Report `kind` at bytes [start, end)."""
        line, column = self.source.position(start)
        end_line, end_column = self.source.position(end)
        self.analysis.findings.append(
            Finding(
                kind.id,
                kind.severity if severity is None else severity,
                self.source.path,
                line,
                column,
                end_line,
                end_column,
                message or kind.title,
                why or kind.why,
                fix or kind.fix,
                confidence,
                start,
                end,
            )
        )

    def refer(self, index: int, kind: str, library: str, converted: bool, name: bytes = b"") -> None:
        """Count a use of a CUDA name."""
        line, _ = self.source.position(self.tokens.start[index])
        shown = (name or self.tokens.text[index]).decode("utf-8", "replace")
        self.analysis.references.append(Reference(shown, kind, library, line, converted))

    def argument_bytes(self, argument: Argument) -> bytes:
        """The source bytes of an argument."""
        return self.structure.bytes_of(argument)

    def argument_range(self, argument: Argument) -> tuple[int, int]:
        """The byte range of an argument that is not empty."""
        return self.tokens.start[argument.first], self.tokens.start[argument.stop]


def _splices(token: bytes) -> list[bytes]:
    parts = token.split(b"\\")[1:]
    return [b"\r\n" if p.startswith(b"\r\n") else b"\n" for p in parts if p.startswith((b"\n", b"\r\n"))]
