// min and max of numbers as CUDA has them: of the host for all types, and of two integers that differ in their sign.
//
// HIP's host functions know int alone: long, double and the rest would be converted to it without a word. On the GPU
// HIP makes a double of an int and an unsigned int, where CUDA makes an unsigned int.
// Made to be included by translated sources. On HIP's NVIDIA platform CUDA has them all, and nothing is declared here.
// Every function is a template with a default argument: if a later HIP declares the plain function, that one is called,
// and the two never clash.

#ifndef HIPIFY_MINMAX_H
#define HIPIFY_MINMAX_H

#include <hip/hip_runtime.h>

#ifndef __HIP_PLATFORM_NVIDIA__

#define HIPIFY_MINMAX(where, R, A, B)                                               \
    template <int Own = 0> where inline constexpr R min(const A a, const B b) {     \
        return static_cast<R>(b) < static_cast<R>(a) ? static_cast<R>(b) : static_cast<R>(a); \
    }                                                                               \
    template <int Own = 0> where inline constexpr R max(const A a, const B b) {     \
        return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(b) : static_cast<R>(a); \
    }
#define HIPIFY_MINMAX_OF_SIGNS(where, Signed, Unsigned) \
    HIPIFY_MINMAX(where, Unsigned, Signed, Unsigned)    \
    HIPIFY_MINMAX(where, Unsigned, Unsigned, Signed)
// A NaN is passed over, as fmin and fmax do.
#define HIPIFY_MINMAX_OF_FLOATS(R, A, B, suffix)                                 \
    template <int Own = 0> __host__ inline R min(const A a, const B b) {         \
        return __builtin_fmin##suffix(a, b);                                     \
    }                                                                            \
    template <int Own = 0> __host__ inline R max(const A a, const B b) {         \
        return __builtin_fmax##suffix(a, b);                                     \
    }

HIPIFY_MINMAX_OF_SIGNS(__device__, int, unsigned int)
HIPIFY_MINMAX_OF_SIGNS(__device__, long, unsigned long)
HIPIFY_MINMAX_OF_SIGNS(__device__, long long, unsigned long long)

#ifndef __HIPCC_RTC__
HIPIFY_MINMAX(__host__, unsigned int, unsigned int, unsigned int)
HIPIFY_MINMAX(__host__, long, long, long)
HIPIFY_MINMAX(__host__, unsigned long, unsigned long, unsigned long)
HIPIFY_MINMAX(__host__, long long, long long, long long)
HIPIFY_MINMAX(__host__, unsigned long long, unsigned long long, unsigned long long)
HIPIFY_MINMAX_OF_SIGNS(__host__, int, unsigned int)
HIPIFY_MINMAX_OF_SIGNS(__host__, long, unsigned long)
HIPIFY_MINMAX_OF_SIGNS(__host__, long long, unsigned long long)
HIPIFY_MINMAX_OF_FLOATS(float, float, float, f)
HIPIFY_MINMAX_OF_FLOATS(double, double, double, )
HIPIFY_MINMAX_OF_FLOATS(double, float, double, )
HIPIFY_MINMAX_OF_FLOATS(double, double, float, )
#endif

#undef HIPIFY_MINMAX
#undef HIPIFY_MINMAX_OF_SIGNS
#undef HIPIFY_MINMAX_OF_FLOATS

#endif  // __HIP_PLATFORM_NVIDIA__
#endif  // HIPIFY_MINMAX_H
