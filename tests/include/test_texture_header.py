"""hipify_texture_sampling.h, run on the CPU, against what CUDA's programming guide says of texture fetching."""

from __future__ import annotations

import ctypes
import itertools
import math
import random
import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

import hipify

HEADERS = Path(hipify.__file__).parent / "include"
WRAP, CLAMP, MIRROR, BORDER = MODES = range(4)
SIGNED, UNSIGNED, FLOAT = range(3)
SOURCE = """
#define HIPIFY_TEXTURE_CODE static inline
#define VECTORS(channel, name) \\
    struct name##1 { channel x; }; struct name##2 { channel x, y; }; struct name##4 { channel x, y, z, w; };
VECTORS(signed char, char) VECTORS(unsigned char, uchar) VECTORS(short, short) VECTORS(unsigned short, ushort)
VECTORS(int, int) VECTORS(unsigned int, uint) VECTORS(float, float)
#include "hipify_texture_sampling.h"
using namespace hipify_textures;
#define READS(T) \\
    extern "C" void fetch_##T(const Image* i, int x, T* out) { *out = fetch<T>(*i, x); } \\
    extern "C" void sample1_##T(const Image* i, float x, int layer, T* out) { *out = sample1<T>(*i, x, layer); } \\
    extern "C" void sample2_##T(const Image* i, float x, float y, int layer, T* out) { \\
        *out = sample2<T>(*i, x, y, layer); } \\
    extern "C" void sample3_##T(const Image* i, float x, float y, float z, T* out) { *out = sample3<T>(*i, x, y, z); } \\
    extern "C" void cube_##T(const Image* i, float x, float y, float z, int layer, T* out) { \\
        *out = sample_cube<T>(*i, x, y, z, layer); } \\
    extern "C" void read_##T(const Image* i, int x, int y, int z, int mode, T* out) { \\
        surface_read(out, *i, x, y, z, mode); } \\
    extern "C" void write_##T(const Image* i, int x, int y, int z, int mode, T* value) { \\
        surface_write(*value, *i, x, y, z, mode); }
READS(float) READS(float4) READS(short2) READS(uint1)
struct Plane {
    float x, y;
    float operator()(const Image& image, float* sums, int share) const {
        return sample2<float>(image, x, y, 0, sums, share);
    }
};
extern "C" void level_float(const Image* i, float x, float y, float level, float* out) {
    Plane read = {x, y};
    *out = at_level<float>(*i, level, read);
}
extern "C" void gather_float4(const Image* i, float x, float y, int c, float4* out) { *out = gather<float4>(*i, x, y, c); }
"""


class Image(ctypes.Structure):
    """The header's Image."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("pitch", ctypes.c_size_t),
        ("slice", ctypes.c_size_t),
        *((name, ctypes.c_int) for name in ("width", "height", "depth", "texel", "channels", "bits", "kind")),
        ("address", ctypes.c_int * 3),
        *((name, ctypes.c_int) for name in ("linear", "normalized", "as_float", "srgb")),
        ("border", ctypes.c_float * 4),
        ("levels", ctypes.c_int),
        ("between_levels", ctypes.c_int),
        *((name, ctypes.c_float) for name in ("bias", "least_level", "most_level")),
    )


class Texture(NamedTuple):
    """An image with the memory that it points to."""

    image: Image
    memory: ctypes.Array[ctypes.c_char]
    size: tuple[int, int, int]
    texels: list[bytes]

    def at(self, x: int, y: int = 0, z: int = 0) -> bytes:
        return self.texels[(z * self.size[1] + y) * self.size[0] + x]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The header as functions of the CPU."""
    folder = tmp_path_factory.mktemp("texture")
    compiler = next((c for c in ("c++", "g++", "clang++") if shutil.which(c)), None)
    assert compiler is not None, "a C++ compiler is needed to run the helper headers"
    (folder / "texture.cpp").write_text(SOURCE)
    command = [
        compiler,
        "-std=c++11",
        "-O1",
        "-ffp-contract=off",
        "-Wall",
        "-Werror",
        "-shared",
        "-fPIC",
        f"-I{HEADERS}",
    ]
    command += ["-Wno-unused-function", "texture.cpp", "-o", "texture.so"]
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "texture.so"))


