"""Runs every rewriting pass, then every check, over one source."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.model import Options
from hipify.parser.source import Source
from hipify.rules.conditionals import relax
from hipify.rules.context import Analysis, Context
from hipify.rules.moves import compose
from hipify.rules.stages import wanted
from hipify.rules.stringised import embed, has_literals, look_into_literals, regions, without


def steps(source: Source, options: Options) -> Iterator[tuple[str, Context]]:
    """The context after each pass and check, with the name of what has just run: for who must know which said what."""
    context = Context(source, options)
    for stage in wanted(context):
        stage.run(context)
        yield stage.name, context
    relax(context)
    yield "", context


def analyse(source: Source, options: Options, *, embedded: bool = False) -> Analysis:
    """Everything the rules have to say about one source. Never raises for anything that the source holds."""
    strings = [] if embedded else regions(source)
    context = Context(without(source, strings) if strings else source, options)
    context.embedded = embedded
    for stage in wanted(context):
        stage.run(context)
    relax(context)
    if strings:
        embed(context, source, strings)
    if not embedded and has_literals(source):
        look_into_literals(context)
    from hipify.rules.passes import includes

    count = len(context.analysis.edits)
    includes.finish(context)
    edits = context.analysis.edits
    context.analysis.edits = edits[count:] + edits[:count]  # the runtime's include before all else that goes there
    if context.moves:
        context.analysis.edits = compose(source.data, context.analysis.edits, context.moves)
    if options.inline_headers and context.analysis.helper_headers:
        from hipify.rules.inlining import inline

        inline(context)
    analysis = context.analysis
    vars(context).clear()  # what it holds refers to it: memory, clang's too, goes now and not with a later collection
    return analysis
