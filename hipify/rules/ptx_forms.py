"""PTX instructions that compute a value: what they take, what they give, and the C++ that computes it.

A form without text of its own is a function of a helper header, named as the instruction.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from hipify.records import NamedTuple

INT32, INT64 = ("u32", "s32"), ("u64", "s64")
INT = INT32 + INT64
BITS = ("b32", "b64")
SAME_BITS = {
    "f16": "b16", "bf16": "b16", "f16x2": "b32", "bf16x2": "b32", "f32x2": "b64", "e4m3x2": "b16", "e5m2x2": "b16",
}  # fmt: skip
"""Types whose registers C++ has as integers of their size."""

TYPES = {
    "u8": "unsigned char", "s8": "signed char", "b8": "unsigned char", "u16": "unsigned short", "s16": "short",
    "b16": "unsigned short", "u32": "unsigned int", "s32": "int", "b32": "unsigned int", "u64": "unsigned long long",
    "s64": "long long", "b64": "unsigned long long", "f32": "float", "f64": "double", "pred": "bool",
}  # fmt: skip
"""The C++ types of PTX's registers and memory."""

# Where an instruction finds its function; `hipify_ptx` is the plain one.
FLOAT, WARP = "hipify_ptx_float", "hipify_ptx_warp"
_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNSIGNED_COMPARE = {"lo": "<", "ls": "<=", "hi": ">", "hs": ">="}


class Form(NamedTuple):
    """The types of an instruction's result and values; its C++ over `{a}`, `{b}`, `{c}`, `{d}`.

    `carry` says what it does with the carry flag: 'r' reads it, 'w' writes it.
    """

    result: str
    values: tuple[str, ...]
    text: str
    carry: str = ""


@functools.cache
def forms() -> dict[str, Form]:
    """Every form by its opcode."""
    return {opcode: form for family in _FAMILIES for opcode, form in family()}


def _call(opcode: str, values: Iterable[str], result: str, space: str = "hipify_ptx") -> tuple[str, Form]:
    values = tuple(values)
    arguments = ", ".join(f"{{{'abcd'[i]}}}" for i in range(len(values)))
    return opcode, Form(result, values, f"{space}::{opcode.replace('.', '_').replace('::', '_')}({arguments})")


def _carries() -> Iterator[tuple[str, Form]]:
    """Arithmetic of many words: the carry goes on in a variable."""
    for kind in INT:
        plain = "u" + kind[1:]
        for base, count in (("add", 2), ("sub", 2), ("mad.lo", 3), ("mad.hi", 3)):
            first, _, half = base.partition(".")
            tail = "." + half if half else ""
            number = kind if half == "hi" else plain
            for name, carry in ((f"{first}{tail}.cc", "w"), (f"{first}c{tail}", "r"), (f"{first}c{tail}.cc", "rw")):
                values = ", ".join(f"{{{'abc'[i]}}}" for i in range(count))
                text = f"hipify_ptx::{name.replace('.', '_')}<{TYPES[number]}>({values}, ptx_carry)"
                yield f"{name}.{kind}", Form(plain, (number,) * (count - 1) + (plain,), text, carry)


