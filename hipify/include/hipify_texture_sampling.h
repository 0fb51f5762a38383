// hipify_texture_sampling.h - textures and surfaces read by ordinary loads, for GPUs without image instructions.
//
// MI300 and MI350 (gfx942, gfx950) have no image instructions: what a texture unit does elsewhere is computed here, as
// CUDA's programming guide lays it down ("Texture Fetching"): coordinates are wrapped, clamped, mirrored or given the
// border colour, and linear filtering weighs the neighbours in 256ths. Where the guide leaves roundings open they are
// those that an NVIDIA GPU shows. hipify_texture.h makes HIP's functions of it (tex2D, surf2Dread, ...); nothing here
// calls HIP.
//
// Written by hipify-py; part of your program from here on: change it as you like.

#ifndef HIPIFY_TEXTURE_SAMPLING_H
#define HIPIFY_TEXTURE_SAMPLING_H

#include <math.h>
#include <stddef.h>
#include <string.h>

namespace hipify_textures {

enum Kind { SIGNED = 0, UNSIGNED = 1, FLOAT = 2 };                  // as the channel format kinds of CUDA and HIP
enum Address { WRAP = 0, CLAMP = 1, MIRROR = 2, BORDER = 3 };       // as their address modes
enum Boundary { ZERO_OUTSIDE = 0, TRAP_OUTSIDE = 1, CLAMP_OUTSIDE = 2 };  // as HIP's boundary modes

// What a texture or surface object points to. It lies in the memory of the device.
struct Image {
    unsigned char* data;
    size_t pitch, slice;       // bytes from one row to the next, and from one layer or depth to the next
    int width, height, depth;  // in texels; depth counts layers, too
    int texel, channels, bits, kind;
    int address[3];
    int linear;      // interpolates
    int normalized;  // coordinates run from 0 to 1
    int as_float;    // integers become [0, 1] or [-1, 1]
    int srgb;
    float border[4];
    // The levels of a mipmapped array lie one behind the other; these are of the first.
    int levels, between_levels;
    float bias, least_level, most_level;
};

}  // namespace hipify_textures

#if !defined(HIPIFY_TEXTURE_CODE) && (defined(__HIP__) || defined(__CUDACC__))
#define HIPIFY_TEXTURE_CODE static __device__ __forceinline__
#endif

#ifdef HIPIFY_TEXTURE_CODE  // not in a source without kernels

