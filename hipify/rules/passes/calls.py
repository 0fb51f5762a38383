"""Calls that need more than a rename: the rules under `calls/` and the user's own, carried out call by call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from hipify.model import Confidence, Severity
from hipify.parser.owner import Owner
from hipify.parser.structure import KEYWORDS, Call
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.rules import headers, rulebook
from hipify.rules.conditions import applies, holds, possible
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind, all_kinds
from hipify.rules.language import Rule, Saying
from hipify.rules.library import is_hip_only, map_name
from hipify.rules.passes.names import DEPRECATED, OTHER_LIBRARY
from hipify.rules.reexports import reexport
from hipify.rules.surgery import Site, rewrite

ADDRESS = FindingKind(
    "HPY112",
    Severity.WARNING,
    "address of a function whose HIP counterpart has another signature",
    "Calls of the function are rewritten, but here the function itself is passed on or stored: HIP's takes other "
    "arguments, so that the pointer's type does not fit or the call through it is wrong.",
    "Wrap the HIP call in a function or lambda that has CUDA's signature, and take the address of that.",
    "typedef cudaError_t (*fn)(void**, size_t);\nfn f = (fn)cudaMallocHost;\n",
    "hipError_t pinned(void** p, size_t n) { return hipHostMalloc(p, n, hipHostMallocDefault); }\n",
)
LOSSY = FindingKind(
    "HPY113",
    Severity.WARNING,
    "an argument or a part of its meaning was lost",
    "HIP's counterpart has no place for the argument: the call compiles and does not do all that it did.",
    "Check that the program does not depend on it.",
)
CALL_FORM = FindingKind(
    "HPY114",
    Severity.ERROR,
    "form of a call that HIP does not have",
    "HIP has a function of that name with other arguments, and none that this form could become.",
    "Port the call by hand.",
    "template <class Info> void f(cudaGraphExec_t x, cudaGraph_t g, Info* i) { cudaGraphExecUpdate(x, g, i); }\n",
    "void f(hipGraphExec_t x, hipGraph_t g, hipGraphNode_t* n, hipGraphExecUpdateResult* r) {\n"
    "    hipGraphExecUpdate(x, g, n, r);\n}\n",
)
BY_RULE = FindingKind(
    "HPY116",
    Severity.WARNING,
    "found by a rule of a rule file",
    "A rule file says that this call needs attention.",
    "See the rule that gave the finding.",
)
UNREADABLE_CALL = FindingKind(
    "HPY117",
    Severity.WARNING,
    "call that a rule should rewrite, with arguments that cannot be told apart",
    "The number of arguments is only known after preprocessing or template expansion, or preprocessor directives stand "
    "between them: the name was translated, the arguments were left as they are.",
    "Check that the arguments fit HIP's signature.",
    "#define PIN(...) cudaMallocHost(__VA_ARGS__)\n",
)
_CUBLAS = (b"cublas_v2.h", b"cublas.h", b"cublas_api.h")
_OTHERS = {
    "hipblas/hipblas.h": lazy(rb"cublas(?!Lt)[A-Z]|CUBLAS_"),
    "hipsparse/hipsparse.h": lazy(rb"cusparse[A-Z]|CUSPARSE_"),
}
_SOLVES = lazy(rb"cublas(?:Operation|FillMode|DiagType|SideMode)_t\Z|CUBLAS_(?:OP|FILL_MODE|DIAG|SIDE)_")
# Headers that include those of other libraries, and what HIP's in their place have of them.
_INCLUDE_OTHERS = {
    b"cublasLt.h": lazy(rb"cublas(?:Status|Operation|ComputeType)_t\Z|CUBLAS_(?:STATUS|OP|COMPUTE)_"),
    b"cusolverDn.h": _SOLVES,
    b"cusolverSp.h": _SOLVES,
}
_SMALL_TYPES = {
    "hip/hip_fp16.h": frozenset((b"__half", b"half", b"__half2", b"half2")),
    "hip/hip_bf16.h": frozenset((b"__nv_bfloat16", b"nv_bfloat16", b"__nv_bfloat162", b"nv_bfloat162")),
}
_WITH_SMALL_TYPES = {
    "hip/hip_fp16.h": (b"cusparse.h", b"cusparse_v2.h", b"cusolver"),
    "hip/hip_bf16.h": (b"cusolver", b"thrust/", b"torch/", b"ATen/", b"c10/"),
}
"""How the names of other headers begin that bring these."""
_BEFORE_CALL = KEYWORDS - {b"new"}


def run(context: Context) -> None:
    """Apply the call rules to every call that one of them names."""
    book = rulebook.load(context.options.rule_files)
    headers.rewrite(context, [r for r in book.headers if r.condition is None or possible(context, r.condition)])
    done = _small_types(context)
    required = dict.fromkeys(_through_others(context))
    if context.target.roc:
        required |= dict.fromkeys(_with_own_types(context, book.names))
    for name in sorted(book.names & context.tokens.vocabulary):
        rules = book.rules(name.decode())
        for index in context.structure.index.get(name, ()):
            if index not in context.claimed and context.is_code(index):
                rule = _use(context, index, [r for r in rules if _in_scope(context, index, r.name)])
                if rule is not None:
                    required |= dict.fromkeys(rule.includes)
    helpers = [name for name in required if name.startswith("hipify_")]
    if helpers:
        from hipify.rules.passes.builtins import include_helpers

        include_helpers(context, helpers)
    headers.require(context, (name for name in required if name not in done and name not in helpers))


def _small_types(context: Context) -> list[str]:
    """What headers of CUDA's and PyTorch's declare for those behind them, and HIP's do not; gives what it includes."""
    used = [header for header, types in _SMALL_TYPES.items() if not types.isdisjoint(context.tokens.vocabulary)]
    through = next((include for include in context.structure.includes if include.name in _CUBLAS), None)
    if through is not None:
        theirs = context.included_names.small_types
        names = [header for header in _SMALL_TYPES if header in used or header in theirs]
        headers.require(context, names, through)
        return names
    done = []
    for header in used:
        through = next((i for i in context.structure.includes if i.name.startswith(_WITH_SMALL_TYPES[header])), None)
        if through is not None and not any(context.declared_here(name) for name in _SMALL_TYPES[header]):
            headers.require(context, (header,), through)
            done.append(header)
    return done