def _integers() -> Iterator[tuple[str, Form]]:
    for kind in (*INT, "u16", "s16"):
        for name, function in (("div", "quotient"), ("rem", "remainder")):
            text = f"hipify_ptx::{function}<{TYPES[kind]}>({{a}}, {{b}})"
            yield f"{name}.{kind}", Form(kind, (kind, kind), text)
    for kind in INT:
        yield _call(f"mad.hi.{kind}", (kind, kind, kind), kind)
        if kind[0] == "s":
            yield f"abs.{kind}", Form(kind, (kind,), "hipify_ptx::absolute({a})")
            yield f"neg.{kind}", Form("u" + kind[1:], ("u" + kind[1:],), "0u - {a}")
    for sign in "us":
        yield _call(f"mul.wide.{sign}16", (f"{sign}16", f"{sign}16"), f"{sign}32")
        yield _call(f"mad.wide.{sign}16", (f"{sign}16", f"{sign}16", f"{sign}32"), f"{sign}32")
        yield _call(f"mad.wide.{sign}32", (f"{sign}32", f"{sign}32", f"{sign}64"), f"{sign}64")
        for name in ("mul24.lo", "mul24.hi"):
            yield _call(f"{name}.{sign}32", (f"{sign}32",) * 2, f"{sign}32")
        for name in ("mad24.lo", "mad24.hi"):
            yield _call(f"{name}.{sign}32", (f"{sign}32",) * 3, f"{sign}32")
        for other in "us":
            result = "u32" if sign == other == "u" else "s32"
            for name in ("dp4a", "dp2a.lo", "dp2a.hi"):
                if sign != other or name != "dp4a":
                    yield _call(f"{name}.{sign}32.{other}32", ("u32", "u32", "u32"), result)
        short = f"{sign}16"
        for name, sign_of in (("add", "+"), ("sub", "-"), ("mul.lo", "*")):
            yield f"{name}.{short}", Form(short, (short, short), f"({TYPES[short]})({{a}} {sign_of} {{b}})")
        for name in ("min", "max"):
            yield f"{name}.{short}", Form(short, (short, short), f"hipify_ptx::{name}_of({{a}}, {{b}})")
    for name in ("add.sat", "sub.sat"):
        yield _call(f"{name}.s32", ("s32", "s32"), "s32")
    for width in ("16", "32", "64"):
        kind = f"b{width}"
        yield _call(f"cnot.{kind}", (kind,), kind)
        yield f"shr.{kind}", Form(kind, (kind, "u32"), f"hipify_ptx::shr_u{width}({{a}}, {{b}})")
        if width == "16":
            for name, sign_of in (("and", "&"), ("or", "|"), ("xor", "^")):
                yield f"{name}.b16", Form(kind, (kind, kind), f"(unsigned short)({{a}} {sign_of} {{b}})")
            yield "not.b16", Form(kind, (kind,), "(unsigned short)~{a}")
            yield _call("shl.b16", ("b16", "u32"), "b16")
            yield _call("shr.u16", ("u16", "u32"), "u16")
            yield _call("shr.s16", ("s16", "u32"), "s16")


def _predicates() -> Iterator[tuple[str, Form]]:
    """Comparisons and choices."""
    for name, sign_of in (("and", "&&"), ("or", "||"), ("xor", "!=")):
        yield f"{name}.pred", Form("pred", ("pred", "pred"), f"{{a}} {sign_of} {{b}}")
    yield "not.pred", Form("pred", ("pred",), "!{a}")
    yield "mov.pred", Form("pred", ("pred",), "{a}")
    for kind in TYPES:
        if kind[1:] == "8" or kind == "pred":
            continue
        result = kind if kind[0] == "f" else "b" + kind[1:]
        yield f"selp.{kind}", Form(result, (result, result, "pred"), "({c} ? {a} : {b})")
        yield f"slct.{kind}.s32", Form(result, (result, result, "s32"), "({c} >= 0 ? {a} : {b})")
        yield f"slct.{kind}.f32", Form(result, (result, result, "f32"), "({c} >= 0.0f ? {a} : {b})")
        for word, text in _comparisons(kind):
            yield f"setp.{word}.{kind}", Form("pred", (kind, kind), text)
            for name, sign_of in (("and", "&&"), ("or", "||"), ("xor", "!=")):
                combined = f"({text}) {sign_of} {{c}}"
                yield f"setp.{word}.{name}.{kind}", Form("pred", (kind, kind, "pred"), combined)
            yield f"set.{word}.u32.{kind}", Form("u32", (kind, kind), f"({text}) ? 0xffffffffu : 0u")
            yield f"set.{word}.s32.{kind}", Form("s32", (kind, kind), f"({text}) ? -1 : 0")
            yield f"set.{word}.f32.{kind}", Form("f32", (kind, kind), f"({text}) ? 1.0f : 0.0f")


def _comparisons(kind: str) -> Iterator[tuple[str, str]]:
    """PTX's words for comparing two values of a type, and the C++."""
    if kind[0] == "f":
        for word, sign_of in _COMPARE.items():
            text = f"{{a}} {sign_of} {{b}}"
            numbers = "{a} == {a} && {b} == {b}"
            yield word, f"{text} && {numbers}" if word == "ne" else text
            yield word + "u", text if word == "ne" else f"!({numbers}) || {text}"
        yield "num", "{a} == {a} && {b} == {b}"
        yield "nan", "{a} != {a} || {b} != {b}"
        return
    for word, sign_of in _COMPARE.items():
        if kind[0] != "b" or word in ("eq", "ne"):
            yield word, f"{{a}} {sign_of} {{b}}"
    if kind[0] == "u":
        for word, sign_of in _UNSIGNED_COMPARE.items():
            yield word, f"{{a}} {sign_of} {{b}}"