namespace hipify_textures {

// The channels of the types that textures have.
template <typename T>
struct Texel;
#define HIPIFY_TEXEL(channel, type, n)  \
    template <>                         \
    struct Texel<type> {                \
        typedef channel Channel;        \
        enum { channels = n };          \
    };
#define HIPIFY_TEXELS(channel, name)     \
    HIPIFY_TEXEL(channel, channel, 1)    \
    HIPIFY_TEXEL(channel, name##1, 1)    \
    HIPIFY_TEXEL(channel, name##2, 2)    \
    HIPIFY_TEXEL(channel, name##4, 4)
HIPIFY_TEXEL(char, char, 1)
HIPIFY_TEXELS(signed char, char)
HIPIFY_TEXELS(unsigned char, uchar)
HIPIFY_TEXELS(short, short)
HIPIFY_TEXELS(unsigned short, ushort)
HIPIFY_TEXELS(int, int)
HIPIFY_TEXELS(unsigned int, uint)
HIPIFY_TEXELS(float, float)
#undef HIPIFY_TEXELS
#undef HIPIFY_TEXEL

// A register as the texture unit returns it: bits of a float, or an integer.
HIPIFY_TEXTURE_CODE unsigned int bits_of(float value) {
    unsigned int bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

HIPIFY_TEXTURE_CODE float float_of(unsigned int bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename C>
HIPIFY_TEXTURE_CODE C channel_of(unsigned int bits, C*) {
    return (C)bits;
}
HIPIFY_TEXTURE_CODE float channel_of(unsigned int bits, float*) { return float_of(bits); }

HIPIFY_TEXTURE_CODE float half_to_float(unsigned int half) {
    const unsigned int sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31u, mantissa = half & 0x3ffu;
    if (exponent == 31u) return float_of(sign | 0x7f800000u | mantissa << 13);
    if (exponent == 0) {  // zero, or a denormal: mantissa * 2^-24
        const float value = (float)mantissa * 5.9604644775390625e-8f;
        return sign ? -value : value;
    }
    return float_of(sign | (exponent + 112u) << 23 | mantissa << 13);
}

HIPIFY_TEXTURE_CODE float from_srgb(float c) {
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

// Channel `c` of the texel at `at`.
HIPIFY_TEXTURE_CODE unsigned int load_channel(const Image& image, const unsigned char* at, int c) {
    if (image.bits == 32) return ((const unsigned int*)at)[c];
    unsigned int raw = image.bits == 16 ? ((const unsigned short*)at)[c] : at[c];
    if (image.kind == FLOAT) return bits_of(half_to_float(raw));
    const float most = image.kind == UNSIGNED ? (image.bits == 16 ? 65535.0f : 255.0f)
                                              : (image.bits == 16 ? 32767.0f : 127.0f);
    if (image.kind == SIGNED) raw = (unsigned int)(image.bits == 16 ? (int)(short)raw : (int)(signed char)raw);
    if (!image.as_float) return raw;
    if (image.kind == SIGNED) return bits_of(fmaxf((float)(int)raw / most, image.linear ? -2.0f : -1.0f));
    const float value = (float)raw / most;
    return bits_of(image.srgb && c < 3 ? from_srgb(value) : value);
}

HIPIFY_TEXTURE_CODE bool returns_floats(const Image& image) { return image.kind == FLOAT || image.as_float; }

// Whether the bytes of a texel are a T already.
template <typename T>
HIPIFY_TEXTURE_CODE bool is_plain(const Image& image) {
    typedef typename Texel<T>::Channel Channel;
    return image.texel == (int)sizeof(T) && image.bits == 8 * (int)sizeof(Channel) && !image.as_float;
}

HIPIFY_TEXTURE_CODE const unsigned char* texel_at(const Image& image, int x, int y, int z) {
    return image.data + (size_t)z * image.slice + (size_t)y * image.pitch + (size_t)x * image.texel;
}

// The texel at whole numbers; outside of the image (negative) the border's colour.
template <typename T>
HIPIFY_TEXTURE_CODE T load(const Image& image, int x, int y, int z) {
    typedef typename Texel<T>::Channel Channel;
    const bool outside = (x | y | z) < 0;
    const unsigned char* at = outside ? image.data : texel_at(image, x, y, z);
    if (!outside && is_plain<T>(image)) return *(const T*)at;
    Channel channels[Texel<T>::channels];
    for (int c = 0; c < Texel<T>::channels; ++c) {
        unsigned int value = 0;
        if (outside)
            value = returns_floats(image) ? bits_of(image.border[c]) : (unsigned int)(int)image.border[c];
        else
            value = c < image.channels ? load_channel(image, at, c) : 0u;
        channels[c] = channel_of(value, (Channel*)0);
    }
    T result;
    memcpy(&result, channels, sizeof result);
    return result;
}

// A coordinate of an axis in 2^-21 texels, brought near the image where the address mode repeats it: into one image to
// wrap, into two to mirror. Normalized coordinates have 21 fractional bits.
HIPIFY_TEXTURE_CODE long long in_texels(const Image& image, float x, int size, int axis) {
    const float one = 2097152.0f;
    if (!image.normalized) return (long long)floorf(fminf(fmaxf(x, -2.0f), (float)size + 2.0f) * one);
    const int mode = image.address[axis];
    const float most = mode == CLAMP || mode == BORDER ? 3.0f : 1048576.0f;  // farther out nothing changes
    long long whole = (long long)floorf(fminf(fmaxf(x, 1.0f - most), most) * one);
    if (mode == WRAP) whole &= (1 << 21) - 1;
    if (mode == MIRROR) whole &= (1 << 22) - 1;
    return whole * size;
}

// The texel of a whole coordinate that may lie beside the image; -1 for the border.
HIPIFY_TEXTURE_CODE int addressed(const Image& image, int i, int size, int axis) {
    if (i >= 0 && i < size) return i;
    const int mode = image.address[axis];
    if (mode == BORDER) return -1;
    if (image.normalized && mode == WRAP) return i < 0 ? size - 1 : 0;
    if (image.normalized && mode == MIRROR && i >= size) i = 2 * size - 1 - i;
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

HIPIFY_TEXTURE_CODE int nearest(const Image& image, float x, int size, int axis) {
    return addressed(image, (int)(in_texels(image, x, size, axis) >> 21), size, axis);
}

struct Axis {
    int first, second;  // the texels to both sides
    int weight;         // of the second, in 256ths
};

HIPIFY_TEXTURE_CODE Axis between(const Image& image, float x, int size, int axis) {
    const int at = (int)((in_texels(image, x, size, axis) + (1 << 12) - (1 << 20)) >> 13);
    Axis found;
    found.first = addressed(image, at >> 8, size, axis);
    found.second = addressed(image, (at >> 8) + 1, size, axis);
    found.weight = at & 255;
    if (found.first == found.second && (!image.normalized || image.address[axis] == CLAMP)) found.weight = 0;
    return found;
}

// Adds a weighed texel to the sums of the channels.
template <typename T>
HIPIFY_TEXTURE_CODE void add(float* sums, const Image& image, int x, int y, int z, int weight) {
    typedef typename Texel<T>::Channel Channel;
    const T texel = load<T>(image, x, y, z);
    Channel channels[Texel<T>::channels];
    memcpy(channels, &texel, sizeof channels);
    for (int c = 0; c < Texel<T>::channels; ++c) sums[c] += (float)weight * (float)channels[c];
}

// The weights of four texels are whole 256ths, too, and `share` of them together.
template <typename T>
HIPIFY_TEXTURE_CODE void add_square(float* sums, const Image& image, const Axis& h, const Axis& v, int z, int share) {
    const int right = (share * h.weight + 128) >> 8, left = share - right;
    const int lower_right = (right * v.weight + 128) >> 8, lower_left = (left * v.weight + 127) >> 8;
    add<T>(sums, image, h.first, v.first, z, left - lower_left);
    add<T>(sums, image, h.second, v.first, z, right - lower_right);
    add<T>(sums, image, h.first, v.second, z, lower_left);
    add<T>(sums, image, h.second, v.second, z, lower_right);
}

// A filtered channel has no more bits than a texel of 16 bits.
HIPIFY_TEXTURE_CODE float rounded(const Image& image, float value) {
    if (image.as_float && !image.srgb) {
        const float most = image.kind == UNSIGNED ? 65535.0f : 32767.0f;
        const float size = floorf(fabsf(value) * most + 0.502f) / most;  // halves up, roundings below them too
        return value < 0.0f ? -fminf(size, 1.0f) : size;
    }
    if (image.kind == FLOAT && image.bits == 16) return float_of((bits_of(value) + 0x1000u) & ~0x1fffu);
    return value;
}

template <typename T>
HIPIFY_TEXTURE_CODE T average(const Image& image, const float* sums) {
    typedef typename Texel<T>::Channel Channel;
    Channel channels[Texel<T>::channels];
    for (int c = 0; c < Texel<T>::channels; ++c) channels[c] = (Channel)rounded(image, sums[c] * (1.0f / 256.0f));
    T result;
    memcpy(&result, channels, sizeof result);
    return result;
}

template <typename T>
HIPIFY_TEXTURE_CODE T fetch(const Image& image, int x) {
    return load<T>(image, x < image.width ? x : -1, 0, 0);
}

HIPIFY_TEXTURE_CODE int clamped(int i, int size) { return i < 0 ? 0 : i < size ? i : size - 1; }

// Reads at a place. With `sums` a part of it, `share` 256ths, is added there, and nothing is returned.
template <typename T>
HIPIFY_TEXTURE_CODE T sample1(const Image& image, float x, int layer, float* sums = 0, int share = 256) {
    float own[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    float* into = sums ? sums : own;
    layer = clamped(layer, image.depth);
    if (!image.linear) {
        const int at = nearest(image, x, image.width, 0);
        if (!sums) return load<T>(image, at, 0, layer);
        add<T>(sums, image, at, 0, layer, share);
        return T();
    }
    const Axis h = between(image, x, image.width, 0);
    const int right = (share * h.weight + 128) >> 8;
    add<T>(into, image, h.first, 0, layer, share - right);
    add<T>(into, image, h.second, 0, layer, right);
    return sums ? T() : average<T>(image, own);
}

template <typename T>
HIPIFY_TEXTURE_CODE T sample2(const Image& image, float x, float y, int layer, float* sums = 0, int share = 256) {
    float own[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    layer = clamped(layer, image.depth);
    if (!image.linear) {
        const int h = nearest(image, x, image.width, 0), v = nearest(image, y, image.height, 1);
        if (!sums) return load<T>(image, h, v, layer);
        add<T>(sums, image, h, v, layer, share);
        return T();
    }
    const Axis h = between(image, x, image.width, 0), v = between(image, y, image.height, 1);
    add_square<T>(sums ? sums : own, image, h, v, layer, share);
    return sums ? T() : average<T>(image, own);
}

template <typename T>
HIPIFY_TEXTURE_CODE T sample3(const Image& image, float x, float y, float z, float* sums = 0, int share = 256) {
    float own[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    float* into = sums ? sums : own;
    if (!image.linear) {
        const int h = nearest(image, x, image.width, 0), v = nearest(image, y, image.height, 1);
        const int d = nearest(image, z, image.depth, 2);
        if (!sums) return load<T>(image, h, v, d);
        add<T>(sums, image, h, v, d, share);
        return T();
    }
    const Axis h = between(image, x, image.width, 0), v = between(image, y, image.height, 1);
    const Axis d = between(image, z, image.depth, 2);
    const int deeper = (share * d.weight + 128) >> 8;
    add_square<T>(into, image, h, v, d.first, share - deeper);
    add_square<T>(into, image, h, v, d.second, deeper);
    return sums ? T() : average<T>(image, own);
}

// A direction's face of the cube, and the place on it.
template <typename T>
HIPIFY_TEXTURE_CODE T sample_cube(const Image& image, float x, float y, float z, int layer, float* sums = 0,
                                  int share = 256) {
    const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    float major, s, t;
    int face;
    if (az >= ax && az >= ay) {
        face = z < 0.0f ? 5 : 4, major = az, s = z < 0.0f ? -x : x, t = -y;
    } else if (ay >= ax) {
        face = y < 0.0f ? 3 : 2, major = ay, s = x, t = y < 0.0f ? -z : z;
    } else {
        face = x < 0.0f ? 1 : 0, major = ax, s = x < 0.0f ? z : -z, t = -y;
    }
    const int face_layer = 6 * clamped(layer, image.depth / 6) + face;
    return sample2<T>(image, 0.5f * (s / major + 1.0f), 0.5f * (t / major + 1.0f), face_layer, sums, share);
}

// Channel `c` of the four texels that linear filtering would weigh, counter-clockwise from the lower left.
template <typename T>
HIPIFY_TEXTURE_CODE T gather(const Image& image, float x, float y, int c) {
    typedef typename Texel<T>::Channel Channel;
    const Axis h = between(image, x, image.width, 0), v = between(image, y, image.height, 1);
    const int xs[4] = {h.first, h.second, h.second, h.first}, ys[4] = {v.second, v.second, v.first, v.first};
    Channel found[4];
    for (int i = 0; i < 4; ++i) {
        const bool outside = (xs[i] | ys[i]) < 0;
        unsigned int value = returns_floats(image) ? bits_of(image.border[c]) : (unsigned int)(int)image.border[c];
        if (!outside)
            value = c < image.channels ? load_channel(image, texel_at(image, xs[i], ys[i], 0), c) : 0u;
        found[i] = channel_of(value, (Channel*)0);
    }
    T result;
    memcpy(&result, found, sizeof result);
    return result;
}

HIPIFY_TEXTURE_CODE int in_256ths(float level) { return (int)(fminf(fmaxf(level, -64.0f), 64.0f) * 256.0f); }

// Reads at a level of detail: `read` samples one image.
template <typename T, typename Read>
HIPIFY_TEXTURE_CODE T at_level(const Image& image, float level, const Read& read) {
    if (image.levels < 2) return read(image, (float*)0, 256);
    const int wanted = in_256ths(level) + in_256ths(image.bias), least = in_256ths(image.least_level);
    const int last = 256 * (image.levels - 1), most = in_256ths(image.most_level);
    const int at = clamped(wanted < least ? least : wanted, 1 + (most < last ? most : last));
    if (!image.between_levels) return read((&image)[(at + 128) >> 8], (float*)0, 256);
    float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    const int share = at & 255;
    read((&image)[at >> 8], sums, 256 - share);
    if (share) read((&image)[(at >> 8) + 1], sums, share);
    return average<T>(image, sums);
}

// The level at which a texel is as far as the longer of two gradients, of `n` coordinates.
HIPIFY_TEXTURE_CODE float level_for(const Image& image, const float* dx, const float* dy, int n) {
    const int sizes[3] = {image.width, image.height, image.depth};
    float across = 0.0f, along = 0.0f;
    for (int i = 0; i < n; ++i) {
        across += dx[i] * dx[i] * (float)sizes[i] * (float)sizes[i];
        along += dy[i] * dy[i] * (float)sizes[i] * (float)sizes[i];
    }
    return 0.5f * log2f(fmaxf(fmaxf(across, along), 1e-30f));
}

// Where a surface's value lies: x counts bytes. Null outside, where reads give zero and writes are dropped.
template <typename T>
HIPIFY_TEXTURE_CODE T* surface_at(const Image& image, int x, int y, int z, int boundary) {
    const int last = image.width * image.texel - (int)sizeof(T);
    if (boundary == CLAMP_OUTSIDE) {
        x = clamped(x, last + 1);
        y = clamped(y, image.height);
        z = clamped(z, image.depth);
    }
    if (x < 0 || x > last || y < 0 || y >= image.height || z < 0 || z >= image.depth) return 0;
    return (T*)(image.data + (size_t)z * image.slice + (size_t)y * image.pitch + (size_t)x);
}

template <typename T>
HIPIFY_TEXTURE_CODE void surface_read(T* value, const Image& image, int x, int y, int z, int boundary) {
    const T* at = surface_at<T>(image, x, y, z, boundary);
    if (at)
        *value = *at;
    else
        memset((void*)value, 0, sizeof *value);
}

template <typename T>
HIPIFY_TEXTURE_CODE void surface_write(const T& value, const Image& image, int x, int y, int z, int boundary) {
    T* at = surface_at<T>(image, x, y, z, boundary);
    if (at) *at = value;
}

}  // namespace hipify_textures

#endif  // HIPIFY_TEXTURE_CODE

#endif  // HIPIFY_TEXTURE_SAMPLING_H
