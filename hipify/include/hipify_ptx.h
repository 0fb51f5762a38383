// What single PTX instructions compute, for `asm` statements that hipify-py wrote as C++: bit for bit as PTX defines it.
//
// On HIP's NVIDIA platform everything works as well; nothing here needs an AMD GPU.

#ifndef HIPIFY_PTX_H
#define HIPIFY_PTX_H

#include <hip/hip_runtime.h>

namespace hipify_ptx {

typedef unsigned short u16;
typedef short s16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int s32;
typedef long long s64;

// An `asm` that clobbers memory: the compiler moves no access across it.
__device__ inline void ordered() {
#ifdef __HIP_PLATFORM_NVIDIA__
    asm volatile("" ::: "memory");
#else
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

// A register's bits into a variable of any type of its size, pointers included.
template <class T, class V>
__device__ inline void put(T& to, V value) {
    static_assert(sizeof(T) == sizeof(V), "a register of another size");
    __builtin_memcpy(&to, &value, sizeof(T));
}

template <class T, class V>
__device__ inline T as(V value) {
    static_assert(sizeof(T) == sizeof(V), "a register of another size");
    T to;
    __builtin_memcpy(&to, &value, sizeof(T));
    return to;
}

// Shifts by more than the width give 0, or the sign.
__device__ inline u32 shl_b32(u32 a, u32 n) { return n > 31u ? 0u : a << n; }
__device__ inline u64 shl_b64(u64 a, u32 n) { return n > 63u ? 0ull : a << n; }
__device__ inline u32 shr_u32(u32 a, u32 n) { return n > 31u ? 0u : a >> n; }
__device__ inline u64 shr_u64(u64 a, u32 n) { return n > 63u ? 0ull : a >> n; }
__device__ inline s32 shr_s32(s32 a, u32 n) { return a >> (n > 31u ? 31u : n); }
__device__ inline s64 shr_s64(s64 a, u32 n) { return a >> (n > 63u ? 63u : n); }

// Funnel shifts: `b` holds the upper half.
__device__ inline u32 shf_l_wrap_b32(u32 a, u32 b, u32 n) { return (u32)((((u64)b << 32 | a) << (n & 31u)) >> 32); }
__device__ inline u32 shf_r_wrap_b32(u32 a, u32 b, u32 n) { return (u32)(((u64)b << 32 | a) >> (n & 31u)); }
__device__ inline u32 shf_l_clamp_b32(u32 a, u32 b, u32 n) {
    return n > 31u ? a : (u32)((((u64)b << 32 | a) << n) >> 32);
}
__device__ inline u32 shf_r_clamp_b32(u32 a, u32 b, u32 n) {
    return n > 31u ? b : (u32)(((u64)b << 32 | a) >> n);
}

// Bit fields: position and length are the low bytes of their registers (of 64-bit words: all of them), what lies beyond
// the word is not there.
template <class T>
__device__ inline T field_mask(u32 length) {
    return length >= sizeof(T) * 8 ? ~T(0) : (T(1) << length) - 1;
}
template <class T>
__device__ inline u32 place(u32 n) {
    return sizeof(T) == 4 ? n & 0xffu : n < 0xffu ? n : 0xffu;
}
template <class T>
__device__ inline T extract(T a, u32 position, u32 length, bool is_signed) {
    const u32 width = sizeof(T) * 8;
    position = place<T>(position);
    length = place<T>(length);
    const u32 left = position < width ? width - position : 0u;
    const T mask = field_mask<T>(length < left ? length : left);
    const T field = left != 0u ? (a >> position) & mask : T(0);
    const u32 last = position + length - 1u < width - 1u ? position + length - 1u : width - 1u;
    return is_signed && length != 0u && ((a >> last) & 1) ? field | ~mask : field;
}
__device__ inline u32 bfe_u32(u32 a, u32 position, u32 length) { return extract<u32>(a, position, length, false); }
__device__ inline u64 bfe_u64(u64 a, u32 position, u32 length) { return extract<u64>(a, position, length, false); }
__device__ inline s32 bfe_s32(s32 a, u32 position, u32 length) { return (s32)extract<u32>(a, position, length, true); }
__device__ inline s64 bfe_s64(s64 a, u32 position, u32 length) { return (s64)extract<u64>(a, position, length, true); }
template <class T>
__device__ inline T insert(T a, T b, u32 position, u32 length) {
    const u32 width = sizeof(T) * 8;
    position = place<T>(position);
    length = place<T>(length);
    if (position >= width) return b;
    const T mask = field_mask<T>(length) << position;
    return (b & ~mask) | ((a << position) & mask);
}
__device__ inline u32 bfi_b32(u32 a, u32 b, u32 position, u32 length) { return insert<u32>(a, b, position, length); }
__device__ inline u64 bfi_b64(u64 a, u64 b, u32 position, u32 length) { return insert<u64>(a, b, position, length); }

// The highest bit that differs from the sign; all ones when there is none.
__device__ inline u32 bfind_u32(u32 a) { return a == 0u ? ~0u : 31u - (u32)__builtin_clz(a); }
__device__ inline u32 bfind_u64(u64 a) { return a == 0ull ? ~0u : 63u - (u32)__builtin_clzll(a); }
__device__ inline u32 bfind_s32(s32 a) { return bfind_u32((u32)(a < 0 ? ~a : a)); }
__device__ inline u32 bfind_s64(s64 a) { return bfind_u64((u64)(a < 0 ? ~a : a)); }

// Any function of three bits, by its truth table.
__device__ inline u32 lop3_b32(u32 a, u32 b, u32 c, u32 table) {
    return ((table & 0x01u) ? ~a & ~b & ~c : 0u) | ((table & 0x02u) ? ~a & ~b & c : 0u) |
           ((table & 0x04u) ? ~a & b & ~c : 0u) | ((table & 0x08u) ? ~a & b & c : 0u) |
           ((table & 0x10u) ? a & ~b & ~c : 0u) | ((table & 0x20u) ? a & ~b & c : 0u) |
           ((table & 0x40u) ? a & b & ~c : 0u) | ((table & 0x80u) ? a & b & c : 0u);
}

// Four bytes of eight, each by a selector of three bits; the fourth bit repeats the byte's sign.
__device__ inline u32 prmt_b32(u32 a, u32 b, u32 selectors) {
    const u64 bytes = (u64)b << 32 | a;
    u32 result = 0u;
    for (u32 i = 0u; i < 4u; ++i) {
        const u32 selector = selectors >> (4u * i);
        u32 byte = (u32)(bytes >> (8u * (selector & 7u))) & 0xffu;
        if (selector & 8u) byte = (byte & 0x80u) ? 0xffu : 0u;
        result |= byte << (8u * i);
    }
    return result;
}

// The upper halves of products.
__device__ inline u32 mul_hi_u32(u32 a, u32 b) { return (u32)(((u64)a * b) >> 32); }
__device__ inline s32 mul_hi_s32(s32 a, s32 b) { return (s32)(((s64)a * b) >> 32); }
__device__ inline u64 mul_hi_u64(u64 a, u64 b) { return (u64)(((unsigned __int128)a * b) >> 64); }
__device__ inline s64 mul_hi_s64(s64 a, s64 b) { return (s64)(((__int128)a * b) >> 64); }
__device__ inline u64 mul_wide_u32(u32 a, u32 b) { return (u64)a * b; }
__device__ inline s64 mul_wide_s32(s32 a, s32 b) { return (s64)a * b; }

__device__ inline u32 mad_hi_u32(u32 a, u32 b, u32 c) { return mul_hi_u32(a, b) + c; }
__device__ inline s32 mad_hi_s32(s32 a, s32 b, s32 c) { return (s32)((u32)mul_hi_s32(a, b) + (u32)c); }
__device__ inline u64 mad_hi_u64(u64 a, u64 b, u64 c) { return mul_hi_u64(a, b) + c; }
__device__ inline s64 mad_hi_s64(s64 a, s64 b, s64 c) { return (s64)((u64)mul_hi_s64(a, b) + (u64)c); }
__device__ inline u32 mul_wide_u16(u16 a, u16 b) { return (u32)a * b; }
__device__ inline s32 mul_wide_s16(s16 a, s16 b) { return (s32)a * b; }
__device__ inline u32 mad_wide_u16(u16 a, u16 b, u32 c) { return (u32)a * b + c; }
__device__ inline s32 mad_wide_s16(s16 a, s16 b, s32 c) { return (s32)((u32)((s32)a * b) + (u32)c); }
__device__ inline u64 mad_wide_u32(u32 a, u32 b, u64 c) { return (u64)a * b + c; }
__device__ inline s64 mad_wide_s32(s32 a, s32 b, s64 c) { return (s64)((u64)((s64)a * b) + (u64)c); }

// Products of the lower 24 bits: the lower 32 of their 48 bits, or the upper 32.
__device__ inline s32 low24(s32 a) { return (s32)((u32)a << 8) >> 8; }
__device__ inline u32 mul24_lo_u32(u32 a, u32 b) { return (a & 0xffffffu) * (b & 0xffffffu); }
__device__ inline s32 mul24_lo_s32(s32 a, s32 b) { return (s32)((s64)low24(a) * low24(b)); }
__device__ inline u32 mul24_hi_u32(u32 a, u32 b) { return (u32)(((u64)(a & 0xffffffu) * (b & 0xffffffu)) >> 16); }
__device__ inline s32 mul24_hi_s32(s32 a, s32 b) { return (s32)(((s64)low24(a) * low24(b)) >> 16); }
__device__ inline u32 mad24_lo_u32(u32 a, u32 b, u32 c) { return mul24_lo_u32(a, b) + c; }
__device__ inline s32 mad24_lo_s32(s32 a, s32 b, s32 c) { return (s32)((u32)mul24_lo_s32(a, b) + (u32)c); }
__device__ inline u32 mad24_hi_u32(u32 a, u32 b, u32 c) { return mul24_hi_u32(a, b) + c; }
__device__ inline s32 mad24_hi_s32(s32 a, s32 b, s32 c) { return (s32)((u32)mul24_hi_s32(a, b) + (u32)c); }

// The carry that one statement leaves for another. The compiler keeps it in a register where it sees both; between
// functions that it does not join it goes through shared memory, a byte for each thread.
__device__ inline unsigned char& carry() {
    __shared__ unsigned char flags[1024];
    return flags[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x];
}

// Arithmetic of many words. The carry is 0 or 1; a subtraction's is 0 where it borrowed, as NVIDIA's GPUs have it: code
// that adds with a subtraction's carry sees that.
template <class T, class C>
__device__ inline T sum_of(T a, T b, u32 in, C& carry) {
    const T sum = a + b, result = sum + in;
    carry = (C)((u32)(sum < a) | (u32)(result < sum));
    return result;
}
template <class T, class C>
__device__ inline T difference_of(T a, T b, u32 in, C& carry) {
    const T difference = a - b, result = difference - in;
    carry = (C)(1u ^ ((u32)(a < b) | (u32)(difference < in)));
    return result;
}
template <class T> struct unsigned_of { typedef T type; };
template <> struct unsigned_of<s32> { typedef u32 type; };
template <> struct unsigned_of<s64> { typedef u64 type; };
__device__ inline u32 high_of(u32 a, u32 b) { return mul_hi_u32(a, b); }
__device__ inline u32 high_of(s32 a, s32 b) { return (u32)mul_hi_s32(a, b); }
__device__ inline u64 high_of(u64 a, u64 b) { return mul_hi_u64(a, b); }
__device__ inline u64 high_of(s64 a, s64 b) { return (u64)mul_hi_s64(a, b); }
template <class T, class C> __device__ inline T add_cc(T a, T b, C& carry) { return sum_of<T>(a, b, 0u, carry); }
template <class T> __device__ inline T addc(T a, T b, u32 carry) { return a + b + carry; }
template <class T, class C> __device__ inline T addc_cc(T a, T b, C& carry) { return sum_of<T>(a, b, carry, carry); }
template <class T, class C> __device__ inline T sub_cc(T a, T b, C& carry) { return difference_of<T>(a, b, 0u, carry); }
template <class T> __device__ inline T subc(T a, T b, u32 carry) { return a - b - (1u ^ carry); }
template <class T, class C> __device__ inline T subc_cc(T a, T b, C& carry) {
    return difference_of<T>(a, b, 1u ^ carry, carry);
}
template <class T, class C> __device__ inline T mad_lo_cc(T a, T b, T c, C& carry) {
    return sum_of<T>(a * b, c, 0u, carry);
}
template <class T> __device__ inline T madc_lo(T a, T b, T c, u32 carry) { return a * b + c + carry; }
template <class T, class C> __device__ inline T madc_lo_cc(T a, T b, T c, C& carry) {
    return sum_of<T>(a * b, c, carry, carry);
}
template <class T, class C, class U = typename unsigned_of<T>::type>
__device__ inline U mad_hi_cc(T a, T b, U c, C& carry) { return sum_of<U>(high_of(a, b), c, 0u, carry); }
template <class T, class U = typename unsigned_of<T>::type>
__device__ inline U madc_hi(T a, T b, U c, u32 carry) { return high_of(a, b) + c + carry; }
template <class T, class C, class U = typename unsigned_of<T>::type>
__device__ inline U madc_hi_cc(T a, T b, U c, C& carry) { return sum_of<U>(high_of(a, b), c, carry, carry); }

template <class T> __device__ inline T absolute(T a) {
    return a < 0 ? (T)(0u - (typename unsigned_of<T>::type)a) : a;
}
template <class T> __device__ inline T min_of(T a, T b) { return b < a ? b : a; }
template <class T> __device__ inline T max_of(T a, T b) { return a < b ? b : a; }
template <class T, class V>
__device__ inline T saturate(V value) {
    const V none = 0;
    const T all = (T)~(T)0, most = all > (T)0 ? all : (T)(((u64)1 << (sizeof(T) * 8 - 1)) - 1);
    const T least = all > (T)0 ? (T)0 : (T)(-most - 1);
    if (value < none) {
        return (s64)value < (s64)least ? least : (T)value;
    }
    return (u64)value > (u64)most ? most : (T)value;
}
__device__ inline s32 add_sat_s32(s32 a, s32 b) { return saturate<s32>((s64)a + b); }
__device__ inline s32 sub_sat_s32(s32 a, s32 b) { return saturate<s32>((s64)a - b); }
template <class T, int Width>
__device__ inline u32 pack_saturated(s32 a, s32 b, u32 c) {
    const u32 mask = (1u << Width) - 1u;
    const u32 two = ((u32)saturate<T>(a) & mask) << Width | ((u32)saturate<T>(b) & mask);
    return Width == 16 ? two : c << 16 | two;
}
__device__ inline u16 cnot_b16(u16 a) { return a == 0; }
__device__ inline u32 cnot_b32(u32 a) { return a == 0u; }
__device__ inline u64 cnot_b64(u64 a) { return a == 0ull; }
__device__ inline u16 shl_b16(u16 a, u32 n) { return n > 15u ? 0 : (u16)(a << n); }
__device__ inline u16 shr_u16(u16 a, u32 n) { return n > 15u ? 0 : (u16)(a >> n); }
__device__ inline s16 shr_s16(s16 a, u32 n) { return (s16)(a >> (n > 15u ? 15u : n)); }

__device__ inline u32 sad_u32(u32 a, u32 b, u32 c) { return c + (a > b ? a - b : b - a); }
__device__ inline u32 sad_s32(s32 a, s32 b, u32 c) { return c + (a > b ? (u32)a - (u32)b : (u32)b - (u32)a); }

// Four products of bytes, added.
__device__ inline u32 dp4a_u32_u32(u32 a, u32 b, u32 c) {
    for (u32 i = 0u; i < 32u; i += 8u) c += ((a >> i) & 0xffu) * ((b >> i) & 0xffu);
    return c;
}
__device__ inline s32 dp4a_s32_s32(u32 a, u32 b, u32 c) {
    for (u32 i = 0u; i < 32u; i += 8u) c += (u32)((s32)(signed char)(a >> i) * (s32)(signed char)(b >> i));
    return (s32)c;
}

__device__ inline s32 dp4a_u32_s32(u32 a, u32 b, u32 c) {
    for (u32 i = 0u; i < 32u; i += 8u) c += (u32)((s32)((a >> i) & 0xffu) * (s32)(signed char)(b >> i));
    return (s32)c;
}
__device__ inline s32 dp4a_s32_u32(u32 a, u32 b, u32 c) { return dp4a_u32_s32(b, a, c); }

// Two products of a half and a byte, added.
__device__ inline u32 dp2a_u32_u32(u32 a, u32 b, u32 c) { return c + (a & 0xffffu) * (b & 0xffu) + (a >> 16) * ((b >> 8) & 0xffu); }
__device__ inline s32 dp2a(s32 low, s32 high, s32 first, s32 second, u32 c) {
    return (s32)(c + (u32)(low * first) + (u32)(high * second));
}
__device__ inline u32 dp2a_lo_u32_u32(u32 a, u32 b, u32 c) { return dp2a_u32_u32(a, b, c); }
__device__ inline u32 dp2a_hi_u32_u32(u32 a, u32 b, u32 c) { return dp2a_u32_u32(a, b >> 16, c); }
__device__ inline s32 dp2a_lo_s32_s32(u32 a, u32 b, u32 c) {
    return dp2a((s16)a, (s16)(a >> 16), (signed char)b, (signed char)(b >> 8), c);
}
__device__ inline s32 dp2a_hi_s32_s32(u32 a, u32 b, u32 c) { return dp2a_lo_s32_s32(a, b >> 16, c); }
__device__ inline s32 dp2a_lo_s32_u32(u32 a, u32 b, u32 c) {
    return dp2a((s16)a, (s16)(a >> 16), (s32)(b & 0xffu), (s32)((b >> 8) & 0xffu), c);
}
__device__ inline s32 dp2a_hi_s32_u32(u32 a, u32 b, u32 c) { return dp2a_lo_s32_u32(a, b >> 16, c); }
__device__ inline s32 dp2a_lo_u32_s32(u32 a, u32 b, u32 c) {
    return dp2a((s32)(a & 0xffffu), (s32)(a >> 16), (signed char)b, (signed char)(b >> 8), c);
}
__device__ inline s32 dp2a_hi_u32_s32(u32 a, u32 b, u32 c) { return dp2a_lo_u32_s32(a, b >> 16, c); }

// Parts of a register, and back.
__device__ inline u64 pack(u32 low, u32 high) { return (u64)high << 32 | low; }
template <class L, class H>
__device__ inline void unpack(L& low, H& high, u64 value) {
    put(low, (u32)value);
    put(high, (u32)(value >> 32));
}
__device__ inline u32 pack16(u16 a, u16 b) { return (u32)b << 16 | a; }
__device__ inline u64 pack16(u16 a, u16 b, u16 c, u16 d) { return pack(pack16(a, b), pack16(c, d)); }
template <class A, class B>
__device__ inline void unpack16(A& a, B& b, u32 value) {
    put(a, (u16)value);
    put(b, (u16)(value >> 16));
}
template <class A, class B, class C, class D>
__device__ inline void unpack16(A& a, B& b, C& c, D& d, u64 value) {
    unpack16(a, b, (u32)value);
    unpack16(c, d, (u32)(value >> 32));
}

// Addresses of shared memory: what they point to, and generic addresses as such, or such as generic ones.
#ifdef __HIP_DEVICE_COMPILE__
typedef char __attribute__((address_space(3))) shared_byte;
#endif
__device__ inline char* shared(u64 address) {
#if defined(__HIP_PLATFORM_NVIDIA__)
    return (char*)__cvta_shared_to_generic((size_t)address);
#elif defined(__HIP_DEVICE_COMPILE__)
    return (char*)(shared_byte*)(u32)address;
#else
    return (char*)address;
#endif
}
__device__ inline u64 from_shared(u64 address) { return (u64)shared(address); }
__device__ inline u64 to_shared(u64 address) {
#if defined(__HIP_PLATFORM_NVIDIA__)
    return (u64)__cvta_generic_to_shared((const void*)address);
#elif defined(__HIP_DEVICE_COMPILE__)
    return (u64)(u32)(shared_byte*)(char*)address;
#else
    return address;
#endif
}

// Between nothing and twice the time asked for; a step is 64 clocks.
__device__ inline void sleep(u32 nanoseconds) {
#if defined(__HIP_PLATFORM_NVIDIA__)
    __nanosleep(nanoseconds);
#else
    for (u32 done = 0u; done + 63u < nanoseconds; done += 64u) __builtin_amdgcn_s_sleep(1);
#endif
}

// Accesses through an address in a register, of any type of object.
template <class T, class A>
__device__ inline T* at(A address, s64 offset) {
    return (T*)((char*)address + offset);
}
template <class T>
struct __attribute__((may_alias)) word { T value; };
template <class T, class A>
__device__ inline T load(A address, s64 offset = 0) { return at<const word<T>>(address, offset)->value; }
template <class T, class A>
__device__ inline T volatile_load(A address, s64 offset = 0) {
    return at<const volatile word<T>>(address, offset)->value;
}
template <class T, class A>
__device__ inline void store(A address, T value, s64 offset = 0) { at<word<T>>(address, offset)->value = value; }
template <class T, class A>
__device__ inline void volatile_store(A address, T value, s64 offset = 0) {
    at<volatile word<T>>(address, offset)->value = value;
}

// Vectors of two and four registers, in one access.
template <class T>
struct __attribute__((may_alias, aligned(2 * sizeof(T)))) pair { T x, y; };
template <class T>
struct __attribute__((may_alias, aligned(4 * sizeof(T)))) four { T x, y, z, w; };
template <class T, class P, class A, class B>
__device__ inline void load_v2(A& a, B& b, P address, s64 offset = 0) {
    const pair<T> value = *at<const pair<T>>(address, offset);
    put(a, value.x);
    put(b, value.y);
}
template <class T, class P, class A, class B, class C, class D>
__device__ inline void load_v4(A& a, B& b, C& c, D& d, P address, s64 offset = 0) {
    const four<T> value = *at<const four<T>>(address, offset);
    put(a, value.x);
    put(b, value.y);
    put(c, value.z);
    put(d, value.w);
}
template <class T, class P>
__device__ inline void store_v2(P address, T a, T b, s64 offset = 0) { *at<pair<T>>(address, offset) = {a, b}; }
template <class T, class P>
__device__ inline void store_v4(P address, T a, T b, T c, T d, s64 offset = 0) {
    *at<four<T>>(address, offset) = {a, b, c, d};
}

// The same with accesses that are made as they are written, as one.
#ifndef __HIP_PLATFORM_NVIDIA__
template <class T>
struct vectors {
    typedef T two __attribute__((ext_vector_type(2)));
    typedef T four __attribute__((ext_vector_type(4)));
};
#else
template <class T>
struct vectors {
    struct two {
        T x, y;
        __device__ two(T a, T b) : x(a), y(b) {}
        __device__ two(const volatile two& v) : x(v.x), y(v.y) {}
        __device__ void operator=(const two& v) volatile { x = v.x, y = v.y; }
    };
    struct four {
        T x, y, z, w;
        __device__ four(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
        __device__ four(const volatile four& v) : x(v.x), y(v.y), z(v.z), w(v.w) {}
        __device__ void operator=(const four& v) volatile { x = v.x, y = v.y, z = v.z, w = v.w; }
    };
};
#endif
template <class T, class P, class A, class B>
__device__ inline void volatile_load_v2(A& a, B& b, P address, s64 offset = 0) {
    const typename vectors<T>::two value = volatile_load<typename vectors<T>::two>(address, offset);
    put(a, (T)value.x);
    put(b, (T)value.y);
}
template <class T, class P, class A, class B, class C, class D>
__device__ inline void volatile_load_v4(A& a, B& b, C& c, D& d, P address, s64 offset = 0) {
    const typename vectors<T>::four value = volatile_load<typename vectors<T>::four>(address, offset);
    put(a, (T)value.x);
    put(b, (T)value.y);
    put(c, (T)value.z);
    put(d, (T)value.w);
}
template <class T, class P>
__device__ inline void volatile_store_v2(P address, T a, T b, s64 offset = 0) {
    typename vectors<T>::two value = {a, b};
    volatile_store<typename vectors<T>::two>(address, value, offset);
}
template <class T, class P>
__device__ inline void volatile_store_v4(P address, T a, T b, T c, T d, s64 offset = 0) {
    typename vectors<T>::four value = {a, b, c, d};
    volatile_store<typename vectors<T>::four>(address, value, offset);
}

// Division as GPUs do it, which have a result for every divisor.
template <class T>
__device__ inline T quotient(T a, T b) {
    if (b == T(0)) return T(-1);
    return T(-1) < T(0) && b == T(-1) ? T(0u - (u64)a) : T(a / b);
}
template <class T>
__device__ inline T remainder(T a, T b) {
    if (b == T(0)) return T(-1);
    return T(-1) < T(0) && b == T(-1) ? T(0) : T(a % b);
}

// A copy to shared memory, made at once: `taken` bytes, zeros behind them.
template <u32 Size, class P>
__device__ inline void copy(char* to, P from, u32 taken) {
    static_assert(Size == 4 || Size == 8 || Size == 16, "a size that PTX copies");
    struct __attribute__((may_alias, aligned(Size))) bytes { unsigned char byte[Size]; } value;
    if (taken >= Size) {
        value = *at<const bytes>(from, 0);
    } else {
        for (u32 i = 0u; i < Size; ++i) value.byte[i] = i < taken ? *at<const unsigned char>(from, i) : 0;
    }
    *(bytes*)to = value;
}

#ifndef __HIP_PLATFORM_NVIDIA__
// An exchange if the word is as expected, with an order of memory.
template <int Order, int Scope, class T>
__device__ inline T compare_and_swap(T* p, T expected, T value) {
    const int failure = Order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : Order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : Order;
    __hip_atomic_compare_exchange_strong(p, &expected, value, Order, failure, Scope);
    return expected;
}
#endif

}  // namespace hipify_ptx

#endif  // HIPIFY_PTX_H