def _conversions() -> Iterator[tuple[str, Form]]:
    """`cvt` between integers, between integers and floats, and between floats."""
    numbers = [k for k in TYPES if k[0] in "us" and k != "pred"]
    for to in numbers:
        for source in numbers:
            yield f"cvt.{to}.{source}", Form(to, (source,), f"({TYPES[to]}){{a}}")
            if _exceeds(source, to):
                yield f"cvt.sat.{to}.{source}", Form(to, (source,), f"hipify_ptx::saturate<{TYPES[to]}>({{a}})")
        for source in ("f32", "f64"):
            for rounding in ("rni", "rzi", "rmi", "rpi"):
                text = f"{FLOAT}::to_integer<{TYPES[to]}>({FLOAT}::{rounding}({{a}}))"
                yield f"cvt.{rounding}.{to}.{source}", Form(to, (source,), text)
                yield f"cvt.{rounding}.sat.{to}.{source}", Form(to, (source,), text)
                if source == "f32":
                    flushed = text.replace("{a}", f"{FLOAT}::flush({{a}})")
                    yield f"cvt.{rounding}.ftz.{to}.f32", Form(to, ("f32",), flushed)
                    yield f"cvt.{rounding}.ftz.sat.{to}.f32", Form(to, ("f32",), flushed)
        for rounding in ("rni", "rzi", "rmi", "rpi"):
            wide = f"{FLOAT}::to_integer<{TYPES[to]}>({FLOAT}::{rounding}({FLOAT}::cvt_f32_f16({{a}})))"
            yield f"cvt.{rounding}.{to}.f16", Form(to, ("f16",), wide)
            yield f"cvt.{rounding}.sat.{to}.f16", Form(to, ("f16",), wide)
        yield f"cvt.rn.f32.{to}", Form("f32", (to,), "(float){a}")
        yield f"cvt.rn.f64.{to}", Form("f64", (to,), "(double){a}")
        if to[1:] in ("8", "16"):
            yield f"cvt.rn.f16.{to}", Form("f16", (to,), f"{FLOAT}::cvt_rn_f16_f32((float){{a}})")
    for rounding in ("rni", "rzi", "rmi", "rpi"):
        for kind in ("f32", "f64"):
            yield f"cvt.{rounding}.{kind}.{kind}", Form(kind, (kind,), f"{FLOAT}::{rounding}({{a}})")
    yield "cvt.f64.f32", Form("f64", ("f32",), "(double){a}")
    yield "cvt.rn.f32.f64", Form("f32", ("f64",), "(float){a}")
    yield "cvt.sat.f32.f32", Form("f32", ("f32",), f"{FLOAT}::saturate({{a}})")
    yield "cvt.ftz.f32.f16", Form("f32", ("f16",), f"{FLOAT}::cvt_f32_f16({{a}})")
    for opcode, values, result in (
        ("cvt.f32.f16", ("f16",), "f32"), ("cvt.rn.f16.f32", ("f32",), "f16"), ("cvt.rz.f16.f32", ("f32",), "f16"),
        ("cvt.rn.f16x2.f32", ("f32", "f32"), "f16x2"), ("cvt.f32.bf16", ("bf16",), "f32"),
        ("cvt.rn.bf16.f32", ("f32",), "bf16"), ("cvt.rz.bf16.f32", ("f32",), "bf16"),
        ("cvt.rn.bf16x2.f32", ("f32", "f32"), "bf16x2"), ("cvt.rz.bf16x2.f32", ("f32", "f32"), "bf16x2"),
        ("cvt.rn.relu.f16x2.f32", ("f32", "f32"), "f16x2"), ("cvt.rn.relu.bf16x2.f32", ("f32", "f32"), "bf16x2"),
        ("cvt.rna.tf32.f32", ("f32",), "b32"),
        ("cvt.rn.satfinite.e4m3x2.f32", ("f32", "f32"), "e4m3x2"),
        ("cvt.rn.satfinite.e5m2x2.f32", ("f32", "f32"), "e5m2x2"),
        ("cvt.rn.satfinite.e4m3x2.f16x2", ("f16x2",), "e4m3x2"),
        ("cvt.rn.satfinite.e5m2x2.f16x2", ("f16x2",), "e5m2x2"),
        ("cvt.rn.f16x2.e4m3x2", ("e4m3x2",), "f16x2"), ("cvt.rn.f16x2.e5m2x2", ("e5m2x2",), "f16x2"),
    ):  # fmt: skip
        yield _call(opcode, values, result, FLOAT)
    for kind in ("s8", "u8"):
        text = f"hipify_ptx::pack_saturated<{TYPES[kind]}, 8>({{a}}, {{b}}, {{c}})"
        yield f"cvt.pack.sat.{kind}.s32.b32", Form("u32", ("s32", "s32", "u32"), text)
    for kind in ("s16", "u16"):
        yield (
            f"cvt.pack.sat.{kind}.s32",
            Form("u32", ("s32", "s32"), f"hipify_ptx::pack_saturated<{TYPES[kind]}, 16>({{a}}, {{b}}, 0u)"),
        )


