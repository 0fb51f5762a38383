// CUDA's functions on the bytes and halves of a word, which HIP does not declare.
//
// On HIP's NVIDIA platform CUDA has them all, and nothing is declared here. Every function is a template with a default
// argument: if a later HIP declares the plain function, that one is called, and the two never clash.

#ifndef HIPIFY_SIMD_H
#define HIPIFY_SIMD_H

#include <hip/hip_runtime.h>

#ifndef __HIP_PLATFORM_NVIDIA__

#define HIPIFY_BOTH template <int Own = 0> __host__ __device__ inline

namespace hipify_device {

// --- Bytes and halves in a word ---------------------------------------------------------------------------------

template <int Bits, bool Signed>
__host__ __device__ inline int lane(unsigned word, int position) {
    const unsigned bits = (word >> (position * Bits)) & ((1u << Bits) - 1u);
    return Signed && (bits >> (Bits - 1)) ? static_cast<int>(bits) - (1 << Bits) : static_cast<int>(bits);
}

// f(a, b) for every lane; the low bits of each result are kept.
template <int Bits, bool Signed, class F>
__host__ __device__ inline unsigned zip(unsigned a, unsigned b, F f) {
    unsigned out = 0;
    for (int i = 0; i < 32 / Bits; ++i) {
        const unsigned value = static_cast<unsigned>(f(lane<Bits, Signed>(a, i), lane<Bits, Signed>(b, i)));
        out |= (value & ((1u << Bits) - 1u)) << (i * Bits);
    }
    return out;
}

template <int Bits, bool Signed>
__host__ __device__ inline int clamped(int value) {
    const int low = Signed ? -(1 << (Bits - 1)) : 0;
    const int high = Signed ? (1 << (Bits - 1)) - 1 : (1 << Bits) - 1;
    return value < low ? low : value > high ? high : value;
}

__host__ __device__ inline int magnitude(int value) { return value < 0 ? -value : value; }
__host__ __device__ inline int larger(int a, int b) { return a > b ? a : b; }
__host__ __device__ inline int smaller(int a, int b) { return a < b ? a : b; }
__host__ __device__ inline unsigned larger_unsigned(unsigned a, unsigned b) { return a > b ? a : b; }
__host__ __device__ inline unsigned smaller_unsigned(unsigned a, unsigned b) { return a < b ? a : b; }
__host__ __device__ inline int wrapped_sum(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

struct add { __host__ __device__ int operator()(int a, int b) const { return a + b; } };
struct subtract { __host__ __device__ int operator()(int a, int b) const { return a - b; } };
struct difference { __host__ __device__ int operator()(int a, int b) const { return magnitude(a - b); } };
struct absolute { __host__ __device__ int operator()(int a, int) const { return magnitude(a); } };
struct negate { __host__ __device__ int operator()(int a, int) const { return -a; } };
struct largest { __host__ __device__ int operator()(int a, int b) const { return larger(a, b); } };
struct smallest { __host__ __device__ int operator()(int a, int b) const { return smaller(a, b); } };
struct positive_largest { __host__ __device__ int operator()(int a, int b) const { return larger(larger(a, b), 0); } };
struct positive_smallest { __host__ __device__ int operator()(int a, int b) const { return larger(smaller(a, b), 0); } };
struct average_down { __host__ __device__ int operator()(int a, int b) const { return (a + b) >> 1; } };
// Halves go up, away from zero for sums below it too.
struct average { __host__ __device__ int operator()(int a, int b) const { return (a + b + (a + b >= 0)) >> 1; } };

template <int Bits, bool Signed, class F>
struct saturate {
    __host__ __device__ int operator()(int a, int b) const { return clamped<Bits, Signed>(F()(a, b)); }
};

template <int True>
struct equal { __host__ __device__ int operator()(int a, int b) const { return a == b ? True : 0; } };
template <int True>
struct unequal { __host__ __device__ int operator()(int a, int b) const { return a != b ? True : 0; } };
template <int True>
struct less { __host__ __device__ int operator()(int a, int b) const { return a < b ? True : 0; } };
template <int True>
struct less_equal { __host__ __device__ int operator()(int a, int b) const { return a <= b ? True : 0; } };
template <int True>
struct greater { __host__ __device__ int operator()(int a, int b) const { return a > b ? True : 0; } };
template <int True>
struct greater_equal { __host__ __device__ int operator()(int a, int b) const { return a >= b ? True : 0; } };

template <int Bits, bool Signed>
__host__ __device__ inline unsigned sum_of_differences(unsigned a, unsigned b) {
    unsigned sum = 0;
    for (int i = 0; i < 32 / Bits; ++i) sum += magnitude(lane<Bits, Signed>(a, i) - lane<Bits, Signed>(b, i));
    return sum;
}

}  // namespace hipify_device

// --- Dot products of bytes and halves ---------------------------------------------------------------------------

HIPIFY_BOTH int __dp4a(int a, int b, int c) {
    using hipify_device::lane;
    unsigned sum = static_cast<unsigned>(c);
    for (int i = 0; i < 4; ++i) sum += static_cast<unsigned>(lane<8, true>(a, i) * lane<8, true>(b, i));
    return static_cast<int>(sum);
}
HIPIFY_BOTH unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    using hipify_device::lane;
    for (int i = 0; i < 4; ++i) c += static_cast<unsigned>(lane<8, false>(a, i) * lane<8, false>(b, i));
    return c;
}
HIPIFY_BOTH int __dp2a_lo(int a, int b, int c) {
    using hipify_device::lane;
    unsigned sum = static_cast<unsigned>(c);
    for (int i = 0; i < 2; ++i) sum += static_cast<unsigned>(lane<16, true>(a, i) * lane<8, true>(b, i));
    return static_cast<int>(sum);
}
HIPIFY_BOTH unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
    using hipify_device::lane;
    for (int i = 0; i < 2; ++i) c += static_cast<unsigned>(lane<16, false>(a, i)) * lane<8, false>(b, i);
    return c;
}
HIPIFY_BOTH int __dp2a_hi(int a, int b, int c) { return __dp2a_lo<Own>(a, static_cast<int>(unsigned(b) >> 16), c); }
HIPIFY_BOTH unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo<Own>(a, b >> 16, c); }

