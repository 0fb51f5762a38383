// Mathematics functions that CUDA has on the host, too, and HIP on the device alone.
//
// Made to be included by translated sources. On HIP's NVIDIA platform CUDA has them all, and nothing is declared here.
// Every function is a template with a default argument: if a later HIP declares the plain function, that one is called,
// and the two never clash.

#ifndef HIPIFY_HOSTMATH_H
#define HIPIFY_HOSTMATH_H

#include <hip/hip_runtime.h>

#if !defined(__HIP_PLATFORM_NVIDIA__) && !defined(__HIPCC_RTC__)

#include <math.h>

#define HIPIFY_HOST template <int Own = 0> __host__ inline

namespace hipify_host {

const double pi = 3.14159265358979323846;

// The sine and cosine of pi * x: x is brought near zero first, which is exact.
inline void sincospi(double x, double* sine, double* cosine) {
    x = fmod(x, 2.0);
    const double quarters = nearbyint(2.0 * x);
    const double rest = pi * (x - 0.5 * quarters);
    const double s = sin(rest), c = cos(rest);
    switch (static_cast<int>(quarters) & 3) {
        case 0: *sine = s, *cosine = c; break;
        case 1: *sine = c, *cosine = -s; break;
        case 2: *sine = -s, *cosine = -c; break;
        default: *sine = -c, *cosine = s; break;
    }
    if (*sine == 0.0) *sine = copysign(0.0, x);
    if (*cosine == 0.0) *cosine = 0.0;
}
inline double sine(double x) {
    double s, c;
    sincospi(x, &s, &c);
    return s;
}
inline double cosine(double x) {
    double s, c;
    sincospi(x, &s, &c);
    return c;
}
inline double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }

}  // namespace hipify_host

HIPIFY_HOST double rsqrt(double x) { return 1.0 / sqrt(x); }
HIPIFY_HOST float rsqrt(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
HIPIFY_HOST float rsqrtf(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
HIPIFY_HOST double rcbrt(double x) { return 1.0 / cbrt(x); }
HIPIFY_HOST float rcbrt(float x) { return static_cast<float>(1.0 / cbrt(static_cast<double>(x))); }
HIPIFY_HOST float rcbrtf(float x) { return static_cast<float>(1.0 / cbrt(static_cast<double>(x))); }
HIPIFY_HOST double sinpi(double x) { return hipify_host::sine(x); }
HIPIFY_HOST float sinpi(float x) { return static_cast<float>(hipify_host::sine(x)); }
HIPIFY_HOST float sinpif(float x) { return static_cast<float>(hipify_host::sine(x)); }
HIPIFY_HOST double cospi(double x) { return hipify_host::cosine(x); }
HIPIFY_HOST float cospi(float x) { return static_cast<float>(hipify_host::cosine(x)); }
HIPIFY_HOST float cospif(float x) { return static_cast<float>(hipify_host::cosine(x)); }
HIPIFY_HOST void sincospi(double x, double* s, double* c) { hipify_host::sincospi(x, s, c); }
HIPIFY_HOST void sincospi(float x, float* s, float* c) {
    *s = static_cast<float>(hipify_host::sine(x));
    *c = static_cast<float>(hipify_host::cosine(x));
}
HIPIFY_HOST void sincospif(float x, float* s, float* c) {
    *s = static_cast<float>(hipify_host::sine(x));
    *c = static_cast<float>(hipify_host::cosine(x));
}
HIPIFY_HOST double normcdf(double x) { return hipify_host::normcdf(x); }
HIPIFY_HOST float normcdf(float x) { return static_cast<float>(hipify_host::normcdf(x)); }
HIPIFY_HOST float normcdff(float x) { return static_cast<float>(hipify_host::normcdf(x)); }
HIPIFY_HOST unsigned int umin(unsigned int a, unsigned int b) { return b < a ? b : a; }
HIPIFY_HOST unsigned int umax(unsigned int a, unsigned int b) { return a < b ? b : a; }
HIPIFY_HOST long long llmin(long long a, long long b) { return b < a ? b : a; }
HIPIFY_HOST long long llmax(long long a, long long b) { return a < b ? b : a; }
HIPIFY_HOST unsigned long long ullmin(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
HIPIFY_HOST unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }

#undef HIPIFY_HOST

#endif
#endif  // HIPIFY_HOSTMATH_H
