"""The helper headers, run on the CPU, against the definitions: every function, on edge and random inputs."""

from __future__ import annotations

import ctypes
import math
import random
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from hipify.rules.passes.builtins import provided
from tests.include import definitions

HERE = Path(__file__).parent
HEADERS = Path(definitions.__file__).parents[2] / "hipify" / "include"
_FUNCTION = re.compile(r"^HIPIFY_BOTH (\w+) (\w+)\(([^)]*)\)", re.MULTILINE)
_CTYPES = {"int": ctypes.c_int, "unsigned": ctypes.c_uint, "float": ctypes.c_float, "double": ctypes.c_double}
ROUNDS = 400
WORDS = [
    0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x80808080, 0x7F7F7F7F, 0x80008000, 0x7FFF7FFF, 0x00FF00FF, 0xFF00FF00,
    0x8000, 0x7FFF, 0xFFFF, 0xFF, 0x80, 0x7F, 0x01010101, 0xFEFEFEFE,
]  # fmt: skip
REALS = [
    0.0, -0.0, 1.0, -1.0, 2.0, 3.0, 0.5, 1 / 3, -2 / 3, 1e30, -1e30, 1e-30, 1e300, -1e300, 1e-300, 5e-324, -5e-324,
    2.2250738585072014e-308, 1.7976931348623157e308, -1.7976931348623157e308, 1.401298464324817e-45, -1e-45,
    1.1754943508222875e-38, 3.4028234663852886e38, -3.4028234663852886e38, math.inf, -math.inf, math.nan,
    1.0000001192092896, 0.9999999403953552, 1.0000000000000002, 0.9999999999999999, 16777217.0, 9007199254740993.0,
    1e-160, -1e160, 1.5e-154, 4.0, 9.0, 1e16, -1e16, 6.1e-5,
]  # fmt: skip