HIPIFY_BOTH int __dp4a(char4 a, char4 b, int c) {
    int first, second;
    __builtin_memcpy(&first, &a, 4);
    __builtin_memcpy(&second, &b, 4);
    return __dp4a<Own>(first, second, c);
}
HIPIFY_BOTH unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    unsigned first, second;
    __builtin_memcpy(&first, &a, 4);
    __builtin_memcpy(&second, &b, 4);
    return __dp4a<Own>(first, second, c);
}

// --- SIMD in a word: two halves or four bytes --------------------------------------------------------------------

HIPIFY_BOTH unsigned __vabs2(unsigned a) {
    return hipify_device::zip<16, true>(a, 0u, hipify_device::absolute());
}
HIPIFY_BOTH unsigned __vabsss2(unsigned a) {
    return hipify_device::zip<16, true>(a, 0u, hipify_device::saturate<16, true, hipify_device::absolute>());
}
HIPIFY_BOTH unsigned __vneg2(unsigned a) {
    return hipify_device::zip<16, true>(a, 0u, hipify_device::negate());
}
HIPIFY_BOTH unsigned __vnegss2(unsigned a) {
    return hipify_device::zip<16, true>(a, 0u, hipify_device::saturate<16, true, hipify_device::negate>());
}
HIPIFY_BOTH unsigned __vadd2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::add());
}
HIPIFY_BOTH unsigned __vaddss2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::saturate<16, true, hipify_device::add>());
}
HIPIFY_BOTH unsigned __vaddus2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::saturate<16, false, hipify_device::add>());
}
HIPIFY_BOTH unsigned __vsub2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::subtract());
}
HIPIFY_BOTH unsigned __vsubss2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::saturate<16, true, hipify_device::subtract>());
}
HIPIFY_BOTH unsigned __vsubus2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::saturate<16, false, hipify_device::subtract>());
}
HIPIFY_BOTH unsigned __vabsdiffs2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::difference());
}
HIPIFY_BOTH unsigned __vabsdiffu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::difference());
}
HIPIFY_BOTH unsigned __vavgs2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::average());
}
HIPIFY_BOTH unsigned __vavgu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::average());
}
HIPIFY_BOTH unsigned __vhaddu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::average_down());
}
HIPIFY_BOTH unsigned __vmaxs2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::largest());
}
HIPIFY_BOTH unsigned __vmaxu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::largest());
}
HIPIFY_BOTH unsigned __vmins2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::smallest());
}
HIPIFY_BOTH unsigned __vminu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::smallest());
}
HIPIFY_BOTH unsigned __vcmpeq2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::equal<0xffff>());
}
HIPIFY_BOTH unsigned __vcmpne2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::unequal<0xffff>());
}
HIPIFY_BOTH unsigned __vcmpges2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::greater_equal<0xffff>());
}
HIPIFY_BOTH unsigned __vcmpgeu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::greater_equal<0xffff>());
}
HIPIFY_BOTH unsigned __vcmpgts2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::greater<0xffff>());
}
HIPIFY_BOTH unsigned __vcmpgtu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::greater<0xffff>());
}
HIPIFY_BOTH unsigned __vcmples2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::less_equal<0xffff>());
}
HIPIFY_BOTH unsigned __vcmpleu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::less_equal<0xffff>());
}
HIPIFY_BOTH unsigned __vcmplts2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::less<0xffff>());
}
HIPIFY_BOTH unsigned __vcmpltu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::less<0xffff>());
}
HIPIFY_BOTH unsigned __vseteq2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::equal<1>());
}
HIPIFY_BOTH unsigned __vsetne2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::unequal<1>());
}
HIPIFY_BOTH unsigned __vsetges2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::greater_equal<1>());
}
HIPIFY_BOTH unsigned __vsetgeu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::greater_equal<1>());
}
HIPIFY_BOTH unsigned __vsetgts2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::greater<1>());
}
HIPIFY_BOTH unsigned __vsetgtu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::greater<1>());
}
HIPIFY_BOTH unsigned __vsetles2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::less_equal<1>());
}
HIPIFY_BOTH unsigned __vsetleu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::less_equal<1>());
}
HIPIFY_BOTH unsigned __vsetlts2(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::less<1>());
}
HIPIFY_BOTH unsigned __vsetltu2(unsigned a, unsigned b) {
    return hipify_device::zip<16, false>(a, b, hipify_device::less<1>());
}
HIPIFY_BOTH unsigned __vsads2(unsigned a, unsigned b) { return hipify_device::sum_of_differences<16, true>(a, b); }
HIPIFY_BOTH unsigned __vsadu2(unsigned a, unsigned b) { return hipify_device::sum_of_differences<16, false>(a, b); }
HIPIFY_BOTH unsigned __vabs4(unsigned a) {
    return hipify_device::zip<8, true>(a, 0u, hipify_device::absolute());
}
HIPIFY_BOTH unsigned __vabsss4(unsigned a) {
    return hipify_device::zip<8, true>(a, 0u, hipify_device::saturate<8, true, hipify_device::absolute>());
}
HIPIFY_BOTH unsigned __vneg4(unsigned a) {
    return hipify_device::zip<8, true>(a, 0u, hipify_device::negate());
}
HIPIFY_BOTH unsigned __vnegss4(unsigned a) {
    return hipify_device::zip<8, true>(a, 0u, hipify_device::saturate<8, true, hipify_device::negate>());
}
HIPIFY_BOTH unsigned __vadd4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::add());
}
HIPIFY_BOTH unsigned __vaddss4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::saturate<8, true, hipify_device::add>());
}
HIPIFY_BOTH unsigned __vaddus4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::saturate<8, false, hipify_device::add>());
}
HIPIFY_BOTH unsigned __vsub4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::subtract());
}
HIPIFY_BOTH unsigned __vsubss4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::saturate<8, true, hipify_device::subtract>());
}
HIPIFY_BOTH unsigned __vsubus4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::saturate<8, false, hipify_device::subtract>());
}
HIPIFY_BOTH unsigned __vabsdiffs4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::difference());
}
HIPIFY_BOTH unsigned __vabsdiffu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::difference());
}
HIPIFY_BOTH unsigned __vavgs4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::average());
}
HIPIFY_BOTH unsigned __vavgu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::average());
}
HIPIFY_BOTH unsigned __vhaddu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::average_down());
}
HIPIFY_BOTH unsigned __vmaxs4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::largest());
}
HIPIFY_BOTH unsigned __vmaxu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::largest());
}
HIPIFY_BOTH unsigned __vmins4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::smallest());
}
HIPIFY_BOTH unsigned __vminu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::smallest());
}
HIPIFY_BOTH unsigned __vcmpeq4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::equal<0xff>());
}
HIPIFY_BOTH unsigned __vcmpne4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::unequal<0xff>());
}
HIPIFY_BOTH unsigned __vcmpges4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::greater_equal<0xff>());
}
HIPIFY_BOTH unsigned __vcmpgeu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::greater_equal<0xff>());
}
HIPIFY_BOTH unsigned __vcmpgts4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::greater<0xff>());
}
HIPIFY_BOTH unsigned __vcmpgtu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::greater<0xff>());
}
HIPIFY_BOTH unsigned __vcmples4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::less_equal<0xff>());
}
HIPIFY_BOTH unsigned __vcmpleu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::less_equal<0xff>());
}
HIPIFY_BOTH unsigned __vcmplts4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::less<0xff>());
}
HIPIFY_BOTH unsigned __vcmpltu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::less<0xff>());
}
HIPIFY_BOTH unsigned __vseteq4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::equal<1>());
}
HIPIFY_BOTH unsigned __vsetne4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::unequal<1>());
}
HIPIFY_BOTH unsigned __vsetges4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::greater_equal<1>());
}
HIPIFY_BOTH unsigned __vsetgeu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::greater_equal<1>());
}
HIPIFY_BOTH unsigned __vsetgts4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::greater<1>());
}
HIPIFY_BOTH unsigned __vsetgtu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::greater<1>());
}
HIPIFY_BOTH unsigned __vsetles4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::less_equal<1>());
}
HIPIFY_BOTH unsigned __vsetleu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::less_equal<1>());
}
HIPIFY_BOTH unsigned __vsetlts4(unsigned a, unsigned b) {
    return hipify_device::zip<8, true>(a, b, hipify_device::less<1>());
}
HIPIFY_BOTH unsigned __vsetltu4(unsigned a, unsigned b) {
    return hipify_device::zip<8, false>(a, b, hipify_device::less<1>());
}
HIPIFY_BOTH unsigned __vsads4(unsigned a, unsigned b) { return hipify_device::sum_of_differences<8, true>(a, b); }
HIPIFY_BOTH unsigned __vsadu4(unsigned a, unsigned b) { return hipify_device::sum_of_differences<8, false>(a, b); }

