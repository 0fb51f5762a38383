"""hipify_ptx.h, run on the CPU, against PTX's own definitions written bit by bit."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Sequence

import pytest

from tests.include.test_helper_headers import WORDS, build

U32, S32, U64, S64 = ctypes.c_uint32, ctypes.c_int32, ctypes.c_uint64, ctypes.c_int64
_NAMES = {U32: "unsigned int", S32: "int", U64: "unsigned long long", S64: "long long"}
Type = type[ctypes.c_uint32] | type[ctypes.c_int32] | type[ctypes.c_uint64] | type[ctypes.c_int64]


def bit(value: int, place: int) -> int:
    return value >> place & 1


def place(width: int, value: int) -> int:
    """A position or a length, as GPUs read it: of 64-bit words not the low byte alone."""
    return value & 0xFF if width == 32 else min(value, 255)


def bfe(width: int, signed: bool) -> Callable[[int, int, int], int]:
    def extract(a: int, b: int, c: int) -> int:
        a, position, length, msb = a % (1 << width), place(width, b), place(width, c), width - 1
        sign = bit(a, min(position + length - 1, msb)) if signed and length else 0
        return sum((bit(a, position + i) if i < length and position + i <= msb else sign) << i for i in range(width))

    return extract


def bfi(width: int) -> Callable[[int, int, int, int], int]:
    def insert(a: int, b: int, c: int, d: int) -> int:
        position, length = place(width, c), place(width, d)
        for i in range(length):
            if position + i < width:
                b = b & ~(1 << (position + i)) | bit(a, i) << (position + i)
        return b

    return insert


def bfind(width: int) -> Callable[[int], int]:
    def highest(a: int) -> int:
        a = ~a if a < 0 else a
        return a.bit_length() - 1 if a else 0xFFFFFFFF

    return highest


def lop3(a: int, b: int, c: int, table: int) -> int:
    return sum(bit(table, bit(a, i) << 2 | bit(b, i) << 1 | bit(c, i)) << i for i in range(32))


def prmt(a: int, b: int, c: int) -> int:
    pool = [(b << 32 | a) >> 8 * i & 0xFF for i in range(8)]
    out = 0
    for i in range(4):
        selector = c >> 4 * i & 0xF
        byte = pool[selector & 7]
        out |= (0xFF * (byte >> 7) if selector & 8 else byte) << 8 * i
    return out


def signed_byte(word: int, i: int) -> int:
    byte = word >> 8 * i & 0xFF
    return byte - 256 if byte > 127 else byte


DEFINITIONS: dict[str, tuple[Type, Sequence[Type], Callable[..., int]]] = {
    "shl_b32": (U32, (U32, U32), lambda a, n: a << n if n < 32 else 0),
    "shl_b64": (U64, (U64, U32), lambda a, n: a << n if n < 64 else 0),
    "shr_u32": (U32, (U32, U32), lambda a, n: a >> min(n, 32)),
    "shr_u64": (U64, (U64, U32), lambda a, n: a >> min(n, 64)),
    "shr_s32": (S32, (S32, U32), lambda a, n: a >> min(n, 31)),
    "shr_s64": (S64, (S64, U32), lambda a, n: a >> min(n, 63)),
    "shf_l_wrap_b32": (U32, (U32, U32, U32), lambda a, b, n: ((b << 32 | a) << (n & 31)) >> 32),
    "shf_r_wrap_b32": (U32, (U32, U32, U32), lambda a, b, n: (b << 32 | a) >> (n & 31)),
    "shf_l_clamp_b32": (U32, (U32, U32, U32), lambda a, b, n: ((b << 32 | a) << min(n, 32)) >> 32),
    "shf_r_clamp_b32": (U32, (U32, U32, U32), lambda a, b, n: (b << 32 | a) >> min(n, 32)),
    "bfe_u32": (U32, (U32, U32, U32), bfe(32, False)),
    "bfe_s32": (S32, (S32, U32, U32), bfe(32, True)),
    "bfe_u64": (U64, (U64, U32, U32), bfe(64, False)),
    "bfe_s64": (S64, (S64, U32, U32), bfe(64, True)),
    "bfi_b32": (U32, (U32, U32, U32, U32), bfi(32)),
    "bfi_b64": (U64, (U64, U64, U32, U32), bfi(64)),
    "bfind_u32": (U32, (U32,), bfind(32)),
    "bfind_s32": (U32, (S32,), bfind(32)),
    "bfind_u64": (U32, (U64,), bfind(64)),
    "bfind_s64": (U32, (S64,), bfind(64)),
    "lop3_b32": (U32, (U32, U32, U32, U32), lop3),
    "prmt_b32": (U32, (U32, U32, U32), prmt),
    "mul_hi_u32": (U32, (U32, U32), lambda a, b: a * b >> 32),
    "mul_hi_s32": (S32, (S32, S32), lambda a, b: a * b >> 32),
    "mul_hi_u64": (U64, (U64, U64), lambda a, b: a * b >> 64),
    "mul_hi_s64": (S64, (S64, S64), lambda a, b: a * b >> 64),
    "mul_wide_u32": (U64, (U32, U32), lambda a, b: a * b),
    "mul_wide_s32": (S64, (S32, S32), lambda a, b: a * b),
    "sad_u32": (U32, (U32, U32, U32), lambda a, b, c: c + abs(a - b)),
    "sad_s32": (U32, (S32, S32, U32), lambda a, b, c: c + abs(a - b)),
    "dp4a_u32_u32": (
        U32,
        (U32, U32, U32),
        lambda a, b, c: c + sum((a >> 8 * i & 255) * (b >> 8 * i & 255) for i in range(4)),
    ),
    "dp4a_s32_s32": (
        S32,
        (U32, U32, U32),
        lambda a, b, c: c + sum(signed_byte(a, i) * signed_byte(b, i) for i in range(4)),
    ),
    "quotient": (S32, (S32, S32), lambda a, b: -1 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)),
    "remainder": (U64, (U64, U64), lambda a, b: -1 if b == 0 else a % b),
    "pack": (U64, (U32, U32), lambda low, high: high << 32 | low),
}


CHAINS = ("add_cc addc_cc addc", "sub_cc subc_cc subc", "sub_cc subc_cc addc", "add_cc addc_cc subc", "sub_cc addc_cc addc",
          "add_cc subc_cc addc")  # fmt: skip


def chain(kind: str, name: str) -> list[str]:
    """Functions of three sums or differences, the second and third with the carry of the one before."""
    lines = []
    for number, words in enumerate(CHAINS):
        lines.append(f"void run_chain_{kind}_{number}(const {name}* in, {name}* out) {{ unsigned carry = 0;")
        lines += [
            f"  out[{i}] = hipify_ptx::{w}<{name}>(in[{i}], in[{i + 1}], carry);" for i, w in enumerate(words.split())
        ]
        lines.append("}")
    return lines


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    lines = ['#include "hipify_ptx.h"', 'extern "C" {']
    for name, (result, types, _) in DEFINITIONS.items():
        parameters = ", ".join(f"{_NAMES[t]} a{i}" for i, t in enumerate(types))
        call = ", ".join(f"a{i}" for i in range(len(types)))
        lines.append(f"{_NAMES[result]} run_{name}({parameters}) {{ return hipify_ptx::{name}({call}); }}")
    lines += [
        "void run_memory(unsigned* p, unsigned* out) {",
        "  using namespace hipify_ptx; unsigned long long where = (unsigned long long)p; float f; char* back;",
        "  out[0] = load<u32>(p); out[1] = volatile_load<u32>(where, 4); store<u32>(p, 7u, 8); ordered();",
        "  load_v2<u32>(out[2], out[3], p, 8); load_v4<u32>(out[4], out[5], out[6], out[7], where);",
        "  store_v2<u32>(p, 1u, 2u, 16); volatile_store<u32>(p, 3u, 24); put(f, load<u32>(p, 12));",
        "  out[8] = as<u32>(f); put(back, where); out[9] = back == (char*)p; unpack(out[10], out[11], 5ull << 32 | 6u);",
        "}",
        *chain("u32", "unsigned"),
        *chain("u64", "unsigned long long"),
    ]
    return build(tmp_path_factory.mktemp("ptx"), "\n".join([*lines, "}", ""]), "ptx")


def operand(kind: Type, generator: random.Random) -> int:
    small = generator.random()
    if small < 0.3:
        value = generator.choice([*WORDS, 31, 32, 33, 63, 64, 65, 255, 256, 257])
    else:
        value = generator.getrandbits(6) if small < 0.6 else generator.getrandbits(64)
    return int(kind(value).value)


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_function_computes_what_its_instruction_does(library: ctypes.CDLL, name: str) -> None:
    result, types, definition = DEFINITIONS[name]
    function = getattr(library, f"run_{name}")
    function.restype, function.argtypes = result, list(types)
    generator = random.Random(name)
    for _ in range(500):
        arguments = [operand(t, generator) for t in types]
        assert function(*arguments) == result(definition(*arguments)).value, arguments


@pytest.mark.parametrize(
    ("kind", "words", "values", "results"),
    [  # what a GPU (H200) gave for them
        (
            "u64",
            "sub_cc subc_cc addc",
            [0x40, 0xB, 0xE70A7B2431F9CE7F, 0x3F],
            [0x35, 0x18F584DBCE06318C, 0xE70A7B2431F9CEBE],
        ),
        ("u64", "add_cc addc_cc subc", [2, 0x8000, 2**64 - 2, 2**64 - 1], [0x8002, 0x7FFE, 2**64 - 1]),
        (
            "u64",
            "sub_cc addc_cc addc",
            [0xFFFFFFFF, 0xF287, 0x3F, 0xFC462A0AFAD3A419],
            [0xFFFF0D78, 0xF2C7, 0xFC462A0AFAD3A458],
        ),
        (
            "u32",
            "sub_cc subc_cc addc",
            [0x7586646F, 0x2C5BE119, 0xE4AD53C9, 0xA53BFDFF],
            [0x492A8356, 0x47AE8D50, 0x89E951C8],
        ),
        ("u32", "add_cc addc_cc subc", [0x10000, 0x1F, 0x24, 0xFFFFFFFE], [0x1001F, 0x43, 0x25]),
        ("u32", "sub_cc addc_cc addc", [2, 0x7FFFFFFF, 0x10, 0x7C39], [0x80000003, 0x8000000F, 0x7C49]),
        (
            "u32",
            "add_cc subc_cc addc",
            [0x7586646F, 0x2C5BE119, 0xE4AD53C9, 0xA53BFDFF],
            [0xA1E24588, 0x47AE8D4F, 0x89E951C8],
        ),
    ],
)
def test_carries_that_sums_and_differences_share(
    library: ctypes.CDLL, kind: str, words: str, values: list[int], results: list[int]
) -> None:
    word = U32 if kind == "u32" else U64
    given, out = (word * 4)(*values), (word * 3)()
    getattr(library, f"run_chain_{kind}_{CHAINS.index(words)}")(given, out)
    assert list(out) == results


@pytest.mark.parametrize("kind", ["u32", "u64"])
def test_long_sums_and_differences(library: ctypes.CDLL, kind: str) -> None:
    word, width = (U32, 32) if kind == "u32" else (U64, 64)
    generator = random.Random(kind)
    for number, name in ((0, "add"), (1, "sub")):
        for _ in range(300):
            v = [generator.choice([0, 1, 2**width - 1, generator.getrandbits(width)]) for _ in range(4)]
            out = (word * 3)()
            getattr(library, f"run_chain_{kind}_{number}")((word * 4)(*v), out)
            a, b = (sum(v[i + k] << (width * i) for i in range(3)) for k in (0, 1))
            result = (a + b if name == "add" else a - b) % (1 << (3 * width))
            assert sum(out[i] << (width * i) for i in range(3)) == result


def test_accesses_go_where_the_address_and_offset_say(library: ctypes.CDLL) -> None:
    memory = (U32 * 8).from_buffer_copy(bytes(range(32)))
    before = list(memory)
    out = (U32 * 12)()
    library.run_memory(memory, out)
    assert list(out[:4]) == [before[0], before[1], 7, before[3]]
    assert list(out[4:8]) == [before[0], before[1], 7, before[3]]
    assert list(out[8:]) == [before[3], 1, 6, 5]
    assert list(memory) == [before[0], before[1], 7, before[3], 1, 2, 3, before[7]]


def test_every_function_of_the_header_with_an_instruction_is_defined_here() -> None:
    from hipify.rules.ptx_words import _HELPERS

    assert {name.replace(".", "_") for name in _HELPERS} <= DEFINITIONS.keys()
