// What the helper headers need of HIP, for a compiler of host code: enough to run their functions on the CPU.
#pragma once
#include <cstddef>
#include <type_traits>

#define __host__
#define __device__
#define __global__
#define __shared__ static
#define __is_arithmetic(T) std::is_arithmetic<T>::value
#define __builtin_nontemporal_load(p) (*(p))
#define __builtin_nontemporal_store(v, p) (*(p) = (v))
#define __builtin_amdgcn_s_sleep(n) (stub_sleeps += (n))
#define __builtin_amdgcn_is_shared(p) ((p) == stub_shared)
#define __builtin_amdgcn_is_private(p) ((p) == stub_private)
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#define __hip_atomic_load(p, order, scope) __atomic_load_n(p, order)
#define __hip_atomic_exchange(p, v, order, scope) __atomic_exchange_n(p, v, order)
#define __hip_atomic_compare_exchange_strong(p, e, v, success, failure, scope) \
    __atomic_compare_exchange_n(p, e, v, false, success, failure)
#define __hip_atomic_fetch_and(p, v, order, scope) __atomic_fetch_and(p, v, order)
#define __hip_atomic_fetch_or(p, v, order, scope) __atomic_fetch_or(p, v, order)
#define __hip_atomic_fetch_xor(p, v, order, scope) __atomic_fetch_xor(p, v, order)
#define __hip_atomic_fetch_add(p, v, order, scope) stub_apply(p, [&](auto old) { return old + (v); })
#define __hip_atomic_fetch_min(p, v, order, scope) stub_apply(p, [&](auto old) { return (v) < old ? (v) : old; })
#define __hip_atomic_fetch_max(p, v, order, scope) stub_apply(p, [&](auto old) { return old < (v) ? (v) : old; })

struct stub_dim { unsigned x, y, z; };
inline stub_dim threadIdx{0, 0, 0}, blockDim{1, 1, 1};
inline int stub_sleeps = 0;
inline const void *stub_shared = nullptr, *stub_private = nullptr;

template <class T, class F>
T stub_apply(T* p, F f) {
    const T old = *p;
    *p = f(old);
    return old;
}

struct char4 { signed char x, y, z, w; };
struct uchar4 { unsigned char x, y, z, w; };
