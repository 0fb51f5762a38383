"""`#ifdef __CUDACC__` and its like learn of HIP; comparisons with CUDA's versions are reported with what HIP takes."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.brackets import Directive
from hipify.parser.conditions import UNKNOWN, Branch, condition_value
from hipify.rules.conditionals import Conditionals, Guard, conditionals_of
from hipify.rules.context import Context
from hipify.rules.guard_macros import EXISTENCE, GUARD_WORDS, GuardKind
from hipify.rules.guard_verdicts import listed, outcome_of, parent_left_out, verdict
from hipify.rules.kinds import FindingKind
from hipify.rules.passes.execution_spaces import EXECUTION_SPACE
from hipify.rules.sided_attributes import Sided, sided
from hipify.rules.stages import HELD_IN_HEADERS

VERSION_GUARD = FindingKind(
    "HPY601",
    Severity.WARNING,
    "guard by a CUDA version",
    "HIP's compiler does not define the macro: in a comparison it counts as 0. No HIP version number stands for a CUDA "
    "version, so the test is left as it is.",
    "Say what HIP needs: add `|| defined(__HIP_PLATFORM_AMD__)`, or a test of HIP_VERSION.",
    "#if CUDA_VERSION < 9000\nint old_api;\n#else\nint new_api;\n#endif\n",
    "#if !defined(__HIP_PLATFORM_AMD__) && CUDA_VERSION < 9000\nint old_api;\n#else\nint new_api;\n#endif\n",
)
ARCH_GUARD = FindingKind(
    "HPY602",
    Severity.WARNING,
    "guard by a CUDA compute capability",
    "__CUDA_ARCH__ is undefined on AMD, in device code too: in a comparison it counts as 0, older than any GPU.",
    "Say what HIP needs: add `|| defined(__HIP_DEVICE_COMPILE__)`, or test __gfx…__ macros.",
    "__device__ float f(const float* p) {\n#if __CUDA_ARCH__ >= 350\n    return __ldg(p);\n#else\n    return *p;\n"
    "#endif\n}\n",
    "__device__ float f(const float* p) {\n#if __CUDA_ARCH__ >= 350 || defined(__HIP_DEVICE_COMPILE__)\n"
    "    return __ldg(p);\n#else\n    return *p;\n#endif\n}\n",
)
COMPILER_GUARD = FindingKind(
    "HPY603",
    Severity.WARNING,
    "guard by NVIDIA's compiler",
    "HIP's compiler does not define the macro: what it guards is left out.",
    "Ask for HIP too: `#if defined(__CUDACC__) || defined(__HIPCC__)`.",
    "#ifdef __NVCOMPILER\nint fast;\n#else\nint slow;\n#endif\n",
    "#if defined(__NVCOMPILER) || defined(__HIPCC__)\nint fast;\n#else\nint slow;\n#endif\n",
)
WIDENED = FindingKind(
    "HPY604",
    Severity.NOTE,
    "guard by NVIDIA's compiler that now knows HIP",
    "The code behind it would be left out by HIP's compiler. Both compilers enter it now.",
    "Nothing needs to be done, unless the code is for NVIDIA's compiler alone.",
    "#ifdef __CUDACC__\nint fast;\n#endif\n",
    "#if defined(__CUDACC__) || defined(__HIPCC__)\nint fast;\n#endif\n",
)


_VERSIONS = (b"CUDART_VERSION", b"CUDA_VERSION")

NEEDS = GUARD_WORDS | {HELD_IN_HEADERS}


def run(context: Context) -> None:
    """Widen existence tests when asked to, report every other guard."""
    conditionals = conditionals_of(context)
    if not conditionals.guard_names and not (context.structure.directives and conditionals.holders):
        return
    live = [g for g in conditionals.guards if not conditionals.excluded(g.chain)]
    if context.options.guards == "widen":
        _widen_bodies(context, conditionals)
        for guard in live:
            if _may_widen(conditionals, guard):
                attributes = sided(conditionals, guard)
                if attributes is not None and attributes.only:
                    _mark_both(context, conditionals, guard, attributes)
                    continue
                _widen(context, conditionals, guard, EXISTENCE)
                conditionals.widened.add(guard.branch.directive.first)
                if attributes is not None:
                    _tell_sided(context, guard, attributes)
            elif _demands_version(context, conditionals, guard):
                conditionals.excepted[guard.branch.directive.first] = False
            elif _keep_out_twins(context, conditionals, guard):
                conditionals.excepted[guard.branch.directive.first] = not conditionals.redefines(guard.branch)
    chains: dict[tuple[int, str], list[Guard]] = {}
    for guard in live:
        if guard.branch.directive.first not in conditionals.widened | conditionals.excepted.keys():
            chain = guard.chain.branches[0].directive.first
            chains.setdefault((chain, _kind(guard).id), []).append(guard)
    for guards in chains.values():
        _report(context, conditionals, guards)


def _may_widen(conditionals: Conditionals, guard: Guard) -> bool:
    """Whether a condition only asks whether NVIDIA's compiler is there, and its author did not think of HIP."""
    if guard.holder or conditionals.knows_hip(guard.chain) or not all(m in EXISTENCE for m in guard.macros):
        return False
    if not all(_is_test(conditionals, i) for i in _uses(conditionals, guard)):
        return False
    if b"__CUDA_ARCH__" in guard.macros and _defines_arch(conditionals, guard.branch):
        return False
    if not _alternative(conditionals, guard):
        return True
    return not any(_holds_assembly(conditionals, branch) for branch in _let_in(conditionals, guard))


