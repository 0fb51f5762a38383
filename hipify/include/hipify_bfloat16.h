// CUDA's functions on bfloat16 that HIP declares for half alone.
//
// On HIP's NVIDIA platform CUDA has them all, and nothing is declared here. Every function is a template with a default
// argument: if a later HIP declares the plain function, that one is called, and the two never clash.

#ifndef HIPIFY_BFLOAT16_H
#define HIPIFY_BFLOAT16_H

#include "hipify_half.h"

#ifndef __HIP_PLATFORM_NVIDIA__

#define HIPIFY_BOTH template <int Own = 0> __host__ __device__ inline
#define HIPIFY_DEVICE template <int Own = 0> __device__ inline

namespace hipify_device {

__host__ __device__ inline __hip_bfloat16 nearest(float value) { return bfloat_of<half_nearest>(value); }

// The product and the sum are rounded once: odd in between, which keeps the nearest bfloat16 what it is.
__host__ __device__ inline __hip_bfloat16 fused(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
    const double exact = static_cast<double>(float_of(a)) * float_of(b) + float_of(c);
    float odd = static_cast<float>(exact);
    const unsigned bits = same_bits<unsigned>(odd);
    if (static_cast<double>(odd) != exact && exact == exact && !(bits & 1)) {
        const bool away = (exact > odd) == !(bits >> 31);
        odd = same_bits<float>(away ? bits + 1 : bits - 1);
    }
    return nearest(odd);
}

// Between zero and one; NaN is zero.
__host__ __device__ inline __hip_bfloat16 saturated(__hip_bfloat16 value) {
    const float number = float_of(value);
    return number > 1 ? nearest(1) : number > 0 ? value : nearest(0);
}

__host__ __device__ inline __hip_bfloat16 positive(__hip_bfloat16 value) {
    const float number = float_of(value);
    return number != number ? same_bits<__hip_bfloat16>(static_cast<unsigned short>(0x7fff))
           : number > 0     ? value
                            : nearest(0);
}

__host__ __device__ inline __hip_bfloat16 pick(__hip_bfloat16 a, __hip_bfloat16 b, bool larger_one) {
    const float x = float_of(a), y = float_of(b);
    if (x != x || y != y) return same_bits<__hip_bfloat16>(static_cast<unsigned short>(0x7fff));
    if (x == y) return (same_bits<unsigned short>(a) >> 15 != 0) == larger_one ? b : a;
    return (x < y) == larger_one ? b : a;
}

__host__ __device__ inline __hip_bfloat16 bfloat_part(__hip_bfloat162 value, int position) {
    return same_bits<__hip_bfloat16>(static_cast<unsigned short>(same_bits<unsigned>(value) >> (16 * position)));
}
__host__ __device__ inline float part(__hip_bfloat162 value, int position) {
    return float_of(bfloat_part(value, position));
}
__host__ __device__ inline __hip_bfloat162 ones(bool low, bool high) {
    return same_bits<__hip_bfloat162>((low ? 0x3f80u : 0u) | (high ? 0x3f800000u : 0u));
}

}  // namespace hipify_device

// --- Comparisons of pairs ---------------------------------------------------------------------------------------

