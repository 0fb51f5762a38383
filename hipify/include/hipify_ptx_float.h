// What PTX instructions compute with floating point, for `asm` statements that hipify-py wrote as C++.
//
// Results are PTX's to the bit, but for the bits of a NaN; approximations are at least as near as PTX asks.

#ifndef HIPIFY_PTX_FLOAT_H
#define HIPIFY_PTX_FLOAT_H

#include "hipify_ptx.h"

#if defined(__clang__)
#define HIPIFY_PTX_EXACT _Pragma("clang fp contract(off)")
#else
#define HIPIFY_PTX_EXACT
#endif
#if defined(__has_builtin)
#if __has_builtin(__builtin_fmaximum_numf) && __has_builtin(__builtin_fminimum_numf)
#define HIPIFY_PTX_MAXIMUM
#endif
#endif

namespace hipify_ptx_float {

using hipify_ptx::as;
using hipify_ptx::pack;
using hipify_ptx::s32;
using hipify_ptx::s64;
using hipify_ptx::u16;
using hipify_ptx::u32;
using hipify_ptx::u64;

// Sums and products that are rounded each for itself.
#ifdef __HIP_PLATFORM_NVIDIA__
__device__ inline float add(float a, float b) { return __fadd_rn(a, b); }
__device__ inline float sub(float a, float b) { return __fsub_rn(a, b); }
__device__ inline float mul(float a, float b) { return __fmul_rn(a, b); }
__device__ inline float divide(float a, float b) { return __fdiv_rn(a, b); }
__device__ inline float root(float a) { return __fsqrt_rn(a); }
__device__ inline double add(double a, double b) { return __dadd_rn(a, b); }
__device__ inline double sub(double a, double b) { return __dadd_rn(a, -b); }
__device__ inline double mul(double a, double b) { return __dmul_rn(a, b); }
#else
__device__ inline float add(float a, float b) { HIPIFY_PTX_EXACT return a + b; }
__device__ inline float sub(float a, float b) { HIPIFY_PTX_EXACT return a - b; }
__device__ inline float mul(float a, float b) { HIPIFY_PTX_EXACT return a * b; }
__device__ inline float divide(float a, float b) { return a / b; }
__device__ inline float root(float a) { return sqrtf(a); }
__device__ inline double add(double a, double b) { HIPIFY_PTX_EXACT return a + b; }
__device__ inline double sub(double a, double b) { HIPIFY_PTX_EXACT return a - b; }
__device__ inline double mul(double a, double b) { HIPIFY_PTX_EXACT return a * b; }
#endif
__device__ inline double divide(double a, double b) { return a / b; }
__device__ inline double root(double a) { return sqrt(a); }
__device__ inline float fused(float a, float b, float c) { return fmaf(a, b, c); }

// Signs are bits, of a NaN as well.
__device__ inline float negative(float a) { return as<float>(as<u32>(a) ^ 0x80000000u); }
__device__ inline double negative(double a) { return as<double>(as<u64>(a) ^ 0x8000000000000000ull); }
__device__ inline float absolute(float a) { return as<float>(as<u32>(a) & 0x7fffffffu); }
__device__ inline double absolute(double a) { return as<double>(as<u64>(a) & 0x7fffffffffffffffull); }
// The sign of `a` and the size of `b`.
__device__ inline float copysign(float a, float b) {
    return as<float>((as<u32>(a) & 0x80000000u) | (as<u32>(b) & 0x7fffffffu));
}
__device__ inline double copysign(double a, double b) {
    return as<double>((as<u64>(a) & 0x8000000000000000ull) | (as<u64>(b) & 0x7fffffffffffffffull));
}
// A subnormal number is a zero of its sign.
__device__ inline float flush(float a) {
    return (as<u32>(a) & 0x7f800000u) != 0u ? a : as<float>(as<u32>(a) & 0x80000000u);
}
// A result is subnormal if it were so with exponents without end: one that only rounds up to a normal number is a zero.
__device__ inline float flushed(float result, float scaled) {
    return absolute(scaled) < 1.97215226305252951e-31f ? as<float>(as<u32>(scaled) & 0x80000000u) : result;  // 2^-102
}
__device__ inline float mul_ftz(float a, float b) {
    a = flush(a), b = flush(b);
    return flushed(mul(a, b), mul(mul(a, 16777216.0f), b));
}
__device__ inline float fma_ftz(float a, float b, float c) {
    a = flush(a), b = flush(b), c = flush(c);
    return flushed(fused(a, b, c), fused(mul(a, 16777216.0f), b, mul(c, 16777216.0f)));
}
// Between 0 and 1; a NaN is 0.
__device__ inline float saturate(float a) { return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f; }

// The greater and the lesser: -0 is less than 0, and a NaN gives way to a number.
__device__ inline u32 bits_of(float a) { return as<u32>(a); }
__device__ inline u64 bits_of(double a) { return as<u64>(a); }
template <class T>
__device__ inline T greater(T a, T b) {
    if (a != a) return b;
    if (b != b) return a;
    if (a == b) return as<T>(bits_of(a) & bits_of(b));
    return a > b ? a : b;
}
template <class T>
__device__ inline T lesser(T a, T b) {
    if (a != a) return b;
    if (b != b) return a;
    if (a == b) return as<T>(bits_of(a) | bits_of(b));
    return a < b ? a : b;
}
#ifdef HIPIFY_PTX_MAXIMUM
__device__ inline float larger(float a, float b) { return __builtin_fmaximum_numf(a, b); }
__device__ inline float smaller(float a, float b) { return __builtin_fminimum_numf(a, b); }
#else
__device__ inline float larger(float a, float b) { return greater(a, b); }
__device__ inline float smaller(float a, float b) { return lesser(a, b); }
#endif
__device__ inline double larger(double a, double b) { return greater(a, b); }
__device__ inline double smaller(double a, double b) { return lesser(a, b); }
// Of a NaN and a number, the NaN.
__device__ inline float larger_nan(float a, float b) { return a != a ? a : b != b ? b : larger(a, b); }
__device__ inline float smaller_nan(float a, float b) { return a != a ? a : b != b ? b : smaller(a, b); }

__device__ inline u32 exponent(float a) { return (as<u32>(a) >> 23) & 0xffu; }
__device__ inline u32 exponent(double a) { return (u32)(as<u64>(a) >> 52) & 0x7ffu; }
template <class T> __device__ inline bool is_notanumber(T a) { return a != a; }
template <class T> __device__ inline bool is_number(T a) { return a == a; }
template <class T> __device__ inline bool is_finite(T a) { return exponent(a) != (sizeof(T) == 4 ? 0xffu : 0x7ffu); }
template <class T> __device__ inline bool is_infinite(T a) { return a == a && !is_finite(a); }
template <class T> __device__ inline bool is_subnormal(T a) { return exponent(a) == 0u && a != 0; }
template <class T> __device__ inline bool is_normal(T a) { return is_finite(a) && !is_subnormal(a); }  // zeros, too

// To integers: nearest (even), toward zero, down, up. What does not fit is the nearest that does; a NaN is 0,
// but the highest bit alone where one of the two has 64 bits.
__device__ inline float rni(float a) { return rintf(a); }
__device__ inline float rzi(float a) { return truncf(a); }
__device__ inline float rmi(float a) { return floorf(a); }
__device__ inline float rpi(float a) { return ceilf(a); }
__device__ inline double rni(double a) { return rint(a); }
__device__ inline double rzi(double a) { return trunc(a); }
__device__ inline double rmi(double a) { return floor(a); }
__device__ inline double rpi(double a) { return ceil(a); }
template <class T, class F>
__device__ inline T to_integer(F a) {
    const bool has_sign = (T)~(T)0 < (T)1;
    const F bound = (F)((u64)1 << (sizeof(T) * 8 - 1)) * (has_sign ? 1 : 2);
    const T most = has_sign ? (T)(((u64)1 << (sizeof(T) * 8 - 1)) - 1) : (T)~(T)0;
    if (a != a) return sizeof(T) == 8 || sizeof(F) == 8 ? (T)((u64)1 << (sizeof(T) * 8 - 1)) : (T)0;
    if (a >= bound) return most;
    if (a < (has_sign ? -bound : (F)0)) return has_sign ? (T)((u64)1 << (sizeof(T) * 8 - 1)) : (T)0;
    return (T)a;
}

// Numbers of fewer bits: `Exponent` and `Mantissa` bits beside the sign, rounded to the nearest (even) or toward zero.
// What is greater than `most` (without its sign) becomes `most`; infinite values count as such.
template <u32 Exponent, u32 Mantissa>
__device__ inline u32 narrowed(float a, bool nearest, u32 most, u32 infinite) {
    const u32 size = as<u32>(a) & 0x7fffffffu;
    if (size == 0x7f800000u) return infinite;
    const s32 power = (s32)(size >> 23 ? size >> 23 : 1u) - 127 + ((1 << (Exponent - 1)) - 1);
    const u64 significand = (u64)((size & 0x7fffffu) | (size >> 23 ? 0x800000u : 0u));
    u32 shift = 23u - Mantissa + (power < 1 ? (u32)(1 - power) : 0u);
    shift = shift < 40u ? shift : 40u;
    u32 result = (u32)(significand >> shift) + (power > 1 ? (u32)(power - 1) << Mantissa : 0u);
    const u64 rest = significand & (((u64)1 << shift) - 1u), half = shift ? (u64)1 << (shift - 1u) : 1u;
    if (nearest && (rest > half || (rest == half && (result & 1u)))) ++result;
    return result > most ? most : result;
}
__device__ inline u32 sign_of(float a, u32 place) { return (as<u32>(a) >> 31) << place; }
__device__ inline u16 cvt_rn_f16_f32(float a) {
#if defined(__clang__) && defined(__HIP_DEVICE_COMPILE__)
    return as<u16>((_Float16)a);
#else
    return a != a ? 0x7fff : (u16)(narrowed<5, 10>(a, true, 0x7c00u, 0x7c00u) | sign_of(a, 15));
#endif
}
__device__ inline u16 cvt_rz_f16_f32(float a) {
    return a != a ? 0x7fff : (u16)(narrowed<5, 10>(a, false, 0x7bffu, 0x7c00u) | sign_of(a, 15));
}
__device__ inline float cvt_f32_f16(u16 a) {
#if defined(__clang__) && defined(__HIP_DEVICE_COMPILE__)
    return (float)as<_Float16>(a);
#else
    const u32 size = a & 0x7fffu, sign = (u32)(a & 0x8000u) << 16;
    if (size >= 0x7c00u) return as<float>(sign | 0x7f800000u | (size & 0x3ffu) << 13);
    if (size >= 0x400u) return as<float>(sign | ((size << 13) + 0x38000000u));
    return as<float>(as<u32>((float)size * 5.9604644775390625e-8f) | sign);
#endif
}
__device__ inline float cvt_f32_bf16(u16 a) { return as<float>((u32)a << 16); }
__device__ inline u16 cvt_rn_bf16_f32(float a) {
    const u32 bits = as<u32>(a);
    return a != a ? 0x7fff : (u16)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
__device__ inline u16 cvt_rz_bf16_f32(float a) { return a != a ? 0x7fff : (u16)(as<u32>(a) >> 16); }
__device__ inline float relu(float a) { return a != a ? a : a > 0.0f ? a : 0.0f; }
__device__ inline u32 two(u16 high, u16 low) { return (u32)high << 16 | low; }
__device__ inline u32 cvt_rn_f16x2_f32(float a, float b) { return two(cvt_rn_f16_f32(a), cvt_rn_f16_f32(b)); }
__device__ inline u32 cvt_rn_bf16x2_f32(float a, float b) { return two(cvt_rn_bf16_f32(a), cvt_rn_bf16_f32(b)); }
__device__ inline u32 cvt_rz_bf16x2_f32(float a, float b) { return two(cvt_rz_bf16_f32(a), cvt_rz_bf16_f32(b)); }
__device__ inline u32 cvt_rn_relu_f16x2_f32(float a, float b) { return cvt_rn_f16x2_f32(relu(a), relu(b)); }
__device__ inline u32 cvt_rn_relu_bf16x2_f32(float a, float b) { return cvt_rn_bf16x2_f32(relu(a), relu(b)); }
__device__ inline u32 cvt_rna_tf32_f32(float a) {
    const u32 bits = as<u32>(a);
    return ((bits & 0x7f800000u) == 0x7f800000u ? bits : bits + 0x1000u) & 0xffffe000u;
}

// Numbers of 8 bits; what is too great is the greatest.
__device__ inline u32 e4m3(float a) {
    return a != a ? 0x7fu : narrowed<4, 3>(a, true, 0x7eu, 0x7eu) | sign_of(a, 7);
}
__device__ inline u32 e5m2(float a) {
    return a != a ? 0x7fu : narrowed<5, 2>(a, true, 0x7bu, 0x7bu) | sign_of(a, 7);
}
__device__ inline u16 cvt_rn_satfinite_e4m3x2_f32(float a, float b) { return (u16)(e4m3(a) << 8 | e4m3(b)); }
__device__ inline u16 cvt_rn_satfinite_e5m2x2_f32(float a, float b) { return (u16)(e5m2(a) << 8 | e5m2(b)); }
__device__ inline u16 cvt_rn_satfinite_e4m3x2_f16x2(u32 a) {
    return cvt_rn_satfinite_e4m3x2_f32(cvt_f32_f16((u16)(a >> 16)), cvt_f32_f16((u16)a));
}
__device__ inline u16 cvt_rn_satfinite_e5m2x2_f16x2(u32 a) {
    return cvt_rn_satfinite_e5m2x2_f32(cvt_f32_f16((u16)(a >> 16)), cvt_f32_f16((u16)a));
}
__device__ inline u16 from_e4m3(u32 a) {
    const u32 size = a & 0x7fu, sign = (a & 0x80u) << 8;
    if (size == 0x7fu) return 0x7fff;
    if (size >= 8u) return (u16)(sign | ((size << 7) + 0x2000u));
    return (u16)(sign | cvt_rn_f16_f32((float)size * 0.001953125f));
}
__device__ inline u32 cvt_rn_f16x2_e4m3x2(u16 a) { return two(from_e4m3((u32)a >> 8), from_e4m3(a & 0xffu)); }
__device__ inline u32 cvt_rn_f16x2_e5m2x2(u16 a) { return two((u16)(a & 0xff00u), (u16)(a << 8)); }

// Half precision and bfloat16: single precision holds twice their bits and two more, so that rounding twice is exact.
struct f16 {
    typedef u16 bits;
    __device__ static float wide(u16 a) { return cvt_f32_f16(a); }
    __device__ static u16 narrow(float a) { return cvt_rn_f16_f32(a); }
};
struct bf16 {
    __device__ static float wide(u16 a) { return cvt_f32_bf16(a); }
    __device__ static u16 narrow(float a) { return cvt_rn_bf16_f32(a); }
};
template <class T> struct add_of { __device__ u16 operator()(u16 a, u16 b) const { return T::narrow(add(T::wide(a), T::wide(b))); } };
template <class T> struct sub_of { __device__ u16 operator()(u16 a, u16 b) const { return T::narrow(sub(T::wide(a), T::wide(b))); } };
template <class T> struct mul_of { __device__ u16 operator()(u16 a, u16 b) const { return T::narrow(mul(T::wide(a), T::wide(b))); } };
template <class T> struct min_of { __device__ u16 operator()(u16 a, u16 b) const { return T::narrow(smaller(T::wide(a), T::wide(b))); } };
template <class T> struct max_of { __device__ u16 operator()(u16 a, u16 b) const { return T::narrow(larger(T::wide(a), T::wide(b))); } };
// The product is exact in double precision; what the sum loses goes into its last bit, so that it rounds once.
__device__ inline float odd_sum(float a, float b, float c) {
    HIPIFY_PTX_EXACT
    const double product = mul((double)a, (double)b), addend = c, sum = add(product, addend);
    const double part = sub(sum, product);
    const double lost = add(sub(product, sub(sum, part)), sub(addend, part));
    u64 bits = as<u64>(sum);
    if (lost == lost && lost != 0 && sum - sum == 0 && !(bits & 1u)) bits += (lost > 0) == (sum > 0) ? 1u : ~(u64)0;
    // To single precision, again with what is lost in the last bit.
    const double odd = as<double>(bits);
    const float single = (float)odd;
    u32 word = as<u32>(single);
    if ((double)single != odd && odd == odd && !(word & 1u)) word += absolute((double)single) < absolute(odd) ? 1u : ~0u;
    return (as<u32>(single) & 0x7f800000u) == 0x7f800000u ? single : as<float>(word);
}
template <class T>
struct fma_of {
    __device__ u16 operator()(u16 a, u16 b, u16 c) const { return T::narrow(odd_sum(T::wide(a), T::wide(b), T::wide(c))); }
};
#if defined(__clang__) && defined(__HIP_DEVICE_COMPILE__)
template <>
struct fma_of<f16> {
    __device__ u16 operator()(u16 a, u16 b, u16 c) const {
        return as<u16>((_Float16)__builtin_fmaf16(as<_Float16>(a), as<_Float16>(b), as<_Float16>(c)));
    }
};
#endif
typedef add_of<f16> add_f16;
typedef sub_of<f16> sub_f16;
typedef mul_of<f16> mul_f16;
typedef min_of<f16> min_f16;
typedef max_of<f16> max_f16;
typedef fma_of<f16> fma_f16;
typedef add_of<bf16> add_bf16;
typedef sub_of<bf16> sub_bf16;
typedef mul_of<bf16> mul_bf16;
typedef min_of<bf16> min_bf16;
typedef max_of<bf16> max_bf16;
typedef fma_of<bf16> fma_bf16;
struct tanh_half { __device__ u16 operator()(u16 a, u16) const { return cvt_rn_f16_f32(tanhf(cvt_f32_f16(a))); } };
struct ex2_half { __device__ u16 operator()(u16 a, u16) const { return cvt_rn_f16_f32(exp2f(cvt_f32_f16(a))); } };
template <class F>
__device__ inline u32 halves(u32 a, u32 b, F f) {
    return two(f((u16)(a >> 16), (u16)(b >> 16)), f((u16)a, (u16)b));
}
template <class F>
__device__ inline u32 halves(u32 a, u32 b, u32 c, F f) {
    return two(f((u16)(a >> 16), (u16)(b >> 16), (u16)(c >> 16)), f((u16)a, (u16)b, (u16)c));
}

// Two numbers of single precision side by side.
__device__ inline float low(u64 a) { return as<float>((u32)a); }
__device__ inline float high(u64 a) { return as<float>((u32)(a >> 32)); }
__device__ inline u64 both(float a, float b) { return pack(as<u32>(a), as<u32>(b)); }
__device__ inline u64 flush2(u64 a) { return both(flush(low(a)), flush(high(a))); }
__device__ inline u64 add_f32x2(u64 a, u64 b) { return both(add(low(a), low(b)), add(high(a), high(b))); }
__device__ inline u64 sub_f32x2(u64 a, u64 b) { return both(sub(low(a), low(b)), sub(high(a), high(b))); }
__device__ inline u64 mul_f32x2(u64 a, u64 b) { return both(mul(low(a), low(b)), mul(high(a), high(b))); }
__device__ inline u64 fma_f32x2(u64 a, u64 b, u64 c) {
    return both(fused(low(a), low(b), low(c)), fused(high(a), high(b), high(c)));
}
__device__ inline u64 mul_ftz_f32x2(u64 a, u64 b) {
    return both(mul_ftz(low(a), low(b)), mul_ftz(high(a), high(b)));
}
__device__ inline u64 fma_ftz_f32x2(u64 a, u64 b, u64 c) {
    return both(fma_ftz(low(a), low(b), low(c)), fma_ftz(high(a), high(b), high(c)));
}

// Approximations.
__device__ inline float ex2_approx_f32(float a) { return exp2f(a); }
__device__ inline float lg2_approx_f32(float a) { return log2f(a); }
__device__ inline float rcp_approx_f32(float a) { return divide(1.0f, a); }
__device__ inline float rsqrt_approx_f32(float a) { return divide(1.0f, root(a)); }
__device__ inline float sqrt_approx_f32(float a) { return root(a); }
__device__ inline float sin_approx_f32(float a) { return sinf(a); }
__device__ inline float cos_approx_f32(float a) { return cosf(a); }
__device__ inline float tanh_approx_f32(float a) { return tanhf(a); }
__device__ inline float div_full_f32(float a, float b) { return divide(a, b); }

}  // namespace hipify_ptx_float

#endif  // HIPIFY_PTX_FLOAT_H
