"""Inline PTX: what a template says once its literals are joined, which opcodes and operands it has."""

import pytest

from hipify.parser.ptx import Instruction, literal_value, opcodes, parse, special_registers, template_text


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        (rb'"a\n\tb"', b"a\n\tb"),
        (rb'"\x41\101\\\""', b'AA\\"'),
        (b'R"x(raw \\n)x"', b"raw \\n"),
        (b'u8"t"', b"t"),
        (b'"split\\\nline"', b"splitline"),
        (b'"open', b"open"),
    ],
)
def test_a_literal_stands_for(token: bytes, expected: bytes) -> None:
    assert literal_value(token) == expected


def test_adjacent_literals_join_and_percent_is_unescaped() -> None:
    assert template_text([b'"mov.u32 "', b'"%0, %%laneid;"']) == "mov.u32 %0, %laneid;"


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("mov.u32 %0, %smid;", ["mov.u32"]),
        ("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p ld.global.f32 %1, [%2]; }", ["setp.ne.b32", "ld.global.f32"]),
        ("@!p bra DONE; DONE: ret;", ["bra", "ret"]),
        ("// add.s32 comment\nsub.s32 %0, %1, %2;", ["sub.s32"]),
        ("add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5; add.cc.u32 %0, %2, %4;", ["add.cc.u32", "addc.u32"]),
        (
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1}, {%2}, {%3}, {%0, %1};",
            ["mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"],
        ),
        ("mbarrier.try_wait.parity.shared::cta.b64 P, [%0], %1;", ["mbarrier.try_wait.parity.shared::cta.b64"]),
        ("pause", []),
        ("", []),
        ("trap;", ["trap"]),
    ],
)
def test_opcodes(template: str, expected: list[str]) -> None:
    assert opcodes(template) == expected


def test_special_registers() -> None:
    assert special_registers("mov.u32 %0, %lanemask_lt; add.u32 %1, %tid.x, %laneid; mov.u32 %2, %laneid;") == [
        "%lanemask_lt",
        "%tid.x",
        "%laneid",
    ]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("mov.u32 %0, %smid;", [Instruction("mov.u32", ("%0", "%smid"))]),
        ("@!p st.shared.v2.f32 [%0+16], {%1, %2};", [Instruction("st.shared.v2.f32", ("[%0+16]", "{%1, %2}"), "!p")]),
        ("mov.f32 %0, 0f3F800000;", [Instruction("mov.f32", ("%0", "0f3F800000"))]),
        ("elect.sync _|p, 0xffffffff;", [Instruction("elect.sync", ("_|p", "0xffffffff"))]),
        (
            "cp.async.bulk.tensor.2d.shared::cluster.global [%0], [%1, {%3, %4}], [%2];",
            [Instruction("cp.async.bulk.tensor.2d.shared::cluster.global", ("[%0]", "[%1, {%3, %4}]", "[%2]"))],
        ),
        ("ret;", [Instruction("ret")]),
        (
            "{ .reg .b32 t; loop: add.s32 t, %1, -1; bra loop; }",
            [
                Instruction("add.s32", ("t", "%1", "-1")),
                Instruction("bra", ("loop",)),
            ],
        ),
        ("mov.u32 %0, ???;", [Instruction("mov.u32")]),
    ],
)
def test_operands(template: str, expected: list[Instruction]) -> None:
    assert parse(template) == expected


def test_both_readings_agree_on_opcodes() -> None:
    template = (
        "{ .reg .pred q; setp.eq.s32 q, %1, 0; @q bra L; ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4]; L: membar.gl; }"
    )
    assert list(dict.fromkeys(i.opcode for i in parse(template))) == opcodes(template)


def test_an_opcode_has_a_base() -> None:
    assert Instruction("ld.global.f32").base == "ld"