HIPIFY_BOTH unsigned __heq2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return mask(part(a, 0) == part(b, 0), part(a, 1) == part(b, 1));
}
HIPIFY_BOTH unsigned __hequ2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return mask(!ordered_unequal(part(a, 0), part(b, 0)), !ordered_unequal(part(a, 1), part(b, 1)));
}
HIPIFY_BOTH __hip_bfloat162 __hequ2(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return ones(!ordered_unequal(part(a, 0), part(b, 0)), !ordered_unequal(part(a, 1), part(b, 1)));
}
HIPIFY_BOTH unsigned __hne2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return mask(ordered_unequal(part(a, 0), part(b, 0)), ordered_unequal(part(a, 1), part(b, 1)));
}
HIPIFY_BOTH unsigned __hneu2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return mask(part(a, 0) != part(b, 0), part(a, 1) != part(b, 1));
}
HIPIFY_BOTH __hip_bfloat162 __hneu2(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return ones(part(a, 0) != part(b, 0), part(a, 1) != part(b, 1));
}
HIPIFY_BOTH unsigned __hlt2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return mask(part(a, 0) < part(b, 0), part(a, 1) < part(b, 1));
}
HIPIFY_BOTH unsigned __hltu2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return mask(!(part(a, 0) >= part(b, 0)), !(part(a, 1) >= part(b, 1)));
}
HIPIFY_BOTH __hip_bfloat162 __hltu2(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return ones(!(part(a, 0) >= part(b, 0)), !(part(a, 1) >= part(b, 1)));
}
HIPIFY_BOTH unsigned __hle2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return mask(part(a, 0) <= part(b, 0), part(a, 1) <= part(b, 1));
}
HIPIFY_BOTH unsigned __hleu2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return mask(!(part(a, 0) > part(b, 0)), !(part(a, 1) > part(b, 1)));
}
HIPIFY_BOTH __hip_bfloat162 __hleu2(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return ones(!(part(a, 0) > part(b, 0)), !(part(a, 1) > part(b, 1)));
}
HIPIFY_BOTH unsigned __hgt2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return mask(part(a, 0) > part(b, 0), part(a, 1) > part(b, 1));
}
HIPIFY_BOTH unsigned __hgtu2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return mask(!(part(a, 0) <= part(b, 0)), !(part(a, 1) <= part(b, 1)));
}
HIPIFY_BOTH __hip_bfloat162 __hgtu2(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return ones(!(part(a, 0) <= part(b, 0)), !(part(a, 1) <= part(b, 1)));
}
HIPIFY_BOTH unsigned __hge2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return mask(part(a, 0) >= part(b, 0), part(a, 1) >= part(b, 1));
}
HIPIFY_BOTH unsigned __hgeu2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return mask(!(part(a, 0) < part(b, 0)), !(part(a, 1) < part(b, 1)));
}
HIPIFY_BOTH __hip_bfloat162 __hgeu2(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return ones(!(part(a, 0) < part(b, 0)), !(part(a, 1) < part(b, 1)));
}

// --- Arithmetic --------------------------------------------------------------------------------------------------

