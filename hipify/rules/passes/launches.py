"""`kernel<<<grid, block, shared, stream>>>(args)` becomes `hipLaunchKernelGGL(kernel, dim3(grid), ...)`."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.launches import Launch
from hipify.parser.structure import Argument
from hipify.parser.tokens import is_blank, tokenize
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

DYNAMIC_PARALLELISM = FindingKind(
    "HPY201",
    Severity.ERROR,
    "kernel launch from device code (dynamic parallelism)",
    "HIP has no device-side launch and no device runtime: hipcc rejects the launch in device code.",
    "Launch the child kernel from the host, or loop inside one kernel (a work queue, a persistent kernel).",
    "__global__ void parent(int* p) {\n    child<<<1, 32>>>(p);\n}\n",
    "// host: parent, then child, on one stream\n",
)
KEPT_CHEVRONS = FindingKind(
    "HPY202",
    Severity.NOTE,
    "launch left in <<<>>> form",
    "hipLaunchKernelGGL is a macro that expands to a statement and counts its arguments; here it would be part of an "
    "expression, or a preprocessor directive stands inside it, or a macro or a pack gives several of the launch's "
    "numbers at once. hipcc compiles the <<<>>> form as it is.",
    "Nothing needs to be done for hipcc.",
    "#define RUN(x) (x, 0)\nvoid f(int* p) { RUN((k<<<1, 1>>>(p))); }\n",
)
UNREADABLE_LAUNCH = FindingKind(
    "HPY203",
    Severity.WARNING,
    "<<< found, but no complete launch",
    "A launch needs a callee before <<< and a matching >>>; macros may complete it elsewhere. It is left as it was.",
    "Check that the expanded code is a launch that hipcc accepts.",
    "#define BEGIN k<<<\n",
)


def run(context: Context) -> None:
    """Rewrite every host launch; report device launches and those left as they were."""
    launches = context.launches
    seen = {launch.less for launch in launches}
    for less in context.structure.index.get(b"<<<", ()):
        if less not in seen and context.is_code(less) and not _dead(context, less):
            context.find(UNREADABLE_LAUNCH, less)
    for launch in launches:
        context.needs_runtime = True
        name = context.argument_bytes(launch.callee)
        if context.functions.in_device(launch.less):
            _close_up(context, launch)
            context.find(DYNAMIC_PARALLELISM, launch.callee.first, _stop(launch))
            context.refer(launch.callee.first, "launch", "runtime", False, name)
        elif is_rewritten(context, launch):
            _rewrite(context, launch)
            context.refer(launch.callee.first, "launch", "runtime", True, name)
        else:
            _close_up(context, launch)
            if context.options.launch_syntax == "hip":
                context.find(KEPT_CHEVRONS, launch.callee.first, _stop(launch))
    _by_macros(context, launches)


def _by_macros(context: Context, launches: list[Launch]) -> None:
    """Report macros that launch kernels where device code uses them."""
    macros = {context.structure.macro_at(launch.less) for launch in launches if launch.in_macro}
    for name in sorted({context.text(macro.name) for macro in macros if macro is not None}):
        for index in context.structure.index.get(name, ()):
            if context.structure.directive_at(index) is None and context.functions.in_device(index):
                message = f"{name.decode('utf-8', 'replace')} launches a kernel from device code (dynamic parallelism)"
                context.find(DYNAMIC_PARALLELISM, index, message=message)


def is_rewritten(context: Context, launch: Launch) -> bool:
    """Whether a launch becomes a hipLaunchKernelGGL, which makes dim3 of the grid and the block."""
    return (
        context.options.launch_syntax == "hip"
        and launch.open >= 0
        and not launch.split_by_directive
        and launch.statement
        and len(launch.config) in (2, 3, 4)
        and not any(_several(context, argument) for argument in launch.config)
        and not context.functions.in_device(launch.less)
    )


def _dead(context: Context, index: int) -> bool:
    """Whether the token stands in a conflict marker or a directive that is no macro."""
    directive = context.structure.directive_at(index)
    return directive is not None and directive.name != b"define"


def _several(context: Context, argument: Argument) -> bool:
    """Whether a configuration argument may become more than one: a pack, or a macro with a bare comma."""
    words = [w for w in context.tokens.text[argument.first : argument.stop] if not w.isspace()]
    if b"__VA_ARGS__" in words or words[-1:] == [b"..."]:
        return True
    is_macro = words[:1] and words[0] in context.own_macros and (len(words) == 1 or words[1] == b"(")
    macros = context.structure.macros if is_macro else ()
    return any(
        context.text(macro.name) == words[0] and len(context.structure.split(macro.first, macro.stop)) > 1
        for macro in macros
    )


def _close_up(context: Context, launch: Launch) -> None:
    """Take the blanks out of `<< <` and `>> >`, which nvcc alone accepts; comments in them move to the inner side."""
    tokens, greater = context.tokens, launch.greater
    if tokens.end(launch.less) - tokens.start[launch.less] > 3:
        context.edit(tokens.start[launch.less], tokens.end(launch.less), b"<<<" + _kept(context, launch.less))
    if tokens.start[greater + 2] - tokens.start[greater] > 2:
        kept = _kept(context, greater) + _kept(context, greater + 1)
        context.edit(tokens.start[greater], tokens.start[greater + 2], kept + b">>")


def _kept(context: Context, index: int) -> bytes:
    """The comments inside a token in pieces, with the blanks around them, and its line splices."""
    tokens = context.tokens
    raw = context.source.data[tokens.start[index] : tokens.end(index)]
    return b"".join(text for text in tokenize(raw).text if is_blank(text)) if b"/" in raw or b"\\" in raw else b""


def _stop(launch: Launch) -> int:
    return (launch.close if launch.close > 0 else launch.greater + 2) + 1


def _rewrite(context: Context, launch: Launch) -> None:
    """Edits around the pieces of a launch, each piece kept where it is with its comments."""
    tokens = context.tokens
    start, callee = tokens.start, launch.callee
    wrap = launch.templated or _has_bare_comma(context, callee)
    context.insert(start[callee.first], b"hipLaunchKernelGGL(" + (b"HIP_KERNEL_NAME(" if wrap else b""))
    context.insert(start[callee.stop], b")" if wrap else b"")
    context.insert(start[callee.stop], b",")
    context.delete_blank(callee.stop, launch.less)  # a comment there stays
    context.edit(start[launch.less], tokens.end(launch.less), _kept(context, launch.less) or b" ")
    first = launch.config[0].first if not launch.config[0].empty else launch.less + 1
    context.delete_blank(launch.less + 1, first)
    _configuration(context, launch)
    last = launch.config[-1]
    context.delete_blank(last.stop if not last.empty else launch.greater, launch.greater)
    kept = _kept(context, launch.greater) + _kept(context, launch.greater + 1)
    context.edit(start[launch.greater], tokens.end(launch.greater + 2), kept)
    context.delete_blank(launch.greater + 3, launch.open)
    has_args = any(not a.empty for a in launch.args)
    context.edit(start[launch.open], tokens.end(launch.open), b", " if has_args else b"")
    if has_args:
        _join_first_argument(context, launch)


def _configuration(context: Context, launch: Launch) -> None:
    start = context.tokens.start
    for position in range(4):
        if position < len(launch.config):
            argument = launch.config[position]
            if argument.empty:
                continue
            if position < 2:
                context.insert(start[argument.first], b"dim3(")
                context.insert(start[argument.stop], b")")
        else:
            last = launch.config[-1]
            at = start[last.stop] if not last.empty else start[launch.greater]
            context.insert(at, b", dim3(1)" if position < 2 else b", 0")


def _join_first_argument(context: Context, launch: Launch) -> None:
    """Drop the blanks behind the old parenthesis when only spaces are there."""
    first: Argument = launch.args[0]
    gap = context.tokens.text[launch.open + 1 : first.first] if not first.empty else []
    if gap and all(t[:1] in (b" ", b"\t") for t in gap):
        context.delete_blank(launch.open + 1, first.first)


def _has_bare_comma(context: Context, callee: Argument) -> bool:
    """Whether the preprocessor would split the callee: a comma outside parentheses."""
    index, text = callee.first, context.tokens.text
    while index < callee.stop:
        if text[index] == b"(":
            index = context.structure.partner.get(index, index)
        elif text[index] == b",":
            return True
        index += 1
    return False