def texture(size: tuple[int, int, int], form: str, bits: int, kind: int, **settings: int) -> Texture:
    """An image of random texels; `form` is the struct format of one."""
    number = random.Random(7)
    count = size[0] * size[1] * size[2]
    floats = form.endswith(("f", "e"))
    texels = [
        struct.pack(form, *(number.uniform(-1, 1) for _ in form[1:]))
        if floats
        else bytes(number.randrange(256) for _ in range(struct.calcsize(form)))
        for _ in range(count)
    ]
    texel = len(texels[0])
    pitch = size[0] * texel + 16
    rows = [b"".join(texels[r * size[0] : (r + 1) * size[0]]) + b"\xff" * 16 for r in range(size[1] * size[2])]
    memory = ctypes.create_string_buffer(b"".join(rows), pitch * size[1] * size[2])
    image = Image(ctypes.addressof(memory), pitch, pitch * size[1], *size, texel, len(form.strip("<")), bits, kind)
    for name, value in settings.items():
        setattr(image, name, (ctypes.c_int * 3)(value, value, value) if name == "address" else value)
    return Texture(image, memory, size, texels)


def call(library: ctypes.CDLL, name: str, texture: Texture, arguments: Sequence[float], form: str) -> tuple[float, ...]:
    """What a function of the header writes."""
    out = ctypes.create_string_buffer(struct.calcsize(form))
    given = [ctypes.c_float(a) if isinstance(a, float) else ctypes.c_int(a) for a in arguments]
    getattr(library, name)(ctypes.byref(texture.image), *given, out)
    return struct.unpack(form, out.raw)


def texel_index(i: int, size: int, mode: int, normalized: bool) -> int | None:
    """The guide's address modes, on whole texels; None for the border. Wrap and mirror need normalized coordinates."""
    if mode == BORDER:
        return i if 0 <= i < size else None
    if mode == WRAP and normalized:
        return i % size
    if mode == MIRROR and normalized:
        i %= 2 * size
        return min(i, 2 * size - 1 - i)
    return min(max(i, 0), size - 1)


def places(size: int, normalized: bool) -> list[float]:
    """Coordinates on eighths of texels, exact in single precision for sizes that are powers of two."""
    scale = size if normalized else 1
    return [i / 8 / scale for i in range(-8 * size * 2 - 16, 8 * size * 3 + 16)]


@pytest.mark.parametrize(("mode", "normalized"), list(itertools.product(MODES, (False, True))))
def test_point_sampling_gives_the_texel_of_the_guide(library: ctypes.CDLL, mode: int, normalized: bool) -> None:
    image = texture((8, 4, 2), "<f", 32, FLOAT, address=mode, normalized=int(normalized))
    number = random.Random(3)
    for x in places(8, normalized):
        y, z = number.choice(places(4, normalized)), number.choice(places(2, normalized))
        scales = (8, 4, 2) if normalized else (1, 1, 1)
        i, j, k = (
            texel_index(math.floor(c * s), n, mode, normalized)
            for c, s, n in zip((x, y, z), scales, (8, 4, 2), strict=True)
        )
        want = (0.0,) if i is None else struct.unpack("<f", image.at(i))
        assert call(library, "sample1_float", image, (x, 0), "<f") == want
        want = (0.0,) if i is None or j is None else struct.unpack("<f", image.at(i, j, 1))
        assert call(library, "sample2_float", image, (x, y, 7), "<f") == want  # layers are clamped
        want = (0.0,) if i is None or j is None or k is None else struct.unpack("<f", image.at(i, j, k))
        assert call(library, "sample3_float", image, (x, y, z), "<f") == want


def interpolated(
    image: Texture, at: Sequence[float], mode: int, normalized: bool, texel: Callable[[bytes], float]
) -> float:
    """The guide's linear filtering, with exact weights."""
    total = 0.0
    for corner in itertools.product((0, 1), repeat=len(at)):
        weight, place = 1.0, []
        for c, step, size in zip(at, corner, image.size, strict=False):
            centre = c * (size if normalized else 1) - 0.5
            fraction = centre - math.floor(centre)
            weight *= fraction if step else 1 - fraction
            place.append(texel_index(math.floor(centre) + step, size, mode, normalized))
        inside = [p for p in place if p is not None]
        total += weight * (texel(image.at(*inside)) if len(inside) == len(place) else 0.0)
    return total


