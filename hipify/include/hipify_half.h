// CUDA's functions on half and bfloat16 that HIP does not declare.
//
// On HIP's NVIDIA platform CUDA has them all, and nothing is declared here. Every function is a template with a default
// argument: if a later HIP declares the plain function, that one is called, and the two never clash.

#ifndef HIPIFY_HALF_H
#define HIPIFY_HALF_H

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#ifndef __HIP_PLATFORM_NVIDIA__

typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half2 __nv_half2;

#define HIPIFY_BOTH template <int Own = 0> __host__ __device__ inline
#define HIPIFY_DEVICE template <int Own = 0> __device__ inline

namespace hipify_device {

enum half_rounding { half_down, half_up, half_zero, half_nearest };

template <class To, class From>
__host__ __device__ inline To same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "the sizes must be equal");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

// The bits above `drop` of a magnitude, rounded as its value with that sign is.
template <int Mode>
__host__ __device__ inline unsigned long long rounded_off(unsigned long long bits, int drop, bool is_negative) {
    const unsigned long long kept = bits >> drop, rest = bits - (kept << drop), half = 1ull << drop >> 1;
    if (Mode == half_nearest) return kept + (rest > half || (rest == half && drop > 0 && (kept & 1)));
    const bool away = Mode == half_up ? !is_negative : Mode == half_down ? is_negative : false;
    return kept + (away && rest != 0);
}

template <int Mode>
__host__ __device__ inline __hip_bfloat16 bfloat_of(float value) {
    const unsigned bits = same_bits<unsigned>(value), size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) return same_bits<__hip_bfloat16>(static_cast<unsigned short>(0x7fff));
    const unsigned kept = static_cast<unsigned>(rounded_off<Mode>(size, 16, bits >> 31));
    return same_bits<__hip_bfloat16>(static_cast<unsigned short>((bits >> 31 << 15) | kept));
}

template <int Mode>
__host__ __device__ inline __hip_bfloat16 bfloat_of(unsigned long long size, bool is_negative) {
    unsigned bits = 0;
    if (size != 0) {
        int top = 63;
        while (!(size >> top)) --top;
        const unsigned long long kept = top > 7 ? rounded_off<Mode>(size, top - 7, is_negative) : size << (7 - top);
        bits = (static_cast<unsigned>(top + 127) << 7) + static_cast<unsigned>(kept - 0x80);
    }
    return same_bits<__hip_bfloat16>(static_cast<unsigned short>((is_negative ? 0x8000u : 0u) | bits));
}

template <int Mode>
__host__ __device__ inline __hip_bfloat16 bfloat_of_signed(long long value) {
    const unsigned long long bits = static_cast<unsigned long long>(value);
    return bfloat_of<Mode>(value < 0 ? 0 - bits : bits, value < 0);
}

__host__ __device__ inline float float_of(__hip_bfloat16 value) {
    return same_bits<float>(static_cast<unsigned>(same_bits<unsigned short>(value)) << 16);
}

// A whole number of a type, its nearest one when the value is outside; NaN gives `none`.
template <int Mode, class T>
__host__ __device__ inline T whole(float value, T low, T high, T none) {
    if (value != value) return none;
    const float whole_value = Mode == half_down  ? __builtin_floorf(value)
                              : Mode == half_up  ? __builtin_ceilf(value)
                              : Mode == half_zero ? __builtin_truncf(value)
                                                  : __builtin_rintf(value);
    if (whole_value <= static_cast<float>(low)) return low;
    if (whole_value >= static_cast<float>(high)) return high;
    return static_cast<T>(whole_value);
}

}  // namespace hipify_device

// --- bfloat16 ---------------------------------------------------------------------------------------------------

