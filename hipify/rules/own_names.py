"""Names of CUDA's that a file declares for ends of its own: where each declaration stands, and how far it reaches.

Read from tokens, as code in every branch is. Only names that somebody asks about are looked at.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Set as AbstractSet

from hipify.parser.branches import Branches
from hipify.parser.scopes import ACCESS, STARTS, TAGS, Scopes, definition_end, statement_end
from hipify.parser.structure import KEYWORDS, Structure
from hipify.parser.tokens import is_ident
from hipify.records import NamedTuple

_AFTER = (b"(", b";", b"=", b",", b")", b"[", b"{", b"}", b":")
_BLANKS = b" \t\n\r"
# No declared name follows these; nor, with arguments, those.
_NEVER = frozenset(b"( = ; return == != < <= >= ! [ ? : + - / % | || && << :: . -> case ~".split())
_ENDS = frozenset(b"{ } ,".split())
_MARKS = (b"*", b"&", b"&&")
# Words of a declaration that are no type themselves.
_QUALIFIERS = frozenset(
    b"const volatile static inline extern constexpr consteval constinit virtual friend explicit mutable register "
    b"thread_local __restrict__ __restrict restrict __host__ __device__ __global__ __shared__ __constant__ __managed__ "
    b"__forceinline__ __noinline__ __inline__ __inline typedef".split()
)
_WITH_LIST = (b"__launch_bounds__", b"__attribute__", b"__declspec", b"alignas", b"__align__", b"explicit")
_NO_TYPES = KEYWORDS | frozenset(
    b"typename namespace using public private protected template struct class union enum co_yield xor bitand bitor "
    b"compl defined define ifdef ifndef undef elif endif include error pragma concept requires this goto break "
    b"continue __asm__ try and_eq or_eq".split()
)
_STATEMENTS = (b"if", b"for", b"while", b"switch", b"catch")
_CONDITIONS = (b"if", b"while", b"switch", b"constexpr")

MANY = 1 << 30
"""More arguments than any call has."""


class OwnName(NamedTuple):
    """One declaration: its name's token, the tokens [first, stop] where it holds, and what calls of it look like."""

    token: int
    first: int
    stop: int
    is_global: bool = False
    least: int = 0
    most: int = MANY
    is_function: bool = False
    in_namespace: bool = False
    body: tuple[int, int] = (-1, -1)
    """The body of a global function that gives back CUDA's own type."""

    def hands_on(self, index: int) -> bool:
        """Whether token `index` stands in that body: most likely it calls CUDA's function, not itself."""
        return self.body[0] < index < self.body[1]


