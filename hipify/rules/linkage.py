r"""HIP's headers in `extern "C" {`: they hold templates, which need C++ linkage. nvcc includes CUDA's in front."""

from __future__ import annotations

from hipify.parser.brackets import Directive
from hipify.parser.structure import Structure
from hipify.rules.context import Context


def is_in_c(structure: Structure, index: int) -> bool:
    """Whether the closest linkage specification around a token is `extern "C" {`."""
    opener = structure.enclosing(index)
    while opener is not None:
        before = structure.prev_code(opener - 1)
        if structure.tokens.text[before][:1] == b'"' and before >= 0:
            return structure.tokens.text[before] == b'"C"'
        opener = structure.enclosing(opener)
    return False


def give_back(context: Context, directives: list[Directive]) -> None:
    """Put `extern "C++" {}` around includes that stand in `extern "C" {`, around neighbours together."""
    if b'"C"' not in context.structure.index:
        return
    tokens, group = context.tokens, list[Directive]()
    for directive in directives:
        if not is_in_c(context.structure, directive.first):
            continue
        if group and tokens.next(group[-1].stop) != directive.first:
            _wrap(context, group)
            group = []
        group.append(directive)
    if group:
        _wrap(context, group)


def _wrap(context: Context, group: list[Directive]) -> None:
    tokens, line_end = context.tokens, context.source.newline
    start = tokens.start[group[0].first]
    start = context.source.line_starts[context.source.position(start)[0] - 1]
    stop = group[-1].stop
    opened, closed = b'extern "C++" {' + line_end, b"}" + line_end
    if not context.source.has_cuda_name:  # C includes it, too
        opened, closed = (
            line_end.join((b"#ifdef __cplusplus", word.rstrip(), b"#endif", b"")) for word in (opened, closed)
        )
    context.insert(start, opened)
    if stop < len(tokens):
        context.insert(tokens.end(stop), closed)
    else:
        context.insert(tokens.start[stop], line_end + closed)