HIPIFY_BOTH short __bfloat162short_rd(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_down, short>(hipify_device::float_of(value), -32767 - 1, 32767, 0);
}
HIPIFY_BOTH short __bfloat162short_ru(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_up, short>(hipify_device::float_of(value), -32767 - 1, 32767, 0);
}
HIPIFY_BOTH short __bfloat162short_rz(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_zero, short>(hipify_device::float_of(value), -32767 - 1, 32767, 0);
}
HIPIFY_BOTH short __bfloat162short_rn(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_nearest, short>(hipify_device::float_of(value), -32767 - 1, 32767, 0);
}
HIPIFY_BOTH unsigned short __bfloat162ushort_rd(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_down, unsigned short>(hipify_device::float_of(value), 0, 65535, 0);
}
HIPIFY_BOTH unsigned short __bfloat162ushort_ru(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_up, unsigned short>(hipify_device::float_of(value), 0, 65535, 0);
}
HIPIFY_BOTH unsigned short __bfloat162ushort_rz(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_zero, unsigned short>(hipify_device::float_of(value), 0, 65535, 0);
}
HIPIFY_BOTH unsigned short __bfloat162ushort_rn(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_nearest, unsigned short>(hipify_device::float_of(value), 0, 65535, 0);
}
HIPIFY_BOTH int __bfloat162int_rd(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_down, int>(hipify_device::float_of(value), -2147483647 - 1, 2147483647, 0);
}
HIPIFY_BOTH int __bfloat162int_ru(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_up, int>(hipify_device::float_of(value), -2147483647 - 1, 2147483647, 0);
}
HIPIFY_BOTH int __bfloat162int_rz(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_zero, int>(hipify_device::float_of(value), -2147483647 - 1, 2147483647, 0);
}
HIPIFY_BOTH int __bfloat162int_rn(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_nearest, int>(hipify_device::float_of(value), -2147483647 - 1, 2147483647, 0);
}
HIPIFY_BOTH unsigned __bfloat162uint_rd(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_down, unsigned>(hipify_device::float_of(value), 0u, 4294967295u, 0u);
}
HIPIFY_BOTH unsigned __bfloat162uint_ru(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_up, unsigned>(hipify_device::float_of(value), 0u, 4294967295u, 0u);
}
HIPIFY_BOTH unsigned __bfloat162uint_rz(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_zero, unsigned>(hipify_device::float_of(value), 0u, 4294967295u, 0u);
}
HIPIFY_BOTH unsigned __bfloat162uint_rn(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_nearest, unsigned>(hipify_device::float_of(value), 0u, 4294967295u, 0u);
}
HIPIFY_BOTH long long __bfloat162ll_rd(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_down, long long>(hipify_device::float_of(value), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1);
}
HIPIFY_BOTH long long __bfloat162ll_ru(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_up, long long>(hipify_device::float_of(value), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1);
}
HIPIFY_BOTH long long __bfloat162ll_rz(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_zero, long long>(hipify_device::float_of(value), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1);
}
HIPIFY_BOTH long long __bfloat162ll_rn(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_nearest, long long>(hipify_device::float_of(value), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1);
}
HIPIFY_BOTH unsigned long long __bfloat162ull_rd(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_down, unsigned long long>(hipify_device::float_of(value), 0ull, 18446744073709551615ull, 9223372036854775808ull);
}
HIPIFY_BOTH unsigned long long __bfloat162ull_ru(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_up, unsigned long long>(hipify_device::float_of(value), 0ull, 18446744073709551615ull, 9223372036854775808ull);
}
HIPIFY_BOTH unsigned long long __bfloat162ull_rz(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_zero, unsigned long long>(hipify_device::float_of(value), 0ull, 18446744073709551615ull, 9223372036854775808ull);
}
HIPIFY_BOTH unsigned long long __bfloat162ull_rn(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_nearest, unsigned long long>(hipify_device::float_of(value), 0ull, 18446744073709551615ull, 9223372036854775808ull);
}
HIPIFY_BOTH signed char __bfloat162char_rz(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_zero, signed char>(hipify_device::float_of(value), -128, 127, 0);
}
HIPIFY_BOTH unsigned char __bfloat162uchar_rz(__hip_bfloat16 value) {
    return hipify_device::whole<hipify_device::half_zero, unsigned char>(hipify_device::float_of(value), 0, 255, 0);
}
HIPIFY_BOTH __hip_bfloat16 __float2bfloat16_rd(float value) { return hipify_device::bfloat_of<hipify_device::half_down>(value); }
HIPIFY_BOTH __hip_bfloat16 __float2bfloat16_ru(float value) { return hipify_device::bfloat_of<hipify_device::half_up>(value); }
HIPIFY_BOTH __hip_bfloat16 __float2bfloat16_rz(float value) { return hipify_device::bfloat_of<hipify_device::half_zero>(value); }
HIPIFY_BOTH __hip_bfloat16 __short2bfloat16_rd(short value) {
    return hipify_device::bfloat_of_signed<hipify_device::half_down>(value);
}
HIPIFY_BOTH __hip_bfloat16 __short2bfloat16_ru(short value) {
    return hipify_device::bfloat_of_signed<hipify_device::half_up>(value);
}
HIPIFY_BOTH __hip_bfloat16 __short2bfloat16_rz(short value) {
    return hipify_device::bfloat_of_signed<hipify_device::half_zero>(value);
}
HIPIFY_BOTH __hip_bfloat16 __short2bfloat16_rn(short value) {
    return hipify_device::bfloat_of_signed<hipify_device::half_nearest>(value);
}
HIPIFY_BOTH __hip_bfloat16 __ushort2bfloat16_rd(unsigned short value) {
    return hipify_device::bfloat_of<hipify_device::half_down>(value, false);
}
HIPIFY_BOTH __hip_bfloat16 __ushort2bfloat16_ru(unsigned short value) {
    return hipify_device::bfloat_of<hipify_device::half_up>(value, false);
}
HIPIFY_BOTH __hip_bfloat16 __ushort2bfloat16_rz(unsigned short value) {
    return hipify_device::bfloat_of<hipify_device::half_zero>(value, false);
}
HIPIFY_BOTH __hip_bfloat16 __ushort2bfloat16_rn(unsigned short value) {
    return hipify_device::bfloat_of<hipify_device::half_nearest>(value, false);
}
HIPIFY_BOTH __hip_bfloat16 __int2bfloat16_rd(int value) {
    return hipify_device::bfloat_of_signed<hipify_device::half_down>(value);
}
HIPIFY_BOTH __hip_bfloat16 __int2bfloat16_ru(int value) {
    return hipify_device::bfloat_of_signed<hipify_device::half_up>(value);
}
HIPIFY_BOTH __hip_bfloat16 __int2bfloat16_rz(int value) {
    return hipify_device::bfloat_of_signed<hipify_device::half_zero>(value);
}
HIPIFY_BOTH __hip_bfloat16 __int2bfloat16_rn(int value) {
    return hipify_device::bfloat_of_signed<hipify_device::half_nearest>(value);
}
HIPIFY_BOTH __hip_bfloat16 __uint2bfloat16_rd(unsigned value) {
    return hipify_device::bfloat_of<hipify_device::half_down>(value, false);
}
HIPIFY_BOTH __hip_bfloat16 __uint2bfloat16_ru(unsigned value) {
    return hipify_device::bfloat_of<hipify_device::half_up>(value, false);
}
HIPIFY_BOTH __hip_bfloat16 __uint2bfloat16_rz(unsigned value) {
    return hipify_device::bfloat_of<hipify_device::half_zero>(value, false);
}
HIPIFY_BOTH __hip_bfloat16 __uint2bfloat16_rn(unsigned value) {
    return hipify_device::bfloat_of<hipify_device::half_nearest>(value, false);
}
HIPIFY_BOTH __hip_bfloat16 __ll2bfloat16_rd(long long value) {
    return hipify_device::bfloat_of_signed<hipify_device::half_down>(value);
}
HIPIFY_BOTH __hip_bfloat16 __ll2bfloat16_ru(long long value) {
    return hipify_device::bfloat_of_signed<hipify_device::half_up>(value);
}
HIPIFY_BOTH __hip_bfloat16 __ll2bfloat16_rz(long long value) {
    return hipify_device::bfloat_of_signed<hipify_device::half_zero>(value);
}
HIPIFY_BOTH __hip_bfloat16 __ll2bfloat16_rn(long long value) {
    return hipify_device::bfloat_of_signed<hipify_device::half_nearest>(value);
}
HIPIFY_BOTH __hip_bfloat16 __ull2bfloat16_rd(unsigned long long value) {
    return hipify_device::bfloat_of<hipify_device::half_down>(value, false);
}
HIPIFY_BOTH __hip_bfloat16 __ull2bfloat16_ru(unsigned long long value) {
    return hipify_device::bfloat_of<hipify_device::half_up>(value, false);
}
HIPIFY_BOTH __hip_bfloat16 __ull2bfloat16_rz(unsigned long long value) {
    return hipify_device::bfloat_of<hipify_device::half_zero>(value, false);
}
HIPIFY_BOTH __hip_bfloat16 __ull2bfloat16_rn(unsigned long long value) {
    return hipify_device::bfloat_of<hipify_device::half_nearest>(value, false);
}
HIPIFY_BOTH __hip_bfloat162 make_bfloat162(__hip_bfloat16 low, __hip_bfloat16 high) {
    const unsigned bits = hipify_device::same_bits<unsigned short>(low);
    return hipify_device::same_bits<__hip_bfloat162>(bits | unsigned(hipify_device::same_bits<unsigned short>(high)) << 16);
}
HIPIFY_BOTH __hip_bfloat162 __floats2bfloat162_rn(float low, float high) {
    return make_bfloat162<Own>(hipify_device::bfloat_of<hipify_device::half_nearest>(low),
                               hipify_device::bfloat_of<hipify_device::half_nearest>(high));
}
HIPIFY_BOTH __hip_bfloat162 __float2bfloat162_rn(float value) { return __floats2bfloat162_rn<Own>(value, value); }

