"""Findings as comments in the output: where they may stand, and that they stand there once."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify.emit.annotate import annotate
from hipify.emit.rewriter import apply
from hipify.model import Edit, Finding, Options, Severity, Translation
from hipify.pipeline import translate


def spot(data: bytes, word: bytes, message: str = "look here", identity: str = "HPY301") -> Finding:
    start = data.index(word)
    line, column = data.count(b"\n", 0, start) + 1, start - (data.rfind(b"\n", 0, start) + 1) + 1
    place = (line, column, line, column + len(word))
    return Finding(identity, Severity.ERROR, "a.cu", *place, message, start=start, end=start + len(word))


def annotated(data: bytes, *words: bytes, edits: tuple[Edit, ...] = ()) -> bytes:
    findings = tuple(spot(data, word) for word in words)
    return annotate(Translation("a.cu", data, apply(data, edits), edits, findings, ())).output


NOTE = b"// HPY301: look here\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"int a;\n  bad();\n", b"int a;\n  %s  bad();\n"),
        (b"bad();", b"%sbad();"),
        (b"\xef\xbb\xbfbad();\n", b"\xef\xbb\xbf%sbad();\n"),
        (b"\tx();\n\tbad();\n", b"\tx();\n\t%s\tbad();\n"),
        (
            b"int a;\n#define M(x) \\\n  y(x); \\\n  bad(x)\nint b;\n",
            b"int a;\n%s#define M(x) \\\n  y(x); \\\n  bad(x)\nint b;\n",
        ),
        (b'f("one\\\ntwo", bad);\n', b'%sf("one\\\ntwo", bad);\n'),
        (b'g(1,\n  R"(a\nb)", bad);\n', b'g(1,\n  %s  R"(a\nb)", bad);\n'),
        (b"/* a\n b */ bad();\n", b"%s/* a\n b */ bad();\n"),
        (b"// a \\\n b\nbad();\n", b"// a \\\n b\n%sbad();\n"),
        (b"x = a \\\n  + bad;\n", b"%sx = a \\\n  + bad;\n"),
        (b"#if A /* one\n two */ && bad\n#endif\n", b"%s#if A /* one\n two */ && bad\n#endif\n"),
        (b"f(a,\n  bad,\n  c);\n", b"f(a,\n  %s  bad,\n  c);\n"),
    ],
)
def test_a_comment_stands_above_the_line_where_it_changes_nothing(before: bytes, after: bytes) -> None:
    assert annotated(before, b"bad") == after.replace(b"%s", NOTE)


def test_line_ends_are_kept() -> None:
    assert annotated(b"a();\r\nbad();\r\n", b"bad") == b"a();\r\n// HPY301: look here\r\nbad();\r\n"


def test_several_findings_of_a_line_and_the_same_one_twice() -> None:
    data = b"  bad(bed);\n"
    findings = (spot(data, b"bad"), spot(data, b"bed", "two\n lines \\", "HPY401"), spot(data, b"bed"))
    made = annotate(Translation("a.cu", data, data, (), findings, ()))
    assert made.output == b"  // HPY301: look here\n  // HPY401: two lines \\.\n  bad(bed);\n"
    assert [finding.output_line for finding in made.findings] == [3, 3, 3]


def test_comments_follow_what_edits_moved_and_stand_inside_of_what_they_wrote() -> None:
    data = b"one();\ntwo(); bad();\nthree(bed);\n"
    at = data.index(b"two")
    edits = (Edit(0, 0, b"#include <x>\n"), Edit(at, at, b"new();\n"), Edit(at, at + 6, b"2();\n\n"))
    made = annotate(Translation("a.cu", data, apply(data, edits), edits, (spot(data, b"bad"), spot(data, b"bed")), ()))
    assert (
        made.output == b"#include <x>\none();\nnew();\n2();\n\n // HPY301: look here\n bad();\n%sthree(bed);\n" % NOTE
    )
    assert apply(data, made.edits) == made.output


CODE = (
    b"#include <cuda_runtime.h>\n"
    b"#define SUM(v) \\\n  __shfl_down_sync(0xffffffff, v, 1)\n"
    b'__global__ void k(float* x) {\n  asm volatile("membar.gl;"\n    :: : "memory");\n  x[0] = SUM(x[1]);\n}\n'
)


def test_a_second_run_over_the_output_adds_nothing() -> None:
    options = Options(clang=False, warp="report")
    once = annotate(translate(CODE, "a.cu", options))
    assert once.output.count(b"// HPY") == len({(f.id, f.message) for f in once.findings}) >= 2
    twice = annotate(translate(once.output, "a.cu", options))
    assert twice.output == once.output


def test_lines_that_a_message_names_are_those_of_the_output() -> None:
    data = b"int a;\nbad();\nworse();\nlast();\n"
    edits = (Edit(0, 0, b"#include <x>\n"),)
    findings = (
        spot(data, b"bad", "it takes the branch at line 4 (#else)"),
        spot(data, b"worse", "one"),
        spot(data, b"last", "the branch at line 2 and 3"),
    )
    made = annotate(Translation("a.cu", data, apply(data, edits), edits, findings, ()))
    assert made.output == (
        b"#include <x>\nint a;\n// HPY301: it takes the branch at line 8 (#else)\nbad();\n// HPY301: one\nworse();\n"
        b"// HPY301: the branch at line 4 and 3\nlast();\n"
    )
    again = [spot(made.output, b"bad", "it takes the branch at line 9 (#else)")]
    assert annotate(Translation("a.cu", made.output, made.output, (), tuple(again), ())).output == made.output


TEXTS = st.lists(
    st.sampled_from([b"x ", b"\n", b"\r\n", b"\\\n", b'"', b"/*", b"*/", b"//", b"#define A ", b'R"(', b')"', b"'"]),
    max_size=14,
).map(b"".join)


@given(TEXTS, TEXTS, st.booleans())
def test_code_without_its_comments_is_the_same_whatever_stands_around(before: bytes, behind: bytes, edit: bool) -> None:
    data = before + b"bad" + behind
    at = data.index(b"bad")
    edits = (Edit(at, at, b"y\nz "),) if edit else ()
    output = apply(data, edits)
    made = annotated(data, b"bad", edits=edits)
    kept = [line for line in made.splitlines(keepends=True) if not line.lstrip().startswith(b"// HPY301")]
    assert b"".join(kept) == output
    assert len(kept) == len(made.splitlines()) - 1


def test_the_compiler_sees_the_same_program(tmp_path: Path) -> None:
    data = (
        b'#include <stdio.h>\n#define TWICE(x) \\\n  ((x) + \\\n   (x))\nint main() {\n  const char* s = "a\\\nb";\n'
        b'  const char* r = R"(c\nd)"; /* e\n f */ printf("%s %s %d\\n", s, r, TWICE(2)); // g \\\n h\n  return 0;\n}\n'
    )
    findings = tuple(spot(data, word) for word in (b"(x))", b'b"', b"d)", b"printf(", b"return"))
    made = annotate(Translation("a.cu", data, data, (), findings, ())).output
    assert made.count(b"// HPY301") == 4
    outputs = []
    for name, text in (("plain", data), ("noted", made)):
        source = tmp_path / f"{name}.cpp"
        source.write_bytes(text)
        subprocess.run(["clang++-22", "-std=c++17", str(source), "-o", str(tmp_path / name)], check=True)
        outputs.append(subprocess.run([str(tmp_path / name)], check=True, capture_output=True).stdout)
    assert outputs[0] == outputs[1] == b"ab c\nd 4\n"