def _through_others(context: Context) -> Iterator[str]:
    """What the file uses and has through a header of CUDA's, and not through HIP's in its place."""
    if not context.target.roc and not any(include.name in _CUBLAS for include in context.structure.includes):
        there = [_INCLUDE_OTHERS[i.name] for i in context.structure.includes if i.name in _INCLUDE_OTHERS]
        for header, names in _OTHERS.items() if there else ():
            used = (name for name in context.structure.index if names.match(name))
            if any(not any(known.match(name) for known in there) for name in used):
                yield header


def _with_own_types(context: Context, ruled: AbstractSet[bytes]) -> Iterator[str]:
    """Calls that no rule rewrites, of roc functions whose library has types of its own; gives what they include."""
    from hipify.rules import roc_types

    complex_types = (b"cuComplex", b"cuFloatComplex", b"cuDoubleComplex")
    if any(name in context.structure.index for name in complex_types):
        yield roc_types.COMPLEX_HEADER
    roc_types.tell_mixed(context)
    for name in sorted(context.api_names - ruled):
        api = context.library.get(name)
        if api is None or not api.roc or not roc_types.own_types(map_name(api, context.target).name.encode()):
            continue
        for index in context.structure.index.get(name, ()):
            owner, confidence = context.owner(index)
            if owner is Owner.USER or not context.is_code(index) or _is_declaration(context, index):
                continue
            call = context.structure.call_at(index)
            if call is None or _unclear(context, call):
                _report_unchanged(context, index, call is None, confidence)
                continue
            _count(context, index, True)
            _plain_name(context, index, confidence)
            roc_types.rewrite(Site(context, call, confidence, len(context.moves)))


def _in_scope(context: Context, index: int, name: str) -> bool:
    """Whether the scope in front of a token is the one that a qualified name asks for."""
    for scope in reversed(name.split("::")[:-1]):
        link = context.structure.prev_code(index - 1)
        index = context.structure.prev_code(link - 1)
        if context.text(link) != b"::" or context.text(index) != scope.encode():
            return False
    return True


