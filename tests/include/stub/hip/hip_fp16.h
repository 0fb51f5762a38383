// Half types as bits, with the few functions that the helper headers call.
#pragma once
#include <cmath>

struct __half { unsigned short bits; };
struct __half2 { unsigned bits; };

inline float __half2float(__half value) {
    _Float16 number;
    __builtin_memcpy(&number, &value, 2);
    return static_cast<float>(number);
}
inline __half __float2half(float value) {
    const _Float16 number = static_cast<_Float16>(value);
    __half out;
    __builtin_memcpy(&out, &number, 2);
    return out;
}
inline __half __hfma(__half a, __half b, __half c) {
    const double exact = static_cast<double>(__half2float(a)) * __half2float(b) + __half2float(c);
    const _Float16 number = static_cast<_Float16>(exact);
    __half out;
    __builtin_memcpy(&out, &number, 2);
    return out;
}
inline __half __hneg(__half a) { return {static_cast<unsigned short>(a.bits ^ 0x8000)}; }
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    const auto part = [](__half2 v, int i) { return __half{static_cast<unsigned short>(v.bits >> (16 * i))}; };
    const __half low = __hfma(part(a, 0), part(b, 0), part(c, 0)), high = __hfma(part(a, 1), part(b, 1), part(c, 1));
    return {low.bits | static_cast<unsigned>(high.bits) << 16};
}
inline __half __hadd(__half a, __half b) { return __hfma(a, __half{0x3c00}, b); }