def _exceeds(source: str, to: str) -> bool:
    """Whether an integer of one type may be none of the other."""
    wider = int(source[1:]) - int(to[1:])
    return wider > 0 or (source[0] == "s" and to[0] == "u") or (wider == 0 and source[0] != to[0])


_APPROXIMATE = (
    ("ex2.approx", 1), ("lg2.approx", 1), ("rcp.approx", 1), ("rsqrt.approx", 1), ("sqrt.approx", 1),
    ("sin.approx", 1), ("cos.approx", 1), ("div.full", 2),
)  # fmt: skip
"""Instructions of which PTX says how near the result must be: their functions are at least as near."""


def _floats() -> Iterator[tuple[str, Form]]:
    for kind in ("f32", "f64"):
        for name, count in (("add", 2), ("sub", 2), ("mul", 2)):
            for opcode in (f"{name}.{kind}", f"{name}.rn.{kind}"):
                arguments = "{a}, {b}"
                yield opcode, Form(kind, (kind,) * count, f"{FLOAT}::{name}({arguments})")
        yield f"div.rn.{kind}", Form(kind, (kind, kind), f"{FLOAT}::divide({{a}}, {{b}})")
        yield f"rcp.rn.{kind}", Form(kind, (kind,), f"{FLOAT}::divide({TYPES[kind]}(1), {{a}})")
        yield f"sqrt.rn.{kind}", Form(kind, (kind,), f"{FLOAT}::root({{a}})")
        yield f"neg.{kind}", Form(kind, (kind,), f"{FLOAT}::negative({{a}})")
        yield f"abs.{kind}", Form(kind, (kind,), f"{FLOAT}::absolute({{a}})")
        yield f"copysign.{kind}", Form(kind, (kind, kind), f"{FLOAT}::copysign({{a}}, {{b}})")
        yield f"min.{kind}", Form(kind, (kind, kind), f"{FLOAT}::smaller({{a}}, {{b}})")
        yield f"max.{kind}", Form(kind, (kind, kind), f"{FLOAT}::larger({{a}}, {{b}})")
        for name in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            yield f"testp.{name}.{kind}", Form("pred", (kind,), f"{FLOAT}::is_{name}({{a}})")
    for name, function in (("max", "larger"), ("min", "smaller")):
        text = f"{FLOAT}::{function}({FLOAT}::{function}({{a}}, {{b}}), {{c}})"
        yield f"{name}.f32/3", Form("f32", ("f32",) * 3, text)
    for rounding, tail in (("rz", "rz"), ("rm", "rd"), ("rp", "ru")):  # functions of hipify_rounding.h
        for kind, letter in (("f32", "f"), ("f64", "d")):
            for name, count in (("add", 2), ("sub", 2), ("mul", 2), ("div", 2), ("sqrt", 1), ("rcp", 1)):
                values = ", ".join(f"{{{x}}}" for x in "abc"[:count])
                yield f"{name}.{rounding}.{kind}", Form(kind, (kind,) * count, f"__{letter}{name}_{tail}({values})")
            fused = f"__fma{'f' * (kind == 'f32')}_{tail}({{a}}, {{b}}, {{c}})"
            yield f"fma.{rounding}.{kind}", Form(kind, (kind,) * 3, fused)
    yield "max.NaN.f32", Form("f32", ("f32", "f32"), f"{FLOAT}::larger_nan({{a}}, {{b}})")
    yield "min.NaN.f32", Form("f32", ("f32", "f32"), f"{FLOAT}::smaller_nan({{a}}, {{b}})")
    yield from _flushed()
    for name, count in _APPROXIMATE:
        yield _call(f"{name}.f32", ("f32",) * count, "f32", FLOAT)
        text = f"{FLOAT}::flush({FLOAT}::{name.replace('.', '_')}_f32("
        text += ", ".join(f"{FLOAT}::flush({{{'ab'[i]}}})" for i in range(count)) + "))"
        yield f"{name}.ftz.f32", Form("f32", ("f32",) * count, text)
    yield _call("tanh.approx.f32", ("f32",), "f32", FLOAT)
    for name in ("tanh", "ex2"):
        text = f"{FLOAT}::halves({{a}}, {{a}}, {FLOAT}::{name}_half())"
        yield f"{name}.approx.f16x2", Form("f16x2", ("f16x2",), text)
        yield f"{name}.approx.f16", Form("f16", ("f16",), f"{FLOAT}::{name}_half()({{a}}, {{a}})")