@pytest.mark.parametrize(("mode", "normalized"), list(itertools.product(MODES, (False, True))))
def test_linear_filtering_is_within_eight_bits_of_the_guide(library: ctypes.CDLL, mode: int, normalized: bool) -> None:
    image = texture((8, 4, 2), "<f", 32, FLOAT, address=mode, normalized=int(normalized), linear=1)
    number = random.Random(5)

    def value(texel: bytes) -> float:
        return float(struct.unpack("<f", texel)[0])

    for _ in range(1500):
        at = [number.uniform(-1.5 * n, 2.5 * n) / (n if normalized else 1) for n in image.size]
        at = [struct.unpack("<f", struct.pack("<f", c))[0] for c in at]
        for name, arguments, dimensions in (
            ("sample1_float", (at[0], 0), 1),
            ("sample2_float", (at[0], at[1], 0), 2),
            ("sample3_float", at, 3),
        ):
            want = interpolated(image, at[:dimensions], mode, normalized, value)
            (got,) = call(library, name, image, arguments, "<f")
            assert abs(got - want) <= dimensions * 2 / 256, (name, at)  # texels are at most 2 apart


def test_linear_filtering_at_the_centres_of_texels_is_exact(library: ctypes.CDLL) -> None:
    image = texture((8, 4, 2), "<ffff", 32, FLOAT, address=CLAMP, linear=1)
    for x, y, z in itertools.product(range(8), range(4), range(2)):
        got = call(library, "sample3_float4", image, (x + 0.5, y + 0.5, z + 0.5), "<ffff")
        assert struct.pack("<ffff", *got) == image.at(x, y, z)


@pytest.mark.parametrize(
    ("form", "bits", "kind", "scale"),
    [("<BBBB", 8, UNSIGNED, 255), ("<b", 8, SIGNED, 127), ("<HH", 16, UNSIGNED, 65535), ("<h", 16, SIGNED, 32767)],
)
def test_integers_are_read_as_fractions(library: ctypes.CDLL, form: str, bits: int, kind: int, scale: int) -> None:
    image = texture((16, 1, 1), form, bits, kind, address=CLAMP, as_float=1)
    for x in range(16):
        got = call(library, "fetch_float4", image, (x,), "<ffff")
        want = [max(c / scale, -1.0) for c in struct.unpack(form, image.at(x))]
        assert got == pytest.approx((*want, 0.0, 0.0, 0.0)[:4], abs=1e-7)


def test_halves_are_read_as_floats_and_integers_as_they_are(library: ctypes.CDLL) -> None:
    halves = texture((16, 1, 1), "<e", 16, FLOAT)
    odd = [0.0, -0.0, 2.0**-24, -(2.0**-15), 65504.0, math.inf, -math.inf, 1 / 3]
    for i, value in enumerate(odd):
        struct.pack_into("<e", halves.memory, 2 * i, value)
    got = [call(library, "fetch_float", halves, (x,), "<f")[0] for x in range(16)]
    assert struct.pack("<16e", *got) == halves.memory.raw[:32]
    integers = texture((8, 1, 1), "<hh", 16, SIGNED)
    assert [
        struct.pack("<hh", *call(library, "fetch_short2", integers, (x,), "<hh")) for x in range(8)
    ] == integers.texels
    bits = texture((8, 1, 1), "<b", 8, SIGNED)
    assert [call(library, "fetch_uint1", bits, (x,), "<i") for x in range(8)] == [
        struct.unpack("<b", t) for t in bits.texels
    ]
    assert (
        call(library, "fetch_float", halves, (16,), "<f") == call(library, "fetch_float", halves, (-1,), "<f") == (0.0,)
    )


def test_the_border_has_its_colour(library: ctypes.CDLL) -> None:
    image = texture((4, 4, 1), "<f", 32, FLOAT, address=BORDER)
    image.image.border[:] = (0.25, 1.0, 2.0, 3.0)
    assert call(library, "sample2_float", image, (-0.5, 1.5, 0), "<f") == (0.25,)
    assert call(library, "sample2_float", image, (1.5, 4.0, 0), "<f") == (0.25,)
    image.image.linear = 1
    (got,) = call(library, "sample2_float", image, (0.0, 1.5, 0), "<f")
    assert got == pytest.approx((0.25 + struct.unpack("<f", image.at(0, 1))[0]) / 2, abs=1e-6)


def test_gather_takes_a_channel_of_four_texels(library: ctypes.CDLL) -> None:
    image = texture((8, 4, 1), "<BBBB", 8, UNSIGNED, address=CLAMP, as_float=1)
    for c in range(4):
        got = call(library, "gather_float4", image, (3.0, 2.0, c), "<ffff")
        corners = ((2, 2), (3, 2), (3, 1), (2, 1))
        assert got == pytest.approx([image.at(*corner)[c] / 255 for corner in corners], abs=1e-7)