// --- half -------------------------------------------------------------------------------------------------------

HIPIFY_BOTH __half __double2half(double value) {
    return hipify_device::same_bits<__half>(static_cast<_Float16>(value));
}
HIPIFY_BOTH signed char __half2char_rz(__half value) {
    return hipify_device::whole<hipify_device::half_zero, signed char>(__half2float(value), -128, 127, 0);
}
HIPIFY_BOTH unsigned char __half2uchar_rz(__half value) {
    return hipify_device::whole<hipify_device::half_zero, unsigned char>(__half2float(value), 0, 255, 0);
}

namespace hipify_device {

__host__ __device__ inline float part(__half2 value, int position) {
    const unsigned short bits = static_cast<unsigned short>(same_bits<unsigned>(value) >> (16 * position));
    return __half2float(same_bits<__half>(bits));
}
__host__ __device__ inline __half2 both(__half low, __half high) {
    return same_bits<__half2>(static_cast<unsigned>(same_bits<unsigned short>(low)) |
                              static_cast<unsigned>(same_bits<unsigned short>(high)) << 16);
}
__host__ __device__ inline bool ordered_unequal(float a, float b) { return a < b || a > b; }
__host__ __device__ inline unsigned mask(bool low, bool high) { return (low ? 0xffffu : 0u) | (high ? 0xffff0000u : 0u); }
__host__ __device__ inline __half positive(__half value) {
    const float number = __half2float(value);
    return number != number ? same_bits<__half>(static_cast<unsigned short>(0x7fff))
           : number > 0     ? value
                            : same_bits<__half>(static_cast<unsigned short>(0));
}
__host__ __device__ inline __half pick(__half a, __half b, bool larger_one) {
    const float x = __half2float(a), y = __half2float(b);
    if (x != x || y != y) return same_bits<__half>(static_cast<unsigned short>(0x7fff));
    if (x == y) return (same_bits<unsigned short>(a) >> 15 != 0) == larger_one ? b : a;
    return (x < y) == larger_one ? b : a;
}
__host__ __device__ inline __half pick_number(__half a, __half b, bool larger_one) {
    const float x = __half2float(a), y = __half2float(b);
    return x != x && y == y ? b : y != y && x == x ? a : pick(a, b, larger_one);
}
__host__ __device__ inline __half half_part(__half2 value, int position) {
    return same_bits<__half>(static_cast<unsigned short>(same_bits<unsigned>(value) >> (16 * position)));
}

}  // namespace hipify_device