// --- Minimum and maximum of sums (DPX) ------------------------------------------------------------------------

HIPIFY_BOTH int __vimax_s32_relu(int a, int b) { return hipify_device::larger(hipify_device::larger(a, b), 0); }
HIPIFY_BOTH unsigned __vimax_s16x2_relu(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::positive_largest());
}
HIPIFY_BOTH int __vimax3_s32(int a, int b, int c) { return hipify_device::larger(hipify_device::larger(a, b), c); }
HIPIFY_BOTH int __vimax3_s32_relu(int a, int b, int c) { return hipify_device::larger(__vimax3_s32<Own>(a, b, c), 0); }
HIPIFY_BOTH unsigned __vimax3_u32(unsigned a, unsigned b, unsigned c) {
    return hipify_device::larger_unsigned(hipify_device::larger_unsigned(a, b), c);
}
HIPIFY_BOTH unsigned __vimax3_s16x2(unsigned a, unsigned b, unsigned c) { return __vmaxs2<Own>(__vmaxs2<Own>(a, b), c); }
HIPIFY_BOTH unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c) { return __vmaxu2<Own>(__vmaxu2<Own>(a, b), c); }
HIPIFY_BOTH unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return __vimax_s16x2_relu<Own>(__vmaxs2<Own>(a, b), c);
}
HIPIFY_BOTH int __viaddmax_s32(int a, int b, int c) { return hipify_device::larger(hipify_device::wrapped_sum(a, b), c); }
HIPIFY_BOTH int __viaddmax_s32_relu(int a, int b, int c) { return hipify_device::larger(__viaddmax_s32<Own>(a, b, c), 0); }
HIPIFY_BOTH unsigned __viaddmax_u32(unsigned a, unsigned b, unsigned c) { return hipify_device::larger_unsigned(a + b, c); }
HIPIFY_BOTH unsigned __viaddmax_s16x2(unsigned a, unsigned b, unsigned c) { return __vmaxs2<Own>(__vadd2<Own>(a, b), c); }
HIPIFY_BOTH unsigned __viaddmax_u16x2(unsigned a, unsigned b, unsigned c) { return __vmaxu2<Own>(__vadd2<Own>(a, b), c); }
HIPIFY_BOTH unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return __vimax_s16x2_relu<Own>(__vadd2<Own>(a, b), c);
}
HIPIFY_BOTH int __vibmax_s32(int a, int b, bool* first) { return (*first = a >= b) ? a : b; }
HIPIFY_BOTH unsigned __vibmax_u32(unsigned a, unsigned b, bool* first) { return (*first = a >= b) ? a : b; }
HIPIFY_BOTH unsigned __vibmax_s16x2(unsigned a, unsigned b, bool* first_high, bool* first_low) {
    using hipify_device::lane;
    *first_high = lane<16, true>(a, 1) >= lane<16, true>(b, 1);
    *first_low = lane<16, true>(a, 0) >= lane<16, true>(b, 0);
    return __vmaxs2<Own>(a, b);
}
HIPIFY_BOTH unsigned __vibmax_u16x2(unsigned a, unsigned b, bool* first_high, bool* first_low) {
    using hipify_device::lane;
    *first_high = lane<16, false>(a, 1) >= lane<16, false>(b, 1);
    *first_low = lane<16, false>(a, 0) >= lane<16, false>(b, 0);
    return __vmaxu2<Own>(a, b);
}
HIPIFY_BOTH int __vimin_s32_relu(int a, int b) { return hipify_device::larger(hipify_device::smaller(a, b), 0); }
HIPIFY_BOTH unsigned __vimin_s16x2_relu(unsigned a, unsigned b) {
    return hipify_device::zip<16, true>(a, b, hipify_device::positive_smallest());
}
HIPIFY_BOTH int __vimin3_s32(int a, int b, int c) { return hipify_device::smaller(hipify_device::smaller(a, b), c); }
HIPIFY_BOTH int __vimin3_s32_relu(int a, int b, int c) { return hipify_device::larger(__vimin3_s32<Own>(a, b, c), 0); }
HIPIFY_BOTH unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c) {
    return hipify_device::smaller_unsigned(hipify_device::smaller_unsigned(a, b), c);
}
HIPIFY_BOTH unsigned __vimin3_s16x2(unsigned a, unsigned b, unsigned c) { return __vmins2<Own>(__vmins2<Own>(a, b), c); }
HIPIFY_BOTH unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) { return __vminu2<Own>(__vminu2<Own>(a, b), c); }
HIPIFY_BOTH unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return __vimin_s16x2_relu<Own>(__vmins2<Own>(a, b), c);
}
HIPIFY_BOTH int __viaddmin_s32(int a, int b, int c) { return hipify_device::smaller(hipify_device::wrapped_sum(a, b), c); }
HIPIFY_BOTH int __viaddmin_s32_relu(int a, int b, int c) { return hipify_device::larger(__viaddmin_s32<Own>(a, b, c), 0); }
HIPIFY_BOTH unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c) { return hipify_device::smaller_unsigned(a + b, c); }
HIPIFY_BOTH unsigned __viaddmin_s16x2(unsigned a, unsigned b, unsigned c) { return __vmins2<Own>(__vadd2<Own>(a, b), c); }
HIPIFY_BOTH unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) { return __vminu2<Own>(__vadd2<Own>(a, b), c); }
HIPIFY_BOTH unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return __vimin_s16x2_relu<Own>(__vadd2<Own>(a, b), c);
}
HIPIFY_BOTH int __vibmin_s32(int a, int b, bool* first) { return (*first = a <= b) ? a : b; }
HIPIFY_BOTH unsigned __vibmin_u32(unsigned a, unsigned b, bool* first) { return (*first = a <= b) ? a : b; }
HIPIFY_BOTH unsigned __vibmin_s16x2(unsigned a, unsigned b, bool* first_high, bool* first_low) {
    using hipify_device::lane;
    *first_high = lane<16, true>(a, 1) <= lane<16, true>(b, 1);
    *first_low = lane<16, true>(a, 0) <= lane<16, true>(b, 0);
    return __vmins2<Own>(a, b);
}
HIPIFY_BOTH unsigned __vibmin_u16x2(unsigned a, unsigned b, bool* first_high, bool* first_low) {
    using hipify_device::lane;
    *first_high = lane<16, false>(a, 1) <= lane<16, false>(b, 1);
    *first_low = lane<16, false>(a, 0) <= lane<16, false>(b, 0);
    return __vminu2<Own>(a, b);
}

#undef HIPIFY_BOTH

#endif  // __HIP_PLATFORM_NVIDIA__
#endif  // HIPIFY_SIMD_H
