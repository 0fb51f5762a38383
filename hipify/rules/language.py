"""The rule language: text to plain data. Nothing here knows how a rule is carried out, and nothing is executed.

Rules are dataclasses of strings, numbers and tuples, so that they go to JSON and back (`Rule.as_json`, `from_json`).
lark is imported only when text is parsed: the compiled form is what a translation normally reads.
"""

from __future__ import annotations

from hipify.errors import UsageError
from hipify.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Condition = tuple[Any, ...]
    """A condition as nested tuples: an operator, then its operands."""

Piece = tuple[str, str]
"""A piece of a template: ("text", C++), ("arg", "type" or "unquote", name or number), ("rest" or "targs", "")."""


OF_RUN = frozenset(("target", "cuda", "roc", "miopen", "experimental", "includes"))
"""The conditions that say nothing of a call: they hold or not for a whole file."""


class Template(NamedTuple):
    """What a call becomes. `slots` is None when the text is no call; `callee` then is all of it."""

    callee: tuple[Piece, ...]
    slots: tuple[tuple[Piece, ...], ...] | None
    block: bool = False


class Saying(NamedTuple):
    """A finding that a rule gives; an empty id stands for that of rule files."""

    severity: str
    id: str
    message: str
    why: str
    fix: str
    unless: Condition | None = None


class Rule(NamedTuple):
    """One rule. `parameters` is None when any arguments will do; a default is '' when the argument is required."""

    kind: str
    name: str
    parameters: tuple[str, ...] | None = None
    defaults: tuple[str, ...] = ()
    rest: bool = False
    condition: Condition | None = None
    template: Template | None = None
    actions: tuple[tuple[str, ...], ...] = ()
    includes: tuple[str, ...] = ()
    sayings: tuple[Saying, ...] = ()
    priority: int = 0
    leave: bool = False
    where: str = ""

    def accepts(self, count: int) -> bool:
        """Whether a call with that many arguments has the form that the rule asks for."""
        if self.parameters is None:
            return True
        required = sum(1 for d in self.defaults if not d)
        return required <= count and (self.rest or count <= len(self.parameters))

    @property
    def keeps_arguments(self) -> bool:
        """Whether the arguments stay what they are, so that the function's address means the same too."""
        if self.leave or self.actions or self.sayings or any(self.defaults):
            return False
        if self.template is None or self.template.slots is None:
            return self.template is None
        wanted = [(("arg", p),) for p in self.parameters or ()] + ([(("rest", ""),)] if self.rest else [])
        return list(self.template.slots) == wanted

    def as_json(self) -> list[Any]:
        """The rule as JSON data."""
        template = None if self.template is None else [self.template.callee, self.template.slots, self.template.block]
        sayings = [[s.severity, s.id, s.message, s.why, s.fix, s.unless] for s in self.sayings]
        return [
            *(self.kind, self.name, self.parameters, self.defaults, self.rest, self.condition, template),
            *(self.actions, self.includes, sayings, self.priority, self.leave, self.where),
        ]

    @classmethod
    def from_json(cls, data: list[Any]) -> Rule:
        """The rule that `as_json` wrote; ValueError or TypeError when the data is something else."""
        kind, name, parameters, defaults, rest, condition, template, *others = data
        actions, includes, sayings, priority, leave, where = others
        return cls(
            *(kind, name, _tuple(parameters), _tuple(defaults), rest, _tuple(condition)),
            None if template is None else Template(_tuple(template[0]), _tuple(template[1]), template[2]),
            *(
                _tuple(actions),
                _tuple(includes),
                tuple(Saying(s[0], s[1], s[2], s[3], s[4], _tuple(s[5])) for s in sayings),
                priority,
                leave,
                where,
            ),
        )


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list | tuple) else value


def parse(text: str, path: str = "<rules>") -> list[Rule]:
    """The rules of one file. Raises UsageError, `path:line:column: …`, for text that is no rule."""
    from hipify.rules.grammar import parse_text

    return parse_text(text, path)


def fail(path: str, line: int, column: int, message: str) -> UsageError:
    """The error for one place in a rule file."""
    return UsageError(f"{path}:{line}:{column}: {message}")
