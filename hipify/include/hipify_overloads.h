// CUDA's device functions for types that HIP's take not: float for the sine with its cosine, signed words and vectors for
// atomics, vectors for dot products and loads.
//
// On HIP's NVIDIA platform CUDA has them all, and nothing is declared here. Every function is a template with a default
// argument: if a later HIP declares the plain function, that one is called, and the two never clash.

#ifndef HIPIFY_OVERLOADS_H
#define HIPIFY_OVERLOADS_H

#include <hip/hip_runtime.h>

#ifndef __HIP_PLATFORM_NVIDIA__

#define HIPIFY_DEVICE template <int Own = 0> __device__ inline

HIPIFY_DEVICE void sincos(float angle, float* sine, float* cosine) { sincosf(angle, sine, cosine); }
HIPIFY_DEVICE void sincospi(float angle, float* sine, float* cosine) { sincospif(angle, sine, cosine); }

HIPIFY_DEVICE double fdivide(double a, double b) { return a / b; }
HIPIFY_DEVICE float fdivide(float a, float b) { return a / b; }

// Two products of a word and a byte, of the lower or the upper two bytes.
HIPIFY_DEVICE int __dp2a_lo(short2 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y; }
HIPIFY_DEVICE int __dp2a_hi(short2 a, char4 b, int c) { return c + a.x * b.z + a.y * b.w; }
HIPIFY_DEVICE unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) { return c + unsigned(a.x) * b.x + unsigned(a.y) * b.y; }
HIPIFY_DEVICE unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) { return c + unsigned(a.x) * b.z + unsigned(a.y) * b.w; }

HIPIFY_DEVICE ushort4 __ldg(const ushort4* p) { return *p; }

// Each number of a vector is added by itself, as in CUDA.
HIPIFY_DEVICE float2 atomicAdd(float2* p, float2 value) {
    float* to = reinterpret_cast<float*>(p);
    float2 old;
    old.x = atomicAdd(to, value.x);
    old.y = atomicAdd(to + 1, value.y);
    return old;
}
HIPIFY_DEVICE float4 atomicAdd(float4* p, float4 value) {
    float* to = reinterpret_cast<float*>(p);
    float4 old;
    old.x = atomicAdd(to, value.x);
    old.y = atomicAdd(to + 1, value.y);
    old.z = atomicAdd(to + 2, value.z);
    old.w = atomicAdd(to + 3, value.w);
    return old;
}
HIPIFY_DEVICE float2 atomicAdd_system(float2* p, float2 value) {
    float* to = reinterpret_cast<float*>(p);
    float2 old;
    old.x = atomicAdd_system(to, value.x);
    old.y = atomicAdd_system(to + 1, value.y);
    return old;
}
HIPIFY_DEVICE float4 atomicAdd_system(float4* p, float4 value) {
    float* to = reinterpret_cast<float*>(p);
    float4 old;
    old.x = atomicAdd_system(to, value.x);
    old.y = atomicAdd_system(to + 1, value.y);
    old.z = atomicAdd_system(to + 2, value.z);
    old.w = atomicAdd_system(to + 3, value.w);
    return old;
}

// Bits have no sign.
HIPIFY_DEVICE long long atomicAnd(long long* p, long long value) {
    return static_cast<long long>(atomicAnd(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(value)));
}
HIPIFY_DEVICE long long atomicOr(long long* p, long long value) {
    return static_cast<long long>(atomicOr(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(value)));
}
HIPIFY_DEVICE long long atomicXor(long long* p, long long value) {
    return static_cast<long long>(atomicXor(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(value)));
}
HIPIFY_DEVICE long long atomicAnd_system(long long* p, long long value) {
    return static_cast<long long>(atomicAnd_system(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(value)));
}
HIPIFY_DEVICE long long atomicOr_system(long long* p, long long value) {
    return static_cast<long long>(atomicOr_system(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(value)));
}
HIPIFY_DEVICE long long atomicXor_system(long long* p, long long value) {
    return static_cast<long long>(atomicXor_system(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(value)));
}

// Through the word around it.
HIPIFY_DEVICE unsigned short atomicCAS(unsigned short* p, unsigned short compare, unsigned short value) {
    const unsigned long long at = reinterpret_cast<unsigned long long>(p);
    unsigned* const word = reinterpret_cast<unsigned*>(at & ~3ull);
    const int shift = at & 2 ? 16 : 0;
    unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    while (static_cast<unsigned short>(old >> shift) == compare) {
        const unsigned next = (old & ~(0xffffu << shift)) | static_cast<unsigned>(value) << shift;
        if (__hip_atomic_compare_exchange_strong(word, &old, next, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                                 __HIP_MEMORY_SCOPE_AGENT)) {
            return compare;
        }
    }
    return static_cast<unsigned short>(old >> shift);
}

#undef HIPIFY_DEVICE

#endif  // __HIP_PLATFORM_NVIDIA__
#endif  // HIPIFY_OVERLOADS_H