def functions(header: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """(result, name, parameter types) of each function over plain numbers."""
    found = []
    for result, name, parameters in _FUNCTION.findall((HEADERS / header).read_text()):
        types = tuple(p.strip().rsplit(" ", 1)[0] for p in parameters.split(","))
        if all(t in _CTYPES for t in types):
            found.append((result, name, types))
    return found


ALL = [(h, *f) for h in ("hipify_simd.h", "hipify_rounding.h") for f in functions(h)]


def _compiler() -> str:
    found = next((c for c in ("c++", "g++", "clang++") if shutil.which(c)), None)
    assert found is not None, "a C++ compiler is needed to run the helper headers"
    return found


def build(folder: Path, source: str, name: str) -> ctypes.CDLL:
    """A shared library of one source that may include the helper headers."""
    path, library = folder / f"{name}.cpp", folder / f"lib{name}.so"
    path.write_text(source)
    command = [
        _compiler(), "-std=c++17", "-O1", "-w", "-shared", "-fPIC", "-ffp-contract=off", f"-I{HEADERS}",
        f"-I{HERE / 'stub'}", str(path), "-o", str(library),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(library))


def symbol(name: str, types: tuple[str, ...]) -> str:
    """The name of the wrapper for one overload."""
    return f"run{name}_{'_'.join(t[0] for t in types)}"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Every function behind a wrapper that C can call."""
    lines = ['#include "hipify_simd.h"', '#include "hipify_rounding.h"', 'extern "C" {']
    for _, result, name, types in ALL:
        parameters = ", ".join(f"{t} a{i}" for i, t in enumerate(types))
        call = ", ".join(f"a{i}" for i in range(len(types)))
        lines.append(f"{result} {symbol(name, types)}({parameters}) {{ return {name}({call}); }}")
    return build(tmp_path_factory.mktemp("headers"), "\n".join([*lines, "}", ""]), "helpers")


def inputs(kind: str, generator: random.Random) -> definitions.Number:
    """One input of a type: an edge, or anything."""
    if kind in ("int", "unsigned"):
        word = generator.choice(WORDS) if generator.random() < 0.4 else generator.getrandbits(32)
        return definitions.wrap(word) if kind == "int" else word
    if generator.random() < 0.4:
        value = generator.choice(REALS)
    elif generator.random() < 0.5:
        value = math.ldexp(generator.uniform(-2, 2), generator.randrange(-30, 30))
    else:
        value = struct.unpack("d", generator.randbytes(8))[0]
    return definitions.single(value) if kind == "float" else value


def expected(header: str, name: str, types: tuple[str, ...], args: list[definitions.Number]) -> definitions.Number:
    """What the definitions say."""
    if header == "hipify_rounding.h":
        return definitions.rounded(name, *map(float, args))
    whole = [int(a) for a in args]
    if name.startswith("__dp"):
        total = definitions.dot(
            name, whole[0] & definitions.MASK, whole[1] & definitions.MASK, whole[2], types[0] == "int"
        )
        return definitions.wrap(total) if types[0] == "int" else total
    if name.startswith(("__vi",)):
        return definitions.dpx(name, *whole)
    return definitions.simd(name, *whole)


def same(left: definitions.Number, right: definitions.Number) -> bool:
    """Equality that tells zeros apart and not one NaN from another."""
    if isinstance(left, float) and isinstance(right, float):
        if math.isnan(left) or math.isnan(right):
            return math.isnan(left) and math.isnan(right)
        return left == right and math.copysign(1, left) == math.copysign(1, right)
    return left == right


@pytest.mark.parametrize(
    ("header", "result", "name", "types"),
    [f for f in ALL if not f[2].endswith("_rn")],
    ids=lambda v: v if isinstance(v, str) and v.startswith("__") else "",
)
def test_a_function_is_its_definition(
    library: ctypes.CDLL, header: str, result: str, name: str, types: tuple[str, ...]
) -> None:
    function = getattr(library, symbol(name, types))
    function.restype = _CTYPES[result]
    function.argtypes = [_CTYPES[t] for t in types]
    generator = random.Random(name)
    for _ in range(ROUNDS):
        args = [inputs(t, generator) for t in types]
        wanted = expected(header, name, types, args)
        assert same(function(*args), wanted), (name, args, wanted)


DEVICE = """
#include "hipify_device.h"
#include "hipify_simd.h"
#include <cstring>
struct three { float x, y, z; };
extern "C" int run() {
    int checks = 0;
    #define CHECK(x) do { if (!(x)) return -__LINE__; ++checks; } while (0)
    float f[4] = {1, 2, 3, 4};
    three t = {1, 2, 3};
    char c[3] = {1, 2, 3};
    CHECK(__ldcs(f) == 1 && __ldcg(f + 1) == 2 && __ldca(f + 2) == 3 && __ldlu(f) == 1 && __ldcv(f + 3) == 4);
    CHECK(__ldcv(&t).z == 3 && __ldcs(&t).y == 2 && __ldcv(c + 1) == 2);
    __stcs(f, 7.5); CHECK(f[0] == 7.5f);
    __stcg(f, 8); CHECK(f[0] == 8);
    __stwb(f, 9); CHECK(f[0] == 9);
    __stwt(&t, three{4, 5, 6}); CHECK(t.y == 5);
    __stcs(&t, three{7, 8, 9}); CHECK(t.z == 9);
    stub_shared = f; stub_private = c;
    CHECK(__isShared(f) && !__isGlobal(f) && __isLocal(c) && !__isGlobal(c) && __isGlobal(&t) && !__isShared(&t));
    __nanosleep(0); CHECK(stub_sleeps == 0);
    __nanosleep(640); CHECK(stub_sleeps > 0 && stub_sleeps <= 20);
    int i = 5; unsigned u = 2; unsigned long long w = 7; double d = 1.5;
    CHECK(atomicAdd_block(&i, 3) == 5 && i == 8 && atomicSub_block(&i, 10) == 8 && i == -2);
    CHECK(atomicMax_block(&i, 4) == -2 && i == 4 && atomicMin_block(&i, -9) == 4 && i == -9);
    CHECK(atomicAdd_block(&d, 1) == 1.5 && d == 2.5 && atomicSub_block(&u, 3u) == 2 && u == 0xffffffffu);
    u = 6;
    CHECK(atomicAnd_block(&u, 3u) == 6 && u == 2 && atomicOr_block(&u, 5u) == 2 && u == 7);
    CHECK(atomicXor_block(&u, 1u) == 7 && u == 6);
    CHECK(atomicExch_block(&w, 9ull) == 7 && w == 9 && atomicCAS_block(&w, 9ull, 1ull) == 9 && w == 1);
    CHECK(atomicCAS_block(&w, 9ull, 3ull) == 1 && w == 1);
    u = 3; CHECK(atomicInc_block(&u, 3) == 3 && u == 0 && atomicInc_system(&u, 3) == 0 && u == 1);
    CHECK(atomicDec_block(&u, 8) == 1 && u == 0 && atomicDec_block(&u, 8) == 0 && u == 8);
    u = 9; CHECK(atomicDec_system(&u, 8) == 9 && u == 8);
    char to[8] = "1234567";
    __pipeline_memcpy_async(to, "abcdefgh", 6, 2);
    __pipeline_commit(); __pipeline_wait_prior(0);
    CHECK(!memcmp(to, "abcd\\0\\0" "7", 8));
    bool high, low, first;
    CHECK(__vibmax_s32(-1, 3, &first) == 3 && !first && __vibmax_u32(0xffffffffu, 3, &first) == 0xffffffffu && first);
    CHECK(__vibmin_s32(-1, 3, &first) == -1 && first && __vibmin_u32(3, 3, &first) == 3 && first);
    CHECK(__vibmax_s16x2(0x0001ffffu, 0x00020000u, &high, &low) == 0x00020000u && !high && !low);
    CHECK(__vibmin_u16x2(0x0001ffffu, 0x00020000u, &high, &low) == 0x00010000u && high && !low);
    CHECK(__dp4a(char4{1, -2, 3, 4}, char4{5, 6, 7, -8}, 100) == 100 + 5 - 12 + 21 - 32);
    CHECK(__dp4a(uchar4{255, 1, 0, 0}, uchar4{255, 2, 0, 0}, 1u) == 65028u);
    return checks;
}
"""


def test_loads_stores_atomics_and_copies_do_what_their_names_say(tmp_path: Path) -> None:
    assert build(tmp_path, DEVICE, "device").run() == DEVICE.count("CHECK(") - 1


def test_nothing_is_declared_for_the_nvidia_platform(tmp_path: Path) -> None:
    own = "\n".join(f"int {n.decode()};" for n in provided() if not n.endswith(b"__"))
    names = "\n".join(f'#include "{h}"' for h in ("hipify_device.h", "hipify_simd.h", "hipify_rounding.h"))
    assert build(tmp_path, f"#define __HIP_PLATFORM_NVIDIA__\n{names}\n{own}\n", "nvidia")


def test_a_declaration_of_hip_is_preferred_and_does_not_clash(tmp_path: Path) -> None:
    source = '#include "hipify_simd.h"\ninline int __dp4a(int, int, int) { return -77; }\n'
    source += 'extern "C" int run() { return __dp4a(1, 2, 3); }\n'
    assert build(tmp_path, source, "later").run() == -77