HIPIFY_BOTH unsigned __heq2_mask(__half2 a, __half2 b) {
    using namespace hipify_device;
    return mask(part(a, 0) == part(b, 0), part(a, 1) == part(b, 1));
}
HIPIFY_BOTH unsigned __hequ2_mask(__half2 a, __half2 b) {
    using namespace hipify_device;
    return mask(!ordered_unequal(part(a, 0), part(b, 0)), !ordered_unequal(part(a, 1), part(b, 1)));
}
HIPIFY_BOTH unsigned __hne2_mask(__half2 a, __half2 b) {
    using namespace hipify_device;
    return mask(ordered_unequal(part(a, 0), part(b, 0)), ordered_unequal(part(a, 1), part(b, 1)));
}
HIPIFY_BOTH unsigned __hneu2_mask(__half2 a, __half2 b) {
    using namespace hipify_device;
    return mask(part(a, 0) != part(b, 0), part(a, 1) != part(b, 1));
}
HIPIFY_BOTH unsigned __hlt2_mask(__half2 a, __half2 b) {
    using namespace hipify_device;
    return mask(part(a, 0) < part(b, 0), part(a, 1) < part(b, 1));
}
HIPIFY_BOTH unsigned __hltu2_mask(__half2 a, __half2 b) {
    using namespace hipify_device;
    return mask(!(part(a, 0) >= part(b, 0)), !(part(a, 1) >= part(b, 1)));
}
HIPIFY_BOTH unsigned __hle2_mask(__half2 a, __half2 b) {
    using namespace hipify_device;
    return mask(part(a, 0) <= part(b, 0), part(a, 1) <= part(b, 1));
}
HIPIFY_BOTH unsigned __hleu2_mask(__half2 a, __half2 b) {
    using namespace hipify_device;
    return mask(!(part(a, 0) > part(b, 0)), !(part(a, 1) > part(b, 1)));
}
HIPIFY_BOTH unsigned __hgt2_mask(__half2 a, __half2 b) {
    using namespace hipify_device;
    return mask(part(a, 0) > part(b, 0), part(a, 1) > part(b, 1));
}
HIPIFY_BOTH unsigned __hgtu2_mask(__half2 a, __half2 b) {
    using namespace hipify_device;
    return mask(!(part(a, 0) <= part(b, 0)), !(part(a, 1) <= part(b, 1)));
}
HIPIFY_BOTH unsigned __hge2_mask(__half2 a, __half2 b) {
    using namespace hipify_device;
    return mask(part(a, 0) >= part(b, 0), part(a, 1) >= part(b, 1));
}
HIPIFY_BOTH unsigned __hgeu2_mask(__half2 a, __half2 b) {
    using namespace hipify_device;
    return mask(!(part(a, 0) < part(b, 0)), !(part(a, 1) < part(b, 1)));
}
HIPIFY_BOTH __half2 __hmax2(__half2 a, __half2 b) {
    using namespace hipify_device;
    return both(pick_number(half_part(a, 0), half_part(b, 0), true),
                pick_number(half_part(a, 1), half_part(b, 1), true));
}
HIPIFY_BOTH __half2 __hmin2(__half2 a, __half2 b) {
    using namespace hipify_device;
    return both(pick_number(half_part(a, 0), half_part(b, 0), false),
                pick_number(half_part(a, 1), half_part(b, 1), false));
}
HIPIFY_BOTH __half2 __hmax2_nan(__half2 a, __half2 b) {
    using namespace hipify_device;
    return both(pick(half_part(a, 0), half_part(b, 0), true), pick(half_part(a, 1), half_part(b, 1), true));
}
HIPIFY_BOTH __half2 __hmin2_nan(__half2 a, __half2 b) {
    using namespace hipify_device;
    return both(pick(half_part(a, 0), half_part(b, 0), false), pick(half_part(a, 1), half_part(b, 1), false));
}
HIPIFY_DEVICE __half __hfma_relu(__half a, __half b, __half c) { return hipify_device::positive(__hfma(a, b, c)); }
HIPIFY_DEVICE __half2 __hfma2_relu(__half2 a, __half2 b, __half2 c) {
    using namespace hipify_device;
    const __half2 sum = __hfma2(a, b, c);
    return both(positive(half_part(sum, 0)), positive(half_part(sum, 1)));
}
// a * b + c of complex numbers, the imaginary part in the upper half.
HIPIFY_DEVICE __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
    using namespace hipify_device;
    const __half ar = half_part(a, 0), ai = half_part(a, 1), br = half_part(b, 0), bi = half_part(b, 1);
    const __half real = __hfma(ar, br, half_part(c, 0)), imaginary = __hfma(ar, bi, half_part(c, 1));
    return both(__hfma(__hneg(ai), bi, real), __hfma(ai, br, imaginary));
}
HIPIFY_DEVICE __half htanh(__half value) { return __float2half(tanhf(__half2float(value))); }
HIPIFY_DEVICE __half htanh_approx(__half value) { return htanh<Own>(value); }
HIPIFY_DEVICE __half2 h2tanh(__half2 value) {
    using namespace hipify_device;
    return both(htanh<Own>(half_part(value, 0)), htanh<Own>(half_part(value, 1)));
}
HIPIFY_DEVICE __half2 h2tanh_approx(__half2 value) { return h2tanh<Own>(value); }