def _defines_arch(conditionals: Conditionals, branch: Branch) -> bool:
    """Whether a branch gives the number that is missing, `#define __CUDA_ARCH__ 0`: HIP's device code needs it, too."""
    context = conditionals.context
    inside = context.structure.directives_between(branch.directive.first, branch.stop - 1)
    names = (context.text(context.tokens.next(d.body, d.stop)) for d in inside if d.name == b"define")
    return b"__CUDA_ARCH__" in names


def _demands_version(context: Context, conditionals: Conditionals, guard: Guard) -> bool:
    """Let HIP's version stand for CUDA's where `#ifndef CUDART_VERSION` only says that a header is missing (#error)."""
    tokens, directive = context.tokens, guard.branch.directive
    macro = guard.macros[0]
    body = range(directive.body, directive.stop)
    code = [i for i in body if tokens.text[i].strip() and tokens.text[i][:2] not in (b"//", b"/*", b"\\\n", b"\\\r")]
    words = [tokens.text[i] for i in code if tokens.text[i] not in (b"(", b")")]
    asked = [macro] if directive.name == b"ifndef" else [b"!", b"defined", macro]
    if (
        macro not in _VERSIONS
        or directive.name not in (b"ifndef", b"if")
        or words != asked
        or not conditionals.error_directive(guard.branch)
        or conditionals.knows_hip(guard.chain)
    ):
        return False
    form = b"!defined(%s) && !defined(HIP_VERSION)" % macro
    if directive.name == b"ifndef":
        context.replace(tokens.next(directive.first + 1), b"if")
    context.edit(tokens.start[code[0]], tokens.end(code[-1]), form)
    context.claimed.add(guard.first)
    context.find(WIDENED, guard.first, message=f"guard by {macro.decode()} now asks for HIP_VERSION too")
    return True


def _keep_out_twins(context: Context, conditionals: Conditionals, guard: Guard) -> bool:
    """Keep HIP away from a file's own `atomicAdd(double*, double)` for old GPUs: HIP has the function."""
    directive = guard.branch.directive
    outcome = outcome_of(conditionals, guard.chain)
    if (
        directive.name != b"if"
        or conditionals.knows_hip(guard.chain)
        or not outcome.known
        or outcome.host in (None, -1)
    ):
        return False
    own = conditionals.redefines(guard.chain.branches[outcome.host or 0])
    if not own or len(guard.chain.branches) > 2:
        return False
    tokens = context.tokens
    first, last = tokens.next(directive.body, directive.stop), tokens.prev(directive.stop - 1)
    if last < first:
        return False
    context.insert(tokens.start[first], b"(")
    context.insert(tokens.end(last), b") && !defined(__HIPCC__)" if outcome.host == 0 else b") || defined(__HIPCC__)")
    message = f"guard by {listed(guard.macros)} now leaves HIP its own {listed(tuple(own))}"
    context.find(WIDENED, guard.first, message=message)
    return True