def _flushed() -> Iterator[tuple[str, Form]]:
    """Subnormal values count as zeros, with their sign."""
    a, b = (f"{FLOAT}::flush({{{x}}})" for x in "ab")
    for name in ("add", "sub", "mul"):
        for opcode in (f"{name}.f32x2", f"{name}.rn.f32x2"):
            yield opcode, Form("f32x2", ("f32x2",) * 2, f"{FLOAT}::{name}_f32x2({{a}}, {{b}})")
        one, two = f"{FLOAT}::mul_ftz({{a}}, {{b}})", f"{FLOAT}::mul_ftz_f32x2({{a}}, {{b}})"
        if name != "mul":  # a sum that is subnormal is exact
            one = f"{FLOAT}::flush({FLOAT}::{name}({a}, {b}))"
            two = f"{FLOAT}::flush2({FLOAT}::{name}_f32x2({FLOAT}::flush2({{a}}), {FLOAT}::flush2({{b}})))"
        for rounding in ("", ".rn"):
            yield f"{name}{rounding}.ftz.f32", Form("f32", ("f32", "f32"), one)
            yield f"{name}{rounding}.ftz.f32x2", Form("f32x2", ("f32x2",) * 2, two)
    yield "fma.rn.ftz.f32", Form("f32", ("f32",) * 3, f"{FLOAT}::fma_ftz({{a}}, {{b}}, {{c}})")
    yield "fma.rn.f32x2", Form("f32x2", ("f32x2",) * 3, f"{FLOAT}::fma_f32x2({{a}}, {{b}}, {{c}})")
    yield "fma.rn.ftz.f32x2", Form("f32x2", ("f32x2",) * 3, f"{FLOAT}::fma_ftz_f32x2({{a}}, {{b}}, {{c}})")
    for name, function in (("max", "larger"), ("min", "smaller")):
        yield f"{name}.ftz.f32", Form("f32", ("f32", "f32"), f"{FLOAT}::{function}({a}, {b})")
    for name, function in (("neg", "negative"), ("abs", "absolute")):
        yield f"{name}.ftz.f32", Form("f32", ("f32",), f"{FLOAT}::{function}({a})")
    yield "add.sat.f32", Form("f32", ("f32", "f32"), f"{FLOAT}::saturate({FLOAT}::add({{a}}, {{b}}))")
    yield "mul.sat.f32", Form("f32", ("f32", "f32"), f"{FLOAT}::saturate({FLOAT}::mul({{a}}, {{b}}))")
    yield "fma.rn.sat.f32", Form("f32", ("f32",) * 3, f"{FLOAT}::saturate({FLOAT}::fused({{a}}, {{b}}, {{c}}))")


def _halves() -> Iterator[tuple[str, Form]]:
    """Arithmetic of half precision, of one number and of two in a word."""
    for name, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("min", 2), ("max", 2)):
        roundings = ("", ".rn") if name in ("add", "sub", "mul") else (".rn",) if name == "fma" else ("",)
        for kind in ("f16", "bf16"):
            for rounding in roundings:
                arguments = ", ".join(f"{{{x}}}" for x in "abc"[:count])
                operation = f"{FLOAT}::{name}_{kind}()"
                yield f"{name}{rounding}.{kind}", Form(kind, (kind,) * count, f"{operation}({arguments})")
                text = f"{FLOAT}::halves({arguments}, {operation})"
                yield f"{name}{rounding}.{kind}x2", Form(kind + "x2", (kind + "x2",) * count, text)
    for kind in ("f16", "bf16"):
        yield f"neg.{kind}", Form(kind, (kind,), "(unsigned short)({a} ^ 0x8000u)")
        yield f"abs.{kind}", Form(kind, (kind,), "(unsigned short)({a} & 0x7fffu)")
        yield f"neg.{kind}x2", Form(kind + "x2", (kind + "x2",), "{a} ^ 0x80008000u")
        yield f"abs.{kind}x2", Form(kind + "x2", (kind + "x2",), "{a} & 0x7fff7fffu")


