"""What HIP does at a guard that it knows nothing of, and how bad that is."""

from __future__ import annotations

import itertools

from hipify.model import Severity
from hipify.parser.conditions import Branch, Chain
from hipify.records import NamedTuple
from hipify.rules.conditionals import Conditionals, Guard
from hipify.rules.context import Context


class Outcome(NamedTuple):
    """Which branch HIP takes in its host and device pass: a position, -1 for none, None where that is not known."""

    host: int | None
    device: int | None

    @property
    def known(self) -> bool:
        """Whether both passes take the same branch, as far as one can tell."""
        return self.host is not None and self.host == self.device


def outcome_of(conditionals: Conditionals, chain: Chain) -> Outcome:
    """What HIP takes of a conditional."""
    taken = [conditionals.taken(chain, device) for device in (False, True)]
    return Outcome(taken[0], taken[1])


def verdict(
    context: Context, conditionals: Conditionals, guard: Guard, taken: int | None, told_at: Guard
) -> tuple[Severity, str]:
    """How bad a guard is, and what HIP does there."""
    if taken is None:
        return Severity.WARNING, "which branch it takes depends on other macros"
    branch = guard.chain.branches[taken] if taken >= 0 else None
    where = _where(context, told_at, taken)
    if branch is not None and conditionals.error_directive(branch):
        return Severity.ERROR, f"it takes {where}, which is #error"
    if branch is not None and (own := conditionals.redefines(branch)):
        return Severity.ERROR, f"it takes {where}, which defines {listed(tuple(own))} again: HIP has it"
    if branch is not None and not conditionals.blank(branch):
        return Severity.WARNING, f"it takes {where}, which holds {_content(conditionals, branch)}"
    if taken == guard.position or not conditionals.holds_code(guard.branch):
        if conditionals.blank(guard.branch):
            return Severity.NOTE, f"it takes {where}, and leaves out no code"
        return Severity.WARNING, f"it takes {where}, and leaves out directives, but no other code"
    if own := conditionals.redefines(guard.branch):
        return Severity.NOTE, f"it takes {where}, and uses its own {listed(tuple(own))}"
    left = _content(conditionals, guard.branch)
    if _asks_for_older(conditionals, guard):
        return Severity.NOTE, f"it takes {where}, and leaves out {left} for older versions"
    return Severity.ERROR, f"it takes {where}, and leaves out {left}"


def _asks_for_older(conditionals: Conditionals, guard: Guard) -> bool:
    """Whether a condition compares with `<` and `<=` alone: what it guards stands in for what newer versions have."""
    directive = guard.branch.directive
    tokens = conditionals.structure.tokens
    text = [tokens.text[i] for i in tokens.significant(directive.body, directive.stop)]
    if any(sign in (b"!", b"not") and word != b"defined" for sign, word in itertools.pairwise(text)):
        return False  # `!(__CUDA_ARCH__ < 600)`
    return (b"<" in text or b"<=" in text) and not {b">", b"==", b"!="} & set(text)


def _where(context: Context, guard: Guard, taken: int) -> str:
    if taken < 0:
        return "no branch"
    branch = guard.chain.branches[taken]
    if taken == guard.position:
        return "this branch"
    line, _ = context.source.position(context.tokens.start[branch.directive.first])
    text = "an empty branch" if context.tokens.next(branch.first, branch.stop) >= branch.stop else "the branch"
    return f"{text} at line {line} (#{branch.directive.name.decode()})"


def _content(conditionals: Conditionals, branch: Branch) -> str:
    lines = conditionals.lines(branch)
    what = "code" if conditionals.holds_code(branch) else "directives"
    return f"{lines} line{'s' if lines != 1 else ''} of {what}"


def parent_left_out(conditionals: Conditionals, chain: Chain) -> bool:
    """Whether an outer conditional keeps HIP away: the finding there says what is lost."""
    parent = chain.parent
    while parent is not None:
        outer = conditionals.chains[parent[0]]
        outcome = outcome_of(conditionals, outer)
        if outcome.known and outcome.host != parent[1]:
            return True
        parent = outer.parent
    return False


def listed(names: tuple[bytes, ...]) -> str:
    """Names as text, with commas."""
    return ", ".join(n.decode("utf-8", "replace") for n in names)