HIPIFY_BOTH __hip_bfloat16 __hadd_sat(__hip_bfloat16 a, __hip_bfloat16 b) {
    using namespace hipify_device;
    return saturated(nearest(float_of(a) + float_of(b)));
}
HIPIFY_BOTH __hip_bfloat162 __hadd2_sat(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return make_bfloat162<Own>(__hadd_sat<Own>(bfloat_part(a, 0), bfloat_part(b, 0)),
                               __hadd_sat<Own>(bfloat_part(a, 1), bfloat_part(b, 1)));
}
HIPIFY_BOTH __hip_bfloat16 __hsub_sat(__hip_bfloat16 a, __hip_bfloat16 b) {
    using namespace hipify_device;
    return saturated(nearest(float_of(a) - float_of(b)));
}
HIPIFY_BOTH __hip_bfloat162 __hsub2_sat(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return make_bfloat162<Own>(__hsub_sat<Own>(bfloat_part(a, 0), bfloat_part(b, 0)),
                               __hsub_sat<Own>(bfloat_part(a, 1), bfloat_part(b, 1)));
}
HIPIFY_BOTH __hip_bfloat16 __hmul_sat(__hip_bfloat16 a, __hip_bfloat16 b) {
    using namespace hipify_device;
    return saturated(nearest(float_of(a) * float_of(b)));
}
HIPIFY_BOTH __hip_bfloat162 __hmul2_sat(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return make_bfloat162<Own>(__hmul_sat<Own>(bfloat_part(a, 0), bfloat_part(b, 0)),
                               __hmul_sat<Own>(bfloat_part(a, 1), bfloat_part(b, 1)));
}
HIPIFY_BOTH __hip_bfloat16 __hfma_sat(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
    return hipify_device::saturated(hipify_device::fused(a, b, c));
}
HIPIFY_BOTH __hip_bfloat162 __hfma2_sat(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
    using namespace hipify_device;
    return make_bfloat162<Own>(__hfma_sat<Own>(bfloat_part(a, 0), bfloat_part(b, 0), bfloat_part(c, 0)),
                               __hfma_sat<Own>(bfloat_part(a, 1), bfloat_part(b, 1), bfloat_part(c, 1)));
}
HIPIFY_BOTH __hip_bfloat16 __hfma_relu(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
    return hipify_device::positive(hipify_device::fused(a, b, c));
}
HIPIFY_BOTH __hip_bfloat162 __hfma2_relu(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
    using namespace hipify_device;
    return make_bfloat162<Own>(__hfma_relu<Own>(bfloat_part(a, 0), bfloat_part(b, 0), bfloat_part(c, 0)),
                               __hfma_relu<Own>(bfloat_part(a, 1), bfloat_part(b, 1), bfloat_part(c, 1)));
}
HIPIFY_BOTH __hip_bfloat16 __hmax_nan(__hip_bfloat16 a, __hip_bfloat16 b) {
    return hipify_device::pick(a, b, true);
}
HIPIFY_BOTH __hip_bfloat162 __hmax2_nan(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return make_bfloat162<Own>(pick(bfloat_part(a, 0), bfloat_part(b, 0), true),
                               pick(bfloat_part(a, 1), bfloat_part(b, 1), true));
}
HIPIFY_BOTH __hip_bfloat16 __hmin_nan(__hip_bfloat16 a, __hip_bfloat16 b) {
    return hipify_device::pick(a, b, false);
}
HIPIFY_BOTH __hip_bfloat162 __hmin2_nan(__hip_bfloat162 a, __hip_bfloat162 b) {
    using namespace hipify_device;
    return make_bfloat162<Own>(pick(bfloat_part(a, 0), bfloat_part(b, 0), false),
                               pick(bfloat_part(a, 1), bfloat_part(b, 1), false));
}
// a * b + c of complex numbers, the imaginary part in the upper half.
HIPIFY_BOTH __hip_bfloat162 __hcmadd(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
    using namespace hipify_device;
    const __hip_bfloat16 ar = bfloat_part(a, 0), ai = bfloat_part(a, 1), br = bfloat_part(b, 0), bi = bfloat_part(b, 1);
    const __hip_bfloat16 real = fused(ar, br, bfloat_part(c, 0)), imaginary = fused(ar, bi, bfloat_part(c, 1));
    return make_bfloat162<Own>(fused(nearest(-float_of(ai)), bi, real), fused(ai, br, imaginary));
}
HIPIFY_DEVICE __hip_bfloat16 htanh(__hip_bfloat16 value) {
    return hipify_device::nearest(tanhf(hipify_device::float_of(value)));
}
HIPIFY_DEVICE __hip_bfloat16 htanh_approx(__hip_bfloat16 value) { return htanh<Own>(value); }
HIPIFY_DEVICE __hip_bfloat162 h2tanh(__hip_bfloat162 value) {
    using namespace hipify_device;
    return make_bfloat162<Own>(htanh<Own>(bfloat_part(value, 0)), htanh<Own>(bfloat_part(value, 1)));
}
HIPIFY_DEVICE __hip_bfloat162 h2tanh_approx(__hip_bfloat162 value) { return h2tanh<Own>(value); }

// --- Loads through the read-only cache: a plain load here ---------------------------------------------------------

HIPIFY_DEVICE __hip_bfloat16 __ldg(const __hip_bfloat16* p) { return *p; }
HIPIFY_DEVICE __hip_bfloat162 __ldg(const __hip_bfloat162* p) { return *p; }

#undef HIPIFY_BOTH
#undef HIPIFY_DEVICE

#endif  // __HIP_PLATFORM_NVIDIA__
#endif  // HIPIFY_BFLOAT16_H