def _uses(conditionals: Conditionals, guard: Guard) -> list[int]:
    text = conditionals.structure.tokens.text
    return [i for i in conditionals.words(guard.branch.directive) if text[i] in EXISTENCE]


def _is_test(conditionals: Conditionals, index: int) -> bool:
    """Whether a macro is tested for being there: `defined(X)`, `#ifdef X`, or X as a truth value."""
    tokens = conditionals.structure.tokens
    directive = conditionals.structure.directive_at(index)
    if directive is None or directive.name not in (b"if", b"elif"):
        return True
    if _defined_of(conditionals, index) is not None:
        return True
    before, after = tokens.prev(index - 1), tokens.next(index + 1, directive.stop)
    left = before < directive.body or tokens.text[before] in (b"(", b"!", b"&&", b"||")
    return left and (after >= directive.stop or tokens.text[after] in (b")", b"&&", b"||"))


def _defined_of(conditionals: Conditionals, index: int) -> tuple[int, int] | None:
    """Tokens [first, stop) of the `defined(X)` or `defined X` around the macro at `index`."""
    tokens = conditionals.structure.tokens
    before = tokens.prev(index - 1)
    if tokens.text[before] == b"defined":
        return before, index + 1
    if tokens.text[before] == b"(" and tokens.text[(word := tokens.prev(before - 1))] == b"defined":
        close = tokens.next(index + 1)
        return (word, close + 1) if tokens.text[close] == b")" else None
    return None


def _let_in(conditionals: Conditionals, guard: Guard) -> list[Branch]:
    """The branches of its conditional that HIP would enter if the guard was widened."""
    branches, first = guard.chain.branches, guard.branch.directive.first
    conditionals.widened.add(first)
    taken = [conditionals.taken(guard.chain, device) for device in (False, True)]
    conditionals.widened.discard(first)
    places = {guard.position if place is None else place for place in taken}
    before = {conditionals.taken(guard.chain, device) for device in (False, True)}
    return [branches[place] for place in sorted(places - before) if place >= 0]


def _holds_assembly(conditionals: Conditionals, branch: Branch) -> bool:
    """Whether a branch has assembly in it that does not become C++."""
    if conditionals.structure.tokens.vocabulary.isdisjoint((b"asm", b"__asm__", b"__asm")):
        return False
    inside = [s for s in conditionals.context.asm if branch.first <= s.first < branch.stop]
    if not inside:
        return False
    from hipify.rules.passes.ptx import can_be_written

    return not all(can_be_written(conditionals.context, statement) for statement in inside)


def _alternative(conditionals: Conditionals, guard: Guard) -> bool:
    """Whether another branch has code that HIP would take instead."""
    return any(conditionals.holds_code(b) for b in guard.chain.branches if b is not guard.branch)


def _mark_both(context: Context, conditionals: Conditionals, guard: Guard, attributes: Sided) -> None:
    """Let both of HIP's passes take attributes of nvcc's device pass, as those of host and device functions."""
    _widen(context, conditionals, guard, EXISTENCE | {b"__CUDA_ARCH__": b"__HIPCC__"})
    conditionals.excepted[guard.branch.directive.first] = attributes.entered
    for index in attributes.alone:
        context.insert(context.tokens.start[index], b"__host__ ")
        context.claimed.add(index)


def _tell_sided(context: Context, guard: Guard, attributes: Sided) -> None:
    verb = "marks" if len(attributes.names) == 1 else "mark"
    message = (
        f"{listed(attributes.names)} {verb} functions for one side in each pass: clang reads host and device code in "
        f"both, and finds no match; say `__host__ __device__` wherever __HIPCC__ is defined"
    )
    context.find(EXECUTION_SPACE, guard.first, message=message, severity=Severity.ERROR)