class OwnNames:
    """The file's own declarations of names that CUDA has too."""

    def __init__(self, structure: Structure, branches: Branches, api_names: AbstractSet[bytes]) -> None:
        self._structure = structure
        self._scopes = Scopes(structure)
        self._branches = branches
        self._api_names = api_names
        self._found: dict[bytes, list[OwnName]] = {}
        self._nested: dict[bytes, tuple[list[int], list[int]]] = {}
        self._restated: set[bytes] = set()

    def at(self, index: int) -> OwnName | None:
        """The declaration that token `index` most likely speaks of (or is); None when no one of the file reaches it."""
        name = self._structure.tokens.text[index]
        found = self.declared(name)
        return self._innermost(name, found, index) if found else None

    def _innermost(self, name: bytes, found: list[OwnName], index: int) -> OwnName | None:
        """The last declaration whose reach holds token `index` and that it can speak of."""
        nested = self._nested.get(name)
        if nested is None:
            found.sort(key=lambda own: (own.first, -own.stop))
            outer: list[int] = []
            stack: list[int] = []
            for number, own in enumerate(found):
                while stack and found[stack[-1]].stop < own.first:
                    stack.pop()
                outer.append(stack[-1] if stack else -1)
                stack.append(number)
            nested = self._nested[name] = [own.first for own in found], outer
        at = bisect_right(nested[0], index) - 1
        while at >= 0:
            if self._means(found[at], index):
                return found[at]
            at = nested[1][at]
        return None

    def declared(self, name: bytes) -> list[OwnName]:
        """Every declaration of a name."""
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self._of(name)
        return found

    def restates(self, index: int) -> bool:
        """Whether the file says again what CUDA's headers say of a name: a prototype, a `typedef`, `struct name;`."""
        return self.says_again(self._structure.tokens.text[index])

    def says_again(self, name: bytes) -> bool:
        """The same for a name."""
        return not self.declared(name) and name in self._restated

    def _restate(self, index: int) -> list[OwnName]:
        self._restated.add(self._structure.tokens.text[index])
        return []

    def _means(self, own: OwnName, index: int) -> bool:
        if not own.first <= index <= own.stop:
            return False
        if index == own.token:
            return True
        if not own.is_global and self._text(self._structure.prev_code(index - 1)) == b"::":
            return False  # `::name` asks for the outermost one
        if own.is_global and not own.hands_on(index) and own.is_function:
            call = self._structure.call_at(index)
            return call is None or own.least <= len(call.args) <= own.most
        return True

    def _of(self, name: bytes) -> list[OwnName]:
        found = []
        text, size = self._structure.tokens.text, len(self._structure.tokens)
        for index in self._structure.index.get(name, ()):
            # Most are calls and types in use, told by a neighbour: this loop runs for every name, and calls nothing.
            behind = index + 1
            while behind < size and text[behind][0] in _BLANKS:
                behind += 1
            if behind < size and text[behind] not in _AFTER and text[behind][0] not in b"#/\\":
                continue
            before = index - 1
            while before >= 0 and text[before][0] in _BLANKS:
                before -= 1
            if before < 0 or text[before] in _NEVER or (text[before] in _ENDS and text[behind : behind + 1] == [b"("]):
                continue
            found += self._read(index)
        return found

    # -- one declaration

    def _read(self, index: int) -> list[OwnName]:
        """What token `index` declares: nothing, or a name with all the places where it holds."""
        structure = self._structure
        after = self._text(structure.next_code(index + 1))
        if after not in _AFTER:
            return []
        before = structure.prev_code(index - 1)
        lead = before
        while self._text(lead) in _MARKS:
            lead = structure.prev_code(lead - 1)
        if lead != before and self._text(lead) == b",":
            later = self._next_declarator(index, lead) if after in (b"=", b";", b",", b"[") else []
            if later:
                return later
        if self._text(before) in (b"{", b","):
            listed = self._enumerator(index, before, after) if after in (b"=", b",", b"}") else []
            return listed or (self._next_declarator(index, before) if after in (b"=", b";", b",", b"[") else [])
        if self._text(before) in TAGS:
            if after == b";" and self._text(structure.prev_code(before - 1)) in STARTS:
                return self._restate(index)
            return self._in_scope(index, before) if after in (b"{", b":") else []
        if self._text(before) in (b"using", b"}") and after in (b"=", b";"):
            is_global = self._scopes.scope(index)[0] == "global"
            return self._restate(index) if is_global else self._in_scope(index, before) if after == b"=" else []
        if self._text(before) == b"namespace":
            return self._in_scope(index, before) if after == b"{" else []
        if after == b")" and lead != before and (pointer := self._function_pointer(index, lead)):
            return pointer
        head, starred = self._head(before)
        if head < 0:
            return []
        first = self._first(head)
        opening = self._text(structure.prev_code(first - 1))
        if starred and not self._opens(opening, structure.prev_code(first - 1), index):
            return []
        if self._is_macro_word(head) and not starred and after in (b";", b"("):
            return []
        if after == b"(":
            return self._function(index, head, first)
        return self._variable(index, first, opening) if after != b"}" else []

    def _function_pointer(self, index: int, opener: int) -> list[OwnName]:
        """The name in `type (*name)(…)`, and `type (CUDAAPI *name)(…)`."""
        structure = self._structure
        if is_ident(self._text(opener) or b"0"):
            opener = structure.prev_code(opener - 1)
        behind = structure.next_code(structure.next_code(index + 1) + 1)
        head = (
            self._head(structure.prev_code(opener - 1))[0] if self._text(opener) == self._text(behind) == b"(" else -1
        )
        first = self._first(head) if head >= 0 else -1
        return self._variable(index, first, self._text(structure.prev_code(first - 1))) if head >= 0 else []

    def _head(self, at: int) -> tuple[int, bool]:
        """The last token of the type in front of a name (-1 for none), and whether `*` or `&` stands between."""
        structure, starred = self._structure, False
        for _ in range(16):
            word = self._text(at)
            if word in _MARKS:
                starred = True
            elif word == b")":
                opener = structure.partner.get(at, -1)
                lead = structure.prev_code(opener - 1) if opener >= 0 else -1
                if self._text(lead) in (b"decltype", b"typeof", b"__typeof__"):
                    return at, starred
                if self._text(lead) not in _WITH_LIST:
                    return -1, False
                at = lead
            elif word == b">":
                less = structure.angle_start(at)
                name = structure.prev_code(less - 1) if less is not None else -1
                return (at, starred) if self._is_type_word(name) else (-1, False)
            elif word not in _QUALIFIERS:
                return (at, starred) if self._is_type_word(at) else (-1, False)
            at = structure.prev_code(at - 1)
        return -1, False

    def _is_type_word(self, at: int) -> bool:
        word = self._text(at)
        return bool(word) and is_ident(word) and word not in _NO_TYPES and word != b"operator"

    def _first(self, head: int) -> int:
        """The first token of the type whose last token is `head`: scopes, qualifiers and other words in front of it."""
        structure, at = self._structure, head
        for _ in range(64):
            word = self._text(at)
            if word in (b">", b")"):
                opener = structure.angle_start(at) if word == b">" else structure.partner.get(at)
                at = structure.prev_code(opener - 1) if opener is not None and opener > 0 else at
            before = structure.prev_code(at - 1)
            link = self._text(before)
            if link == b"::":
                lead = structure.prev_code(before - 1)
                at = lead if self._text(lead) == b">" or is_ident(self._text(lead) or b"0") else before
                if at == before:
                    return at
            elif link and is_ident(link) and (link in _QUALIFIERS or link in TAGS or link not in _NO_TYPES):
                at = before
            else:
                return at
        return at

    def _opens(self, opening: bytes, at: int, index: int) -> bool:
        """Whether a declaration begins behind this token: `n * x` is one after `;`, and not after `=`."""
        structure = self._structure
        after = self._text(structure.next_code(index + 1))
        if opening == b";" and self._text(structure.enclosing(index)) == b"(":
            return after == b":"  # the later parts of a `for`
        if opening in STARTS or structure.directives_between(at, index):
            return True
        if opening == b":":
            return self._text(structure.prev_code(at - 1)) in ACCESS
        if opening in (b"(", b","):
            opener = at if opening == b"(" else structure.enclosing(index)
            if opener is None or self._text(opener) != b"(":
                return False
            if self._text(structure.prev_code(opener - 1)) in _CONDITIONS and after not in (b"=", b"{"):
                return False  # `if (flags & name) {`
            return self._reach(opener) is not None
        less = structure.angle_start(at) if opening == b">" else None
        return less is not None and self._text(structure.prev_code(less - 1)) == b"template"

    def _is_macro_word(self, head: int) -> bool:
        """Whether the word in front may be a macro that does something, `CHECK cudaFree(p);`."""
        word = self._text(head)
        return word == word.upper() and word != word.lower()

    def _variable(self, index: int, first: int, opening: bytes) -> list[OwnName]:
        if opening == b"<" or (opening == b"," and self._structure.enclosing(index) is None):
            return [OwnName(index, index, definition_end(self._structure, index))]  # a template's parameter
        if self._text(first) == b"typedef" and self._scopes.scope(index)[0] == "global":
            return self._restate(index)
        return self._in_scope(index, first)

    def _function(self, index: int, head: int, first: int) -> list[OwnName]:
        structure = self._structure
        opener = structure.next_code(index + 1)
        close = structure.partner.get(opener)
        if close is None or self._text(structure.next_code(close + 1)) in (b"(", b"["):
            return []  # `T (*f)(…)`: the name is the type of what is declared
        if self._text(structure.next_code(opener + 1)) in _MARKS:
            return []
        behind = self._scopes.behind(close)
        kind, scope = self._scopes.scope(first)
        is_body = self._text(behind) in (b"{", b"try")
        if kind == "block":
            same_line = b"\n" not in b"".join(structure.tokens.text[head:index])
            return self._in_scope(index, first) if not is_body and same_line else []
        if kind in ("list", "enum") or (not is_body and self._text(behind) not in (b";", b"=")):
            return []
        text = structure.tokens.text
        owned = not self._api_names.isdisjoint((text[head], *text[opener:close]))
        least, most = self._arity(opener, close)
        if kind == "global":
            if (owned and not is_body) or self._branches.around(index):
                # CUDA's own function declared again, or stood in for: it goes where its uses go
                return self._restate(index)
            body = (behind, structure.partner.get(behind, behind)) if owned and is_body else (-1, -1)
            return [OwnName(index, 0, len(structure.tokens), True, least, most, True, body=body)]
        found = self._reaching(index, kind, scope)
        return [own._replace(least=least, most=most, is_function=True) for own in found]

    def _arity(self, opener: int, close: int) -> tuple[int, int]:
        """The numbers of arguments that a parameter list takes."""
        args = self._structure.split(opener + 1, close)
        words = [frozenset(self._structure.tokens.text[a.first : a.stop]) for a in args]
        if any(b"..." in w or b"auto" in w for w in words):
            return 0, MANY
        if len(args) == 1 and words[0] == {b"void"}:
            return 0, 0
        return sum(b"=" not in w for w in words), len(args)

    def _enumerator(self, index: int, before: int, after: bytes) -> list[OwnName]:
        opener = before if self._text(before) == b"{" else self._structure.enclosing(index)
        if opener is None or self._text(opener) != b"{" or self._scopes.kind(opener) != "enum":
            return []
        close = self._structure.partner.get(opener, index)
        lead = self._scopes.statement(opener)
        words = self._structure.tokens.text[lead:opener]
        if b"class" in words or b"struct" in words:
            return [OwnName(index, opener, close)]
        around = self._in_scope(index, lead)
        return [OwnName(index, opener, close), *around] if around else []

    def _next_declarator(self, index: int, comma: int) -> list[OwnName]:
        """The second name of `T a, name;`."""
        structure = self._structure
        if self._text(comma) != b",":
            return []
        at = structure.prev_code(comma - 1)
        for _ in range(48):
            word = self._text(at)
            if word in (b")", b"]", b"}"):
                at = structure.partner.get(at, 0)
            elif word == b">":
                at = structure.angle_start(at) or 0
            elif word in STARTS or word == b":":
                first = structure.next_code(at + 1)
                second = structure.next_code(first + 1)
                is_type = self._is_type_word(first) or self._text(first) in _QUALIFIERS
                follows = self._text(second)
                typed = is_ident(follows or b"0") or follows in (b"*", b"&", b"<", b"::")
                return self._in_scope(index, first) if is_type and typed and first != index else []
            elif word in (b"(", b"[", b"<", b"return", b"<<<"):
                return []
            at = structure.prev_code(at - 1)
        return []

    # -- how far it reaches

    def _in_scope(self, index: int, first: int) -> list[OwnName]:
        kind, scope = self._scopes.scope(first)
        return self._reaching(index, kind, scope)

    def _reaching(self, index: int, kind: str, scope: int) -> list[OwnName]:
        structure = self._structure
        if kind == "global":
            if self._branches.around(index):
                return self._restate(index)
            return [OwnName(index, index, len(structure.tokens), True)]
        close = structure.partner.get(scope, index)
        if kind == "list":
            stop = self._reach(scope) if self._text(scope) == b"(" else close
            return [OwnName(index, index, close if stop is None else stop)]
        if kind == "class":
            return [OwnName(index, a, b) for a, b in self._scopes.members(scope)]
        in_namespace = kind == "namespace"
        return [OwnName(index, scope if in_namespace else index, close, in_namespace=in_namespace)]

    def _reach(self, opener: int) -> int | None:
        """The last token where names declared in these parentheses hold; None when nothing is declared in them."""
        structure = self._structure
        close = structure.partner.get(opener)
        lead = structure.prev_code(opener - 1)
        if close is None:
            return None
        word = self._text(lead)
        if word in _STATEMENTS or (word == b"constexpr" and self._text(structure.prev_code(lead - 1)) == b"if"):
            return statement_end(structure, structure.next_code(close + 1))
        behind = self._scopes.behind(close)
        if self._text(behind) == b":" and is_ident(word or b"0"):
            return definition_end(structure, behind)  # a constructor and its initialisers
        if self._text(behind) == b"{" and (word == b"]" or word == b">" or is_ident(word or b"0") or word == b")"):
            return structure.partner.get(behind, close)
        if self._text(behind) in (b";", b"=") and is_ident(word or b"0") and word not in KEYWORDS:
            return close if self._head(structure.prev_code(lead - 1))[0] >= 0 else None
        return None

    def _text(self, index: int | None) -> bytes:
        text = self._structure.tokens.text
        return text[index] if index is not None and 0 <= index < len(text) else b""