def _use(context: Context, index: int, rules: list[Rule]) -> Rule | None:
    """Deal with one occurrence of a name that rules speak of; gives the rule that was carried out."""
    rules = [r for r in rules if r.condition is None or possible(context, r.condition)]
    macro = next((r for r in rules if r.kind == "macro"), None)
    if macro is not None:
        return _rename(context, index, macro, Confidence.LEXICAL)
    owner, confidence = context.owner(index)
    if owner is Owner.USER or not rules or _is_declaration(context, index) or _in_a_header(context, index):
        return None
    call = context.structure.call_at(index)
    if (
        call is None
        and b"using" in context.structure.index
        and reexport(context, index, _callees(context, index, rules))
    ):
        _count(context, index, True)
        return None
    unclear = call is not None and _unclear(context, call)
    for rule in rules:
        if rule.kind == "keep":
            context.claimed.add(index)
            return rule
        if rule.kind == "rename":
            return _rename(context, index, rule, confidence)
        if call is not None and not unclear and _exists(context, rule) and applies(context, call, rule):
            _carry_out(context, call, rule, confidence)
            return rule
    if (call is None or unclear) and _changes_arguments(rules):
        _report_unchanged(context, index, call is None, confidence)
    return None


def _in_a_header(context: Context, index: int) -> bool:
    """Whether a word that anybody may use stands in a header of the project's: it may be declared there."""
    name = context.text(index)
    api = context.library.get(name)
    return api is not None and api.status == "ambiguous" and context.included_names.mentions(name)


def _callees(context: Context, index: int, rules: list[Rule]) -> list[bytes]:
    """The functions that calls of a name may become: what the tables say, then what rules do."""
    api = context.library.get(context.text(index))
    mapping = map_name(api, context.target) if api is not None else None
    names = [mapping.name.encode()] if mapping is not None and mapping.name else []
    for rule in rules:
        if rule.template is not None and rule.template.slots is not None and len(rule.template.callee) == 1:
            names.append(rule.template.callee[0][1].encode())
    return [name for name in dict.fromkeys(names) if is_ident(name)]


def _rename(context: Context, index: int, rule: Rule, confidence: Confidence) -> Rule:
    new = rule.template.callee[0][1] if rule.template else rule.name
    _count(context, index, True)
    context.replace(index, new.encode(), confidence)
    return rule


def _is_declaration(context: Context, index: int) -> bool:
    """Whether the token is declared, defined or made a macro here, and not used."""
    macro = context.structure.macro_at(index)
    if macro is not None and macro.name == index:
        return True
    word = context.text(context.structure.prev_code(index - 1))
    if word and is_ident(word) and word not in _BEFORE_CALL and context.structure.call_at(index) is not None:
        return macro is None or context.structure.prev_code(index - 1) >= macro.first
    return context.declares(index)


def _unclear(context: Context, call: Call) -> bool:
    """Whether the tokens do not tell how many arguments the call has."""
    in_macro = context.structure.directive_at(call.name) is not None
    if not in_macro and context.structure.directives_between(call.open, call.close):
        return True
    text = context.tokens.text
    return any(not a.empty and text[a.stop - 1] in (b"__VA_ARGS__", b"...") for a in call.args)


def _exists(context: Context, rule: Rule) -> bool:
    """Whether the function that the rule calls is in the target release, as far as the tables know."""
    if rule.template is None or len(rule.template.callee) != 1 or rule.template.block:
        return True
    api = context.library.get(rule.name.encode())
    return api is None or api.hip != rule.template.callee[0][1] or bool(api.hip_in(context.target.label))


def _carry_out(context: Context, call: Call, rule: Rule, confidence: Confidence) -> None:
    for saying in rule.sayings:
        if saying.unless is None or not holds(context, call, saying.unless):
            _say(context, call, saying, confidence)
    if _writes_other_types(context, call, rule):
        context.find(OTHER_LIBRARY, call.name, message=_other_types(context, call, rule), confidence=confidence)
    if rule.leave:
        context.claimed.add(call.name)
        _count(context, call.name, False)
    elif rule.template is not None or rule.actions:
        _count(context, call.name, True)
        context.needs_runtime = True
        if rule.template is None:
            _plain_name(context, call.name, confidence)
        _tell_deprecated(context, call.name, rule, confidence)
        rewrite(Site(context, call, confidence, len(context.moves)), rule)


