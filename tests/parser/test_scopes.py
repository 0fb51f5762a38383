"""Where expressions, statements and definitions end."""

from __future__ import annotations

import pytest

from hipify.parser.scopes import definition_end, expression_end, statement_end
from hipify.parser.source import Source
from hipify.parser.structure import Structure


def structure_of(text: str) -> tuple[Structure, int]:
    """The tokens of a text, and the one behind `@`, which marks the place that is asked about."""
    before, _, behind = text.partition("@")
    structure = Structure(Source((before + behind).encode(), "t.cu"))
    at = next(i for i, start in enumerate(structure.tokens.start) if start >= len(before.encode()))
    return structure, at


def until(structure: Structure, at: int, end: int) -> str:
    """The text from a token to the end that was found."""
    return b"".join(structure.tokens.text[at : end + 1]).decode()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@f(a); g();", "f(a);"),
        ("@{ a; b; } c;", "{ a; b; }"),
        ("@for (i = 0; i < n; ++i) f(i); g();", "for (i = 0; i < n; ++i) f(i);"),
        ("@for (;;) { f(); } g();", "for (;;) { f(); }"),
        ("@while (a) if (b) c; else d; e;", "while (a) if (b) c; else d;"),
        ("@if (a) b; else if (c) { d; } else e; f;", "if (a) b; else if (c) { d; } else e;"),
        ("@if (a) if (b) c; else d; else e; f;", "if (a) if (b) c; else d; else e;"),
        ("@if constexpr (a) { b; } c;", "if constexpr (a) { b; }"),
        ("@do a; while (b); c;", "do a; while (b);"),
        ("@do { a; } while (b); c;", "do { a; } while (b);"),
        ("@switch (a) { case 1: b; } c;", "switch (a) { case 1: b; }"),
        ("@try { a; } catch (B) { c; } catch (...) { d; } e;", "try { a; } catch (B) { c; } catch (...) { d; }"),
        ("@again: for (;;) { a; } b;", "again: for (;;) { a; }"),
        ("@case f(1, 2): { a; } b;", "case f(1, 2): { a; }"),
        ("@default: while (a) { b; } c;", "default: while (a) { b; }"),
        ("@[[likely]] { a; } b;", "[[likely]] { a; }"),
        ("if (a) [[unlikely]] @{ a; } b;", "{ a; }"),
        ("@auto f = [&](int a) { b; }; c;", "auto f = [&](int a) { b; };"),
        ("@T x{1, 2}; c;", "T x{1, 2};"),
        ("@std::vector<int> x; c;", "std::vector<int> x;"),
        ("@FOREACH(i, n) { f(i); } g();", "FOREACH(i, n) { f(i); }"),
        ("{ @MACRO(a) }", "MACRO(a) }"),
        ("@f(a)", "f(a)"),
    ],
)
def test_statements(text: str, found: str) -> None:
    structure, at = structure_of(text)
    assert until(structure, at, statement_end(structure, at)) == found


def test_long_chains_of_branches_end() -> None:
    text = "@" + "if (a) b; else " * 3000 + "c; d;"
    structure, at = structure_of(text)
    assert until(structure, at, statement_end(structure, at)).endswith("else c;")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = @a + f(b, c); d;", "a + f(b, c);"),
        ("x = @a[i, j], y = b;", "a[i, j],"),
        ("x = @T{a, b}, y;", "T{a, b},"),
        ("f(@a + (b), c)", "a + (b),"),
        ("f(x = @a)", "a)"),
        ("p[x = @a] = b;", "a]"),
        ("{ x = @a }", "a }"),
        ("x = @[&] { a; b; }(); c;", "[&] { a; b; }();"),
        ("#define X x = @a + b\nint y;", "a + b\n"),
        ("x = @a", "a"),
    ],
)
def test_expressions(text: str, found: str) -> None:
    structure, at = structure_of(text)
    assert until(structure, at, expression_end(structure, at)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@int f(); int g();", "int f();"),
        ("@int f(int a = g({1})) { return a; } int h();", "int f(int a = g({1})) { return a; }"),
        ("A(int b) @: a{b}, c(b), d<int>{b} { e(); } int g();", ": a{b}, c(b), d<int>{b} { e(); }"),
        ("A(int b) @: a(b) { e(); } int g();", ": a(b) { e(); }"),
        ("@class A { int b; }; int g();", "class A { int b; }"),
        ("@int f", "int f"),
    ],
)
def test_definitions(text: str, found: str) -> None:
    structure, at = structure_of(text)
    assert until(structure, at, definition_end(structure, at)) == found