def _video() -> Iterator[tuple[str, Form]]:
    """Video instructions on whole words: computed in more bits, then cut or saturated, then combined with a third."""
    for to in INT32:
        for source in INT32:
            a, b = "(long long){a}", "(long long){b}"
            for name, text in (
                ("vadd", f"{a} + {b}"), ("vsub", f"{a} - {b}"), ("vabsdiff", f"hipify_ptx::absolute({a} - {b})"),
                ("vmin", f"hipify_ptx::min_of({a}, {b})"), ("vmax", f"hipify_ptx::max_of({a}, {b})"),
            ):  # fmt: skip
                opcode = f"{name}.{to}.{source}.{source}"
                cut, fitted = f"({TYPES[to]})({text})", f"hipify_ptx::saturate<{TYPES[to]}>({text})"
                yield opcode, Form(to, (source, source), cut)
                added = f"({TYPES[to]})((unsigned int)({{}}) + (unsigned int){{{{c}}}})"
                yield f"{opcode}.add", Form(to, (source, source, to), added.format(cut))
                if opcode != "vadd.u32.u32.u32":  # GPUs do not saturate this one, as PTX says they do
                    yield f"{opcode}.sat", Form(to, (source, source), fitted)
                    yield f"{opcode}.sat.add", Form(to, (source, source, to), added.format(fitted))
    for name in ("shl", "shr"):
        for mode, shift in (("clamp", "{b}"), ("wrap", "({b} & 31u)")):
            function = "shl_b32" if name == "shl" else "shr_u32"
            text = f"hipify_ptx::{function}({{a}}, {shift})"
            yield f"v{name}.u32.u32.u32.{mode}", Form("u32", ("u32", "u32"), text)
            yield f"v{name}.u32.u32.u32.{mode}.add", Form("u32", ("u32", "u32", "u32"), f"{text} + {{c}}")
    yield "vmad.u32.u32.u32", Form("u32", ("u32", "u32", "u32"), "{a} * {b} + {c}")


def _lanes() -> Iterator[tuple[str, Form]]:
    """What the lanes of a warp of 32 do together."""
    for mode in ("up", "down", "bfly", "idx"):
        for opcode in (f"shfl.{mode}.b32", f"shfl.sync.{mode}.b32"):
            values = ("b32", "u32", "u32") + (("u32",) if "sync" in opcode else ())
            yield opcode, Form("b32", values, f"{WARP}::shfl_{mode}({{a}}, {{b}}, {{c}})")
    for name in ("any", "all", "uni"):
        yield f"vote.sync.{name}.pred", Form("pred", ("pred", "u32"), f"hipify::{name}_sync({{b}}, {{a}}) != 0")
    for name in ("any", "all"):
        yield f"vote.{name}.pred", Form("pred", ("pred",), f"hipify::{name}({{a}}) != 0")
    yield "vote.sync.ballot.b32", Form("b32", ("pred", "u32"), "hipify::ballot_sync({b}, {a})")
    yield "vote.ballot.sync.b32", Form("b32", ("pred", "u32"), "hipify::ballot_sync({b}, {a})")
    yield "vote.ballot.b32", Form("b32", ("pred",), "hipify::ballot({a})")
    yield "activemask.b32", Form("b32", (), "hipify::activemask()")
    for width in ("32", "64"):
        value, mask = f"b{width}", "u32"
        yield f"match.any.sync.b{width}", Form("b32", (value, mask), "hipify::match_any_sync({b}, {a})")
    for name, kinds in (
        ("add", INT32),
        ("min", INT32),
        ("max", INT32),
        ("and", ("b32",)),
        ("or", ("b32",)),
        ("xor", ("b32",)),
    ):
        for kind in kinds:
            yield f"redux.sync.{name}.{kind}", Form(kind, (kind, "u32"), f"hipify::reduce_{name}_sync({{b}}, {{a}})")


_FAMILIES = (_carries, _integers, _predicates, _conversions, _floats, _halves, _video, _lanes)