def _widen(context: Context, conditionals: Conditionals, guard: Guard, known: dict[bytes, bytes]) -> None:
    tokens, directive = context.tokens, guard.branch.directive
    shown = listed(guard.macros)
    if directive.name in (b"if", b"elif"):
        for index in _uses(conditionals, guard):
            _widen_test(context, conditionals, index, directive, known)
    else:
        negative = directive.name in (b"ifndef", b"elifndef")
        macro = tokens.text[guard.first]
        keyword = tokens.next(directive.first + 1)
        context.replace(keyword, b"if" if directive.name in (b"ifdef", b"ifndef") else b"elif")
        form = b"!defined(%s) && !defined(%s)" if negative else b"defined(%s) || defined(%s)"
        context.replace(guard.first, form % (macro, known[macro]))
    hip = listed(tuple(dict.fromkeys(known[m] for m in guard.macros)))
    context.find(WIDENED, guard.first, message=f"guard by {shown} now asks for {hip} too")


def _widen_bodies(context: Context, conditionals: Conditionals) -> None:
    """Widen the macros that ask for NVIDIA's compiler: `#define ON_DEVICE defined(__CUDA_ARCH__)`."""
    tokens = context.tokens
    for macro in context.structure.macros:
        holder = conditionals.holders.get(tokens.text[macro.name])
        if holder is None or not holder.only_asks:
            continue
        held = [i for i in tokens.significant(macro.first, macro.stop) if tokens.text[i] in EXISTENCE]
        for index in held:
            _widen_test(context, conditionals, index, None, EXISTENCE)
        if held:
            hip = listed(tuple(dict.fromkeys(EXISTENCE[m] for m in holder.held)))
            name = listed((tokens.text[macro.name],))
            context.find(
                WIDENED, held[0], message=f"{name}, which asks for {listed(holder.held)}, now asks for {hip} too"
            )


def _widen_test(
    context: Context, conditionals: Conditionals, index: int, directive: Directive | None, known: dict[bytes, bytes]
) -> None:
    """Add HIP's macro to a test, in brackets if it is not all that a directive says."""
    tokens = context.tokens
    macro = tokens.text[index]
    text = b"defined(%s) || defined(%s)" % (macro, known[macro])
    first, end = _defined_of(conditionals, index) or (index, index + 1)
    alone = (
        directive is not None
        and tokens.next(directive.body, directive.stop) == first
        and tokens.next(end, directive.stop) >= directive.stop
    )
    context.edit(tokens.start[first], tokens.start[end], text if alone else b"(" + text + b")")
    context.claimed.add(index)


def _report(context: Context, conditionals: Conditionals, guards: list[Guard]) -> None:
    """Report the tests of one chain that ask for the same: once, at the first, with what is worst of them."""
    guards = [g for g in guards if condition_value(context.structure, g.branch.directive, lambda _: UNKNOWN) is None]
    if not guards:
        return  # `#if 0 && CUDA_VERSION > 9000`: the same everywhere
    first = guards[0]
    outcome = outcome_of(conditionals, first.chain)
    taken = outcome.host if outcome.known else None
    if conditionals.knows_hip(first.chain):  # the author said what HIP takes
        guards = [g for g in guards if taken is None and not conditionals.mentions_hip(g.branch.directive)]
    if not guards:
        return
    first = guards[0]
    judged = [verdict(context, conditionals, guard, taken, first) for guard in guards]
    severity, outcome_text = max(judged, key=lambda said: said[0])
    if severity is Severity.ERROR and parent_left_out(conditionals, first.chain):
        severity = Severity.WARNING
    macros = tuple(dict.fromkeys(macro for guard in guards for macro in guard.macros))
    verb = "are" if len(macros) > 1 else "is"
    message = f"{listed(macros)} {verb} undefined on HIP: {outcome_text}"
    if first.holder:
        message = f"{listed((first.holder,))} holds {listed(first.macros)}, undefined on HIP: {outcome_text}"
    context.find(_kind(first), first.first, message=message, severity=severity)


def _kind(guard: Guard) -> FindingKind:
    if guard.kind is GuardKind.VERSION:
        return VERSION_GUARD
    return ARCH_GUARD if guard.kind is GuardKind.ARCH else COMPILER_GUARD