// --- What CUDA's implicit conversion to float lets the classifying functions take ---------------------------------

HIPIFY_BOTH bool isnan(__half value) {
    return (hipify_device::same_bits<unsigned short>(value) & 0x7fff) > 0x7c00;
}
HIPIFY_BOTH bool isinf(__half value) {
    return (hipify_device::same_bits<unsigned short>(value) & 0x7fff) == 0x7c00;
}
HIPIFY_BOTH bool isfinite(__half value) {
    return (hipify_device::same_bits<unsigned short>(value) & 0x7fff) < 0x7c00;
}
HIPIFY_BOTH bool isnan(__hip_bfloat16 value) {
    return (hipify_device::same_bits<unsigned short>(value) & 0x7fff) > 0x7f80;
}
HIPIFY_BOTH bool isinf(__hip_bfloat16 value) {
    return (hipify_device::same_bits<unsigned short>(value) & 0x7fff) == 0x7f80;
}
HIPIFY_BOTH bool isfinite(__hip_bfloat16 value) {
    return (hipify_device::same_bits<unsigned short>(value) & 0x7fff) < 0x7f80;
}

// --- Atomic additions: CUDA adds each number by itself, rounded to nearest; here the word around it is exchanged ------

namespace hipify_device {

__device__ inline __half sum_of(__half a, __half b) { return __hadd(a, b); }
__device__ inline __hip_bfloat16 sum_of(__hip_bfloat16 a, __hip_bfloat16 b) {
    return bfloat_of<half_nearest>(float_of(a) + float_of(b));
}

// The old number of half `position` (0 or 1) of a word, which gets the sum.
template <class T>
__device__ inline T add_part(unsigned* word, int position, T value) {
    const int shift = 16 * position;
    unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT), next;
    T before;
    do {
        before = same_bits<T>(static_cast<unsigned short>(old >> shift));
        next = (old & ~(0xffffu << shift)) |
               static_cast<unsigned>(same_bits<unsigned short>(sum_of(before, value))) << shift;
    } while (!__hip_atomic_compare_exchange_strong(word, &old, next, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                                   __HIP_MEMORY_SCOPE_AGENT));
    return before;
}