def _writes_other_types(context: Context, call: Call, rule: Rule) -> bool:
    """Whether the rule calls a hip library under --roc, which writes the types of the roc library."""
    api = context.library.get(context.text(call.name)) if context.target.roc and rule.template is not None else None
    if api is None or rule.template is None or not rule.template.callee:
        return False
    return is_hip_only(api, rule.template.callee[0][1], context.target)


def _other_types(context: Context, call: Call, rule: Rule) -> str:
    callee = rule.template.callee[0][1] if rule.template is not None else ""
    name = context.text(call.name).decode()
    return f"{name}: {callee} takes other types than --roc writes, and no roc library has it"


def changes_arguments(context: Context, name: bytes) -> bool:
    """Whether calls of a function get other arguments for this target, wherever they can be read."""
    rules = rulebook.load(context.options.rule_files).rules(name.decode())
    return _changes_arguments([r for r in rules if r.condition is None or possible(context, r.condition)])


def _changes_arguments(rules: list[Rule]) -> bool:
    """Whether every rule that may apply for this target needs other arguments than CUDA's function takes."""
    return bool(rules) and not any(r.keeps_arguments for r in rules)


def _report_unchanged(context: Context, index: int, is_address: bool, confidence: Confidence) -> None:
    """A function that is named without a call, or called with arguments that cannot be told apart."""
    directive = context.structure.directive_at(index)
    if directive is not None and directive.name != b"define":
        return
    name = context.text(index)
    new = _plain_name(context, index, confidence)
    if not new:
        return
    _count(context, index, True)
    if is_address:
        text = f"{name.decode()} is named here without being called; {new} takes other arguments"
        context.find(ADDRESS, index, message=text, confidence=confidence)
    else:
        text = f"{name.decode()} became {new}; its arguments cannot be told apart here and were left as they are"
        context.find(UNREADABLE_CALL, index, message=text, confidence=confidence)


def _plain_name(context: Context, index: int, confidence: Confidence) -> str:
    """Give a token the name that the tables hold for it; '' when they hold none."""
    api = context.library.get(context.text(index))
    mapping = map_name(api, context.target) if api is not None else None
    if mapping is None or not mapping.name or mapping.problem not in ("", "deprecated_hip"):
        return ""
    context.claimed.add(index)
    if mapping.name.encode() != context.text(index):
        context.replace(index, mapping.name.encode(), confidence)
    return mapping.name


def _tell_deprecated(context: Context, index: int, rule: Rule, confidence: Confidence) -> None:
    """Say of the function that a rule calls what the tables say of it."""
    api = context.library.get(rule.name.encode())
    mapping = map_name(api, context.target) if api is not None else None
    if mapping is None or mapping.problem != "deprecated_hip":
        return
    if rule.template is None or rule.template.callee == (("text", mapping.name),):
        context.find(DEPRECATED, index, message=mapping.note, confidence=confidence)


def _say(context: Context, call: Call, saying: Saying, confidence: Confidence) -> None:
    context.find(
        all_kinds().get(saying.id, BY_RULE),
        call.name,
        message=re.sub(r"\$(\d+)", lambda m: _shown(context, call, int(m[1])), saying.message),
        why=saying.why,
        fix=saying.fix,
        severity=Severity[saying.severity.upper()],
        confidence=confidence,
    )


def _shown(context: Context, call: Call, number: int) -> str:
    """An argument in a message."""
    if not 1 <= number <= len(call.args):
        return "(no argument)"
    return " ".join(context.argument_bytes(call.args[number - 1]).decode("utf-8", "replace").split())


def _count(context: Context, index: int, converted: bool) -> None:
    api = context.library.get(context.text(index))
    context.refer(index, api.kind if api else "function", api.library if api else "runtime", converted)