@pytest.mark.parametrize(
    ("direction", "face", "s", "t"),
    [
        ((1.0, 0.3, -0.6), 0, 0.6, -0.3),
        ((-2.0, 0.3, -0.6), 1, -0.3, -0.15),
        ((0.1, 0.5, 0.2), 2, 0.2, 0.4),
        ((0.1, -0.5, 0.2), 3, 0.2, -0.4),
        ((0.3, 0.4, 1.0), 4, 0.3, -0.4),
        ((0.3, 0.4, -1.0), 5, -0.3, -0.4),
    ],
)
def test_directions_find_the_face_of_a_cube(
    library: ctypes.CDLL, direction: tuple[float, ...], face: int, s: float, t: float
) -> None:
    image = texture((8, 8, 12), "<f", 32, FLOAT, address=CLAMP, normalized=1)
    place = math.floor((s + 1) * 4), math.floor((t + 1) * 4)
    for layer in (0, 1):
        want = struct.unpack("<f", image.at(*place, face + 6 * layer))
        assert call(library, "cube_float", image, (*direction, layer), "<f") == want


def test_surfaces_count_bytes_and_end_at_their_borders(library: ctypes.CDLL) -> None:
    image = texture((4, 3, 2), "<hh", 16, SIGNED)
    zero, clamp = 0, 2

    def read(x: int, y: int, z: int, mode: int) -> bytes:
        return struct.pack("<hh", *call(library, "read_short2", image, (x, y, z, mode), "<hh"))

    assert all(read(4 * x, y, z, zero) == image.at(x, y, z) for x in range(4) for y in range(3) for z in range(2))
    outside = [(-4, 0, 0), (16, 0, 0), (14, 0, 0), (0, -1, 0), (0, 3, 0), (0, 0, 2), (0, 0, -1)]
    assert [read(*place, zero) for place in outside] == [bytes(4)] * 7
    assert read(99, 7, 5, clamp) == image.at(3, 2, 1)
    before = image.memory.raw
    value = ctypes.create_string_buffer(struct.pack("<hh", -3, 4), 4)
    for place in outside:
        library.write_short2(ctypes.byref(image.image), *place, zero, value)
    assert image.memory.raw == before
    library.write_short2(ctypes.byref(image.image), 8, 1, 1, zero, value)
    assert read(8, 1, 1, zero) == value.raw


def levels(settings: dict[str, float]) -> tuple[Texture, list[Texture]]:
    """A mipmapped image of 8 by 8, 4 by 4 and 2 by 2 texels: its images behind each other, and each by itself."""
    single = [texture((8 >> i, 8 >> i, 1), "<f", 32, FLOAT, address=CLAMP, normalized=1) for i in range(3)]
    images = (Image * 3)(*(t.image for t in single))
    first = images[0]
    first.levels, first.most_level = 3, 99.0
    for name, value in settings.items():
        setattr(first, name, value)
    return Texture(first, single[0].memory, single[0].size, single[0].texels), single


@pytest.mark.parametrize(
    ("settings", "level", "parts"),
    [
        ({}, -3.0, (1.0, 0.0, 0.0)),
        ({}, 0.49, (1.0, 0.0, 0.0)),
        ({}, 0.5, (0.0, 1.0, 0.0)),
        ({}, 7.0, (0.0, 0.0, 1.0)),
        ({"between_levels": 1}, 0.25, (0.75, 0.25, 0.0)),
        ({"between_levels": 1}, 1.5, (0.0, 0.5, 0.5)),
        ({"between_levels": 1, "bias": 0.5}, 0.25, (0.25, 0.75, 0.0)),
        ({"between_levels": 1, "least_level": 0.75}, 0.0, (0.25, 0.75, 0.0)),
        ({"between_levels": 1, "most_level": 1.25}, 2.0, (0.0, 0.75, 0.25)),
    ],
)
def test_levels_of_detail_are_chosen_or_mixed(
    library: ctypes.CDLL, settings: dict[str, float], level: float, parts: tuple[float, ...]
) -> None:
    mipmaps, single = levels(settings)
    (got,) = call(library, "level_float", mipmaps, (0.3, 0.7, level), "<f")
    each = [call(library, "sample2_float", image, (0.3, 0.7, 0), "<f")[0] for image in single]
    assert got == pytest.approx(sum(part * value for part, value in zip(parts, each, strict=True)), abs=1e-6)