template <class T>
__device__ inline T add_half(T* p, T value) {
    const unsigned long long at = reinterpret_cast<unsigned long long>(p);
    return add_part(reinterpret_cast<unsigned*>(at & ~3ull), at & 2 ? 1 : 0, value);
}

template <class T, class Pair>
__device__ inline Pair add_pair(Pair* p, Pair value) {
    unsigned* word = reinterpret_cast<unsigned*>(p);
    const unsigned add = same_bits<unsigned>(value);
    unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT), next;
    do {
        next = 0;
        for (int shift = 0; shift < 32; shift += 16) {
            const T sum = sum_of(same_bits<T>(static_cast<unsigned short>(old >> shift)),
                                 same_bits<T>(static_cast<unsigned short>(add >> shift)));
            next |= static_cast<unsigned>(same_bits<unsigned short>(sum)) << shift;
        }
    } while (!__hip_atomic_compare_exchange_strong(word, &old, next, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                                   __HIP_MEMORY_SCOPE_AGENT));
    return same_bits<Pair>(old);
}

}  // namespace hipify_device

HIPIFY_DEVICE __half atomicAdd(__half* p, __half value) { return hipify_device::add_half(p, value); }
HIPIFY_DEVICE __half2 atomicAdd(__half2* p, __half2 value) { return hipify_device::add_pair<__half>(p, value); }
HIPIFY_DEVICE __hip_bfloat16 atomicAdd(__hip_bfloat16* p, __hip_bfloat16 value) {
    return hipify_device::add_half(p, value);
}
HIPIFY_DEVICE __hip_bfloat162 atomicAdd(__hip_bfloat162* p, __hip_bfloat162 value) {
    return hipify_device::add_pair<__hip_bfloat16>(p, value);
}

#undef HIPIFY_BOTH
#undef HIPIFY_DEVICE

#endif  // __HIP_PLATFORM_NVIDIA__
#endif  // HIPIFY_HALF_H
