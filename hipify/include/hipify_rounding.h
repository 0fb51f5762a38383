// CUDA's arithmetic rounded down (_rd), up (_ru) or to zero (_rz), exactly, which HIP does not declare.
//
// On HIP's NVIDIA platform CUDA has them all, and nothing is declared here. Every function is a template with a default
// argument: if a later HIP declares the plain function, that one is called, and the two never clash.

#ifndef HIPIFY_ROUNDING_H
#define HIPIFY_ROUNDING_H

#include <hip/hip_runtime.h>

#ifndef __HIP_PLATFORM_NVIDIA__

#define HIPIFY_BOTH template <int Own = 0> __host__ __device__ inline

namespace hipify_device {

// --- Directed rounding: the result rounded to nearest, moved one step where the exact value lies beyond ----------

template <class T> struct bits_of;
template <> struct bits_of<float> { typedef unsigned type; };
template <> struct bits_of<double> { typedef unsigned long long type; };

template <class T>
__host__ __device__ inline T step(T value, bool up) {
    typedef typename bits_of<T>::type Bits;
    const Bits sign = Bits(1) << (sizeof(T) * 8 - 1);
    Bits bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    if ((bits & ~sign) == 0) {
        bits = up ? Bits(1) : sign | Bits(1);
    } else {
        bits = (bits & sign ? !up : up) ? bits + 1 : bits - 1;
    }
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

enum rounding { down = -1, to_zero = 0, up = 1 };

// `rest` has the sign of exact value minus `value`.
template <int Mode, class T>
__host__ __device__ inline T directed(T value, double rest) {
    if (Mode == down) return rest < 0 ? step(value, false) : value;
    if (Mode == up) return rest > 0 ? step(value, true) : value;
    if (value > 0 && rest < 0) return step(value, false);
    return value < 0 && rest > 0 ? step(value, true) : value;
}

template <class T> __host__ __device__ inline bool finite(T value) { return value - value == 0; }
__host__ __device__ inline bool negative(double value) { return __builtin_copysign(1.0, value) < 0; }

// A sum of exactly zero is -0 when rounding down, unless both parts are +0.
template <int Mode, class T>
__host__ __device__ inline T zero_sum(T value, bool a_negative, bool b_negative) {
    return Mode == down && (a_negative || b_negative) ? T(-0.0) : value;
}

__host__ __device__ inline double two_sum(double a, double b, double& rest) {
    const double sum = a + b, shadow = sum - a;
    rest = (a - (sum - shadow)) + (b - shadow);
    return sum;
}

// (value + a rest far smaller) * 2^exponent
template <int Mode>
__host__ __device__ inline double scaled(double value, double rest, int exponent) {
    const double rounded = __builtin_ldexp(value, exponent);
    if (value == 0 || !finite(value)) return rounded;
    double lost = rounded - rounded == 0 ? value - __builtin_ldexp(rounded, -exponent) : -rounded;
    return directed<Mode>(rounded, lost != 0 ? lost : rest);
}

__host__ __device__ inline double mantissa(double value, int& exponent) { return __builtin_frexp(value, &exponent); }

template <int Mode>
__host__ __device__ inline double divide(double a, double b) {
    if (!finite(a) || !finite(b) || a == 0 || b == 0) return a / b;
    int ea, eb;
    const double ma = mantissa(a, ea), mb = mantissa(b, eb), quotient = ma / mb;
    const double rest = __builtin_fma(-quotient, mb, ma);
    return scaled<Mode>(quotient, mb < 0 ? -rest : rest, ea - eb);
}

template <int Mode>
__host__ __device__ inline double root(double a) {
    if (!(a > 0) || !finite(a)) return __builtin_sqrt(a);
    int exponent;
    double value = mantissa(a, exponent);
    if (exponent & 1) value *= 2, --exponent;
    const double result = __builtin_sqrt(value);
    return scaled<Mode>(result, __builtin_fma(-result, result, value), exponent / 2);
}

template <int Mode>
__host__ __device__ inline double multiply_add(double a, double b, double c) {
    const double plain = __builtin_fma(a, b, c);
    if (!finite(a) || !finite(b) || !finite(c)) return plain;
    if (a == 0 || b == 0) return c != 0 ? c : zero_sum<Mode>(plain, negative(a) != negative(b), negative(c));
    int ea, eb, ec = 0;
    const double ma = mantissa(a, ea), mb = mantissa(b, eb), product = ma * mb;
    const double low = __builtin_fma(ma, mb, -product);
    if (c == 0) return scaled<Mode>(product, low, ea + eb);
    const double mc = mantissa(c, ec);
    const int shift = ec - (ea + eb);  // c is mc * 2^shift beside the product
    if (shift > 200) return scaled<Mode>(mc, product, ec);
    if (shift < -200) {
        return scaled<Mode>(product, low != 0 ? low : mc, ea + eb);
    }
    double r1, r2, r3, r4;
    const double part = __builtin_ldexp(mc, shift);
    const double s1 = two_sum(part, low, r1), s2 = two_sum(product, s1, r2);
    const double s3 = two_sum(r2, r1, r3), s4 = two_sum(s2, s3, r4);
    if (s4 == 0) return zero_sum<Mode>(0.0, negative(product), negative(c));
    return scaled<Mode>(s4, r4 + r3, ea + eb);
}

template <int Mode>
__host__ __device__ inline double sum(double a, double b) {
    const double plain = a + b;
    if (!finite(a) || !finite(b)) return plain;
    if (plain == 0) return zero_sum<Mode>(plain, negative(a), negative(b));
    if (!finite(plain)) return directed<Mode>(plain, -plain);
    double rest;
    const double total = two_sum(a, b, rest);
    return directed<Mode>(total, rest);
}

template <int Mode>
__host__ __device__ inline double multiply(double a, double b) {
    if (!finite(a) || !finite(b) || a == 0 || b == 0) return a * b;
    return multiply_add<Mode>(a, b, 0.0);
}

// A float result from `value + rest` in double precision.
template <int Mode>
__host__ __device__ inline float narrowed(double value, double rest) {
    const float rounded = static_cast<float>(value);
    if (!finite(value)) return rounded;
    if (!finite(rounded)) return directed<Mode>(rounded, -static_cast<double>(rounded));
    const double lost = value - static_cast<double>(rounded);
    return directed<Mode>(rounded, lost != 0 ? lost : rest);
}

template <int Mode>
__host__ __device__ inline float multiply_add_float(float a, float b, float c) {
    const double product = static_cast<double>(a) * b;
    if (!finite(a) || !finite(b) || !finite(c)) return static_cast<float>(product + c);
    double rest;
    const double total = two_sum(product, c, rest);
    if (total == 0) return zero_sum<Mode>(static_cast<float>(total), negative(product), negative(c));
    return narrowed<Mode>(total, rest);
}

template <int Mode>
__host__ __device__ inline float divide_float(float a, float b) {
    const double quotient = static_cast<double>(a) / b;
    if (!finite(a) || !finite(b) || a == 0 || b == 0) return static_cast<float>(quotient);
    const double rest = __builtin_fma(-quotient, static_cast<double>(b), static_cast<double>(a));
    return narrowed<Mode>(quotient, b < 0 ? -rest : rest);
}

template <int Mode>
__host__ __device__ inline float root_float(float a) {
    const double result = __builtin_sqrt(static_cast<double>(a));
    if (!(a > 0) || !finite(a)) return static_cast<float>(result);
    return narrowed<Mode>(result, __builtin_fma(-result, result, static_cast<double>(a)));
}

}  // namespace hipify_device

// --- Arithmetic rounded down, up or to zero -------------------------------------------------------------------

HIPIFY_BOTH float __fadd_rd(float a, float b) { return hipify_device::multiply_add_float<hipify_device::down>(a, 1.0f, b); }
HIPIFY_BOTH float __fsub_rd(float a, float b) { return hipify_device::multiply_add_float<hipify_device::down>(a, 1.0f, -b); }
HIPIFY_BOTH float __fmul_rd(float a, float b) { return hipify_device::narrowed<hipify_device::down>(static_cast<double>(a) * b, 0.0); }
HIPIFY_BOTH float __fmaf_rd(float a, float b, float c) { return hipify_device::multiply_add_float<hipify_device::down>(a, b, c); }
HIPIFY_BOTH float __fmaf_ieee_rd(float a, float b, float c) { return hipify_device::multiply_add_float<hipify_device::down>(a, b, c); }
HIPIFY_BOTH float __fdiv_rd(float a, float b) { return hipify_device::divide_float<hipify_device::down>(a, b); }
HIPIFY_BOTH float __frcp_rd(float a) { return hipify_device::divide_float<hipify_device::down>(1.0f, a); }
HIPIFY_BOTH float __fsqrt_rd(float a) { return hipify_device::root_float<hipify_device::down>(a); }
HIPIFY_BOTH double __dadd_rd(double a, double b) { return hipify_device::sum<hipify_device::down>(a, b); }
HIPIFY_BOTH double __dsub_rd(double a, double b) { return hipify_device::sum<hipify_device::down>(a, -b); }
HIPIFY_BOTH double __dmul_rd(double a, double b) { return hipify_device::multiply<hipify_device::down>(a, b); }
HIPIFY_BOTH double __fma_rd(double a, double b, double c) { return hipify_device::multiply_add<hipify_device::down>(a, b, c); }
HIPIFY_BOTH double __ddiv_rd(double a, double b) { return hipify_device::divide<hipify_device::down>(a, b); }
HIPIFY_BOTH double __drcp_rd(double a) { return hipify_device::divide<hipify_device::down>(1.0, a); }
HIPIFY_BOTH double __dsqrt_rd(double a) { return hipify_device::root<hipify_device::down>(a); }
HIPIFY_BOTH float __fadd_ru(float a, float b) { return hipify_device::multiply_add_float<hipify_device::up>(a, 1.0f, b); }
HIPIFY_BOTH float __fsub_ru(float a, float b) { return hipify_device::multiply_add_float<hipify_device::up>(a, 1.0f, -b); }
HIPIFY_BOTH float __fmul_ru(float a, float b) { return hipify_device::narrowed<hipify_device::up>(static_cast<double>(a) * b, 0.0); }
HIPIFY_BOTH float __fmaf_ru(float a, float b, float c) { return hipify_device::multiply_add_float<hipify_device::up>(a, b, c); }
HIPIFY_BOTH float __fmaf_ieee_ru(float a, float b, float c) { return hipify_device::multiply_add_float<hipify_device::up>(a, b, c); }
HIPIFY_BOTH float __fdiv_ru(float a, float b) { return hipify_device::divide_float<hipify_device::up>(a, b); }
HIPIFY_BOTH float __frcp_ru(float a) { return hipify_device::divide_float<hipify_device::up>(1.0f, a); }
HIPIFY_BOTH float __fsqrt_ru(float a) { return hipify_device::root_float<hipify_device::up>(a); }
HIPIFY_BOTH double __dadd_ru(double a, double b) { return hipify_device::sum<hipify_device::up>(a, b); }
HIPIFY_BOTH double __dsub_ru(double a, double b) { return hipify_device::sum<hipify_device::up>(a, -b); }
HIPIFY_BOTH double __dmul_ru(double a, double b) { return hipify_device::multiply<hipify_device::up>(a, b); }
HIPIFY_BOTH double __fma_ru(double a, double b, double c) { return hipify_device::multiply_add<hipify_device::up>(a, b, c); }
HIPIFY_BOTH double __ddiv_ru(double a, double b) { return hipify_device::divide<hipify_device::up>(a, b); }
HIPIFY_BOTH double __drcp_ru(double a) { return hipify_device::divide<hipify_device::up>(1.0, a); }
HIPIFY_BOTH double __dsqrt_ru(double a) { return hipify_device::root<hipify_device::up>(a); }
HIPIFY_BOTH float __fadd_rz(float a, float b) { return hipify_device::multiply_add_float<hipify_device::to_zero>(a, 1.0f, b); }
HIPIFY_BOTH float __fsub_rz(float a, float b) { return hipify_device::multiply_add_float<hipify_device::to_zero>(a, 1.0f, -b); }
HIPIFY_BOTH float __fmul_rz(float a, float b) { return hipify_device::narrowed<hipify_device::to_zero>(static_cast<double>(a) * b, 0.0); }
HIPIFY_BOTH float __fmaf_rz(float a, float b, float c) { return hipify_device::multiply_add_float<hipify_device::to_zero>(a, b, c); }
HIPIFY_BOTH float __fmaf_ieee_rz(float a, float b, float c) { return hipify_device::multiply_add_float<hipify_device::to_zero>(a, b, c); }
HIPIFY_BOTH float __fdiv_rz(float a, float b) { return hipify_device::divide_float<hipify_device::to_zero>(a, b); }
HIPIFY_BOTH float __frcp_rz(float a) { return hipify_device::divide_float<hipify_device::to_zero>(1.0f, a); }
HIPIFY_BOTH float __fsqrt_rz(float a) { return hipify_device::root_float<hipify_device::to_zero>(a); }
HIPIFY_BOTH double __dadd_rz(double a, double b) { return hipify_device::sum<hipify_device::to_zero>(a, b); }
HIPIFY_BOTH double __dsub_rz(double a, double b) { return hipify_device::sum<hipify_device::to_zero>(a, -b); }
HIPIFY_BOTH double __dmul_rz(double a, double b) { return hipify_device::multiply<hipify_device::to_zero>(a, b); }
HIPIFY_BOTH double __fma_rz(double a, double b, double c) { return hipify_device::multiply_add<hipify_device::to_zero>(a, b, c); }
HIPIFY_BOTH double __ddiv_rz(double a, double b) { return hipify_device::divide<hipify_device::to_zero>(a, b); }
HIPIFY_BOTH double __drcp_rz(double a) { return hipify_device::divide<hipify_device::to_zero>(1.0, a); }
HIPIFY_BOTH double __dsqrt_rz(double a) { return hipify_device::root<hipify_device::to_zero>(a); }
HIPIFY_BOTH float __fmaf_ieee_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

#undef HIPIFY_BOTH

#endif  // __HIP_PLATFORM_NVIDIA__
#endif  // HIPIFY_ROUNDING_H
