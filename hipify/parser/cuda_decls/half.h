// Half precision and bfloat16 as classes: conversions both ways, operators, and the vectors of two.

#define HIPIFY_HALF(name, two) \
    struct name##_raw { unsigned short x; }; \
    struct two##_raw { unsigned short x, y; }; \
    struct name { \
        unsigned short bits; \
        name() = default; \
        template <class T, class = decltype(static_cast<float>(*(T *)0))> constexpr name(T) : bits(0) {} \
        operator float() const; \
        operator name##_raw() const; \
        template <class T> name &operator=(T); \
        name &operator+=(name); \
        name &operator-=(name); \
        name &operator*=(name); \
        name &operator/=(name); \
        name &operator++(); \
        name operator++(int); \
        name &operator--(); \
        name operator--(int); \
        friend name operator+(name, name); \
        template <class T> friend decltype(+*(T *)0, 0.0f) operator+(T, name); \
        template <class T> friend decltype(+*(T *)0, 0.0f) operator+(name, T); \
        template <class T> friend decltype(+*(T *)0, 0.0f) operator-(T, name); \
        template <class T> friend decltype(+*(T *)0, 0.0f) operator-(name, T); \
        template <class T> friend decltype(+*(T *)0, 0.0f) operator*(T, name); \
        template <class T> friend decltype(+*(T *)0, 0.0f) operator*(name, T); \
        template <class T> friend decltype(+*(T *)0, 0.0f) operator/(T, name); \
        template <class T> friend decltype(+*(T *)0, 0.0f) operator/(name, T); \
        template <class T> friend decltype(+*(T *)0, true) operator<(T, name); \
        template <class T> friend decltype(+*(T *)0, true) operator<(name, T); \
        template <class T> friend decltype(+*(T *)0, true) operator>(T, name); \
        template <class T> friend decltype(+*(T *)0, true) operator>(name, T); \
        template <class T> friend decltype(+*(T *)0, true) operator<=(T, name); \
        template <class T> friend decltype(+*(T *)0, true) operator<=(name, T); \
        template <class T> friend decltype(+*(T *)0, true) operator>=(T, name); \
        template <class T> friend decltype(+*(T *)0, true) operator>=(name, T); \
        template <class T> friend decltype(+*(T *)0, true) operator==(T, name); \
        template <class T> friend decltype(+*(T *)0, true) operator==(name, T); \
        template <class T> friend decltype(+*(T *)0, true) operator!=(T, name); \
        template <class T> friend decltype(+*(T *)0, true) operator!=(name, T); \
        friend name operator-(name, name); \
        friend name operator*(name, name); \
        friend name operator/(name, name); \
        friend name operator-(name); \
        friend bool operator==(name, name); \
        friend bool operator!=(name, name); \
        friend bool operator<(name, name); \
        friend bool operator>(name, name); \
        friend bool operator<=(name, name); \
        friend bool operator>=(name, name); \
    }; \
    struct two { \
        name x, y; \
        two() = default; \
        constexpr two(name x, name y) : x(x), y(y) {} \
        two(two##_raw); \
        operator two##_raw() const; \
        two &operator+=(two); \
        two &operator-=(two); \
        two &operator*=(two); \
        two &operator/=(two); \
        friend two operator+(two, two); \
        friend two operator-(two, two); \
        friend two operator*(two, two); \
        friend two operator/(two, two); \
        friend two operator-(two); \
        friend bool operator==(two, two); \
        friend bool operator!=(two, two); \
    };
HIPIFY_HALF(__half, __half2)
HIPIFY_HALF(__nv_bfloat16, __nv_bfloat162)
#undef HIPIFY_HALF
typedef __half half, nv_half, __nv_half;
typedef __half2 half2, nv_half2, __nv_half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// One function, both element types: the result has the type of the first argument.
#define HIPIFY_SAME(name) template <class T, class... A> T name(T, A...);
HIPIFY_SAME(__hadd) HIPIFY_SAME(__hadd_rn) HIPIFY_SAME(__hadd_sat) HIPIFY_SAME(__hsub) HIPIFY_SAME(__hsub_rn)
HIPIFY_SAME(__hsub_sat) HIPIFY_SAME(__hmul) HIPIFY_SAME(__hmul_rn) HIPIFY_SAME(__hmul_sat) HIPIFY_SAME(__hdiv)
HIPIFY_SAME(__hfma) HIPIFY_SAME(__hfma_relu) HIPIFY_SAME(__hfma_sat) HIPIFY_SAME(__hneg) HIPIFY_SAME(__habs)
HIPIFY_SAME(__hmax) HIPIFY_SAME(__hmax_nan) HIPIFY_SAME(__hmin) HIPIFY_SAME(__hmin_nan) HIPIFY_SAME(__hadd2)
HIPIFY_SAME(__hadd2_rn) HIPIFY_SAME(__hadd2_sat) HIPIFY_SAME(__hsub2) HIPIFY_SAME(__hsub2_rn)
HIPIFY_SAME(__hsub2_sat) HIPIFY_SAME(__hmul2) HIPIFY_SAME(__hmul2_rn) HIPIFY_SAME(__hmul2_sat) HIPIFY_SAME(__h2div)
HIPIFY_SAME(__hfma2) HIPIFY_SAME(__hfma2_relu) HIPIFY_SAME(__hfma2_sat) HIPIFY_SAME(__hcmadd) HIPIFY_SAME(__hneg2)
HIPIFY_SAME(__habs2) HIPIFY_SAME(__hmax2) HIPIFY_SAME(__hmax2_nan) HIPIFY_SAME(__hmin2) HIPIFY_SAME(__hmin2_nan)
HIPIFY_SAME(hceil) HIPIFY_SAME(hcos) HIPIFY_SAME(hexp) HIPIFY_SAME(hexp10) HIPIFY_SAME(hexp2) HIPIFY_SAME(hfloor)
HIPIFY_SAME(hlog) HIPIFY_SAME(hlog10) HIPIFY_SAME(hlog2) HIPIFY_SAME(hrcp) HIPIFY_SAME(hrint) HIPIFY_SAME(hrsqrt)
HIPIFY_SAME(hsin) HIPIFY_SAME(hsqrt) HIPIFY_SAME(htanh) HIPIFY_SAME(htanh_approx) HIPIFY_SAME(htrunc)
HIPIFY_SAME(h2ceil) HIPIFY_SAME(h2cos) HIPIFY_SAME(h2exp) HIPIFY_SAME(h2exp10) HIPIFY_SAME(h2exp2)
HIPIFY_SAME(h2floor) HIPIFY_SAME(h2log) HIPIFY_SAME(h2log10) HIPIFY_SAME(h2log2) HIPIFY_SAME(h2rcp)
HIPIFY_SAME(h2rint) HIPIFY_SAME(h2rsqrt) HIPIFY_SAME(h2sin) HIPIFY_SAME(h2sqrt) HIPIFY_SAME(h2tanh)
HIPIFY_SAME(h2tanh_approx) HIPIFY_SAME(h2trunc) HIPIFY_SAME(__heq2) HIPIFY_SAME(__hequ2) HIPIFY_SAME(__hge2)
HIPIFY_SAME(__hgeu2) HIPIFY_SAME(__hgt2) HIPIFY_SAME(__hgtu2) HIPIFY_SAME(__hle2) HIPIFY_SAME(__hleu2)
HIPIFY_SAME(__hlt2) HIPIFY_SAME(__hltu2) HIPIFY_SAME(__hne2) HIPIFY_SAME(__hneu2) HIPIFY_SAME(__hisnan2)
HIPIFY_SAME(__lowhigh2highlow) HIPIFY_SAME(__low2half2) HIPIFY_SAME(__high2half2) HIPIFY_SAME(__lows2half2)
HIPIFY_SAME(__highs2half2)
#undef HIPIFY_SAME
float __low2float(__half2);
float __low2float(__nv_bfloat162);
float __high2float(__half2);
float __high2float(__nv_bfloat162);
__half2 __halves2half2(__half, __half);
__nv_bfloat162 __halves2bfloat162(__nv_bfloat16, __nv_bfloat16);
float2 __half22float2(__half2);
float2 __bfloat1622float2(__nv_bfloat162);
