"""What compilers and linkers print, read."""

from __future__ import annotations

from hipify.build.diagnostics import ERROR, WARNING, Spot, parse


def test_clang_with_notes_and_the_flag_of_a_warning() -> None:
    error, warning = parse(
        "a b.hip:9:3: error: use of undeclared identifier 'x'\n"
        "a b.hip:3:23: note: expanded from macro 'OUTER'\n"
        "d.hip:2:1: warning: result unused [-Wunused-result]\n"
        "2 errors generated when compiling for gfx90a.\n"
    )
    assert (error.kind, error.spot, error.text) == (ERROR, Spot("a b.hip", 9, 3), "use of undeclared identifier 'x'")
    assert [(note.line, note.macro) for note in error.notes] == [(3, "OUTER")]
    assert (warning.kind, warning.text, warning.flag) == (WARNING, "result unused", "-Wunused-result")


def test_what_several_passes_repeat_is_there_once() -> None:
    assert len(parse("a.hip:1:1: error: e\na.hip:1:1: error: e\na.hip:1:2: error: e\n")) == 2


def test_the_way_to_a_header_holds_for_all_messages_in_it() -> None:
    first, second, third = parse(
        "In file included from main.hip:4:\n"
        "In file included from /opt/x.h:9:\n"
        "/opt/y.h:1:1: error: one\n"
        "/opt/y.h:2:1: error: two\n"
        "main.hip:7:1: error: three\n"
    )
    assert first.included_from == second.included_from == (Spot("main.hip", 4), Spot("/opt/x.h", 9))
    assert third.included_from == ()


def test_nvcc() -> None:
    (found,) = parse(
        'main.hip(14): error: identifier "no_such" is undefined\n\n1 error detected in the compilation of "main.hip".\n'
    )
    assert (found.spot, found.text) == (Spot("main.hip", 14), 'identifier "no_such" is undefined')


def test_linkers_and_drivers() -> None:
    found = parse(
        "ld.lld: error: undefined symbol: launch(float*, int)\n"
        ">>> referenced by main.hip\n"
        "/usr/bin/ld: main.o: in function `main':\n"
        "main.hip:(.text+0x5): undefined reference to `hipFlyingSaucer'\n"
        "/usr/bin/ld: cannot find -lhipblas: No such file or directory\n"
        "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n"
        "collect2: error: ld returned 1 exit status\n"
        "clang-15: error: unknown argument: '-foo'\n"
        "cc1plus: fatal error: none.h: No such file or directory\n"
        "compilation terminated.\n"
    )
    assert [(d.text, d.symbol) for d in found] == [
        ("undefined symbol: launch(float*, int)", "launch(float*, int)"),
        ("undefined symbol: hipFlyingSaucer", "hipFlyingSaucer"),
        ("library not found: hipblas", ""),
        ("unknown argument: '-foo'", ""),
        ("none.h: No such file or directory", ""),
    ]
    assert all(d.spot.line == 0 for d in found)


def test_nothing_is_read_out_of_other_text() -> None:
    assert parse("main.hip: compiling\n1 warning generated.\nRemark: 3:4: done\n") == []
