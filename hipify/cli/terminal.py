"""What only a terminal gets: the summary table and the progress bar, on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from hipify.emit.report import FileResult, Report, counts
from hipify.emit.report.text import destination
from hipify.model import Finding, Severity

# More files than this are summed up in one row, with the ones that have errors shown.
_ROWS = 20


def print_summary(report: Report) -> None:
    """One row a file and a total."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("file", overflow="fold")
    for column in ("changes", "errors", "warnings", "notes"):
        table.add_column(column, justify="right")
    shown = list(report.files)
    if len(shown) > _ROWS:
        shown = sorted(shown, key=_weight)[:_ROWS]
    for file in shown:
        if file.translation is None or file.error:
            table.add_row(escape(file.path), "[red]failed[/red]", "", "", "")
        else:
            table.add_row(escape(destination(file)), *_figures(len(file.translation.edits), file.translation.findings))
    if len(report.files) > 1:
        changes = sum(len(translation.edits) for translation in report.translations)
        table.add_row(f"{len(report.files)} files", *_figures(changes, tuple(report.findings)), style="bold")
    Console(stderr=True, highlight=False).print(table)


def _weight(file: FileResult) -> tuple[int, int]:
    if file.translation is None:
        return -1, 0
    number = counts(file.translation.findings)
    return 0, -number[Severity.ERROR]


def _figures(changes: int, findings: tuple[Finding, ...]) -> list[str]:
    number = counts(findings)
    styles = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
    return [str(changes)] + [f"[{styles[severity]}]{count}[/]" if count else "0" for severity, count in number.items()]


@contextmanager
def progress(total: int) -> Iterator[tuple[Callable[[], None], Callable[[str], None]]]:
    """A progress bar: what to call after each file, and what prints a line above the bar, unwrapped."""
    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("translating"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, redirect_stderr=False) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.advance(task), lambda line: console.print(line, markup=False, soft_wrap=True)
