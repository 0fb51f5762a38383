// Device functions of CUDA that HIP does not declare, each with the meaning that CUDA gives it.
//
// Made to be included by translated sources. On HIP's NVIDIA platform CUDA has them all, and nothing is declared here.
// Every function is a template with a default argument: if a later HIP declares the plain function, that one is called,
// and the two never clash.

#ifndef HIPIFY_DEVICE_H
#define HIPIFY_DEVICE_H

#include <hip/hip_runtime.h>

#ifndef __HIP_PLATFORM_NVIDIA__

// Qualifiers: a kernel parameter is constant anyway; register counts are the AMD compiler's choice.
#ifndef __grid_constant__
#define __grid_constant__
#endif
#ifndef __nv_pure__
#define __nv_pure__ __attribute__((pure))
#endif
#ifndef __maxnreg__
#define __maxnreg__(count)
#endif

#define HIPIFY_DEVICE template <int Own = 0> __device__ inline

namespace hipify_device {

template <class T> struct same { typedef T type; };

}  // namespace hipify_device

// --- Loads and stores with cache hints, which HIP's compiler has no words for: the plain access, or a streaming one ---

namespace hipify_device {

template <class T>
__device__ inline T stream_load(const T* p) {
    if constexpr (!__is_class(T) && !__is_union(T) && !__is_enum(T)) {
        return __builtin_nontemporal_load(p);
    } else {
        return *p;
    }
}

template <class T>
__device__ inline void stream_store(T* p, T value) {
    if constexpr (!__is_class(T) && !__is_union(T) && !__is_enum(T)) {
        __builtin_nontemporal_store(value, p);
    } else {
        *p = value;
    }
}

// Always from memory, as through a volatile pointer, a word at a time.
template <class T>
__device__ inline T fresh_load(const T* p) {
    T value;
    if constexpr (sizeof(T) % 4 == 0 && alignof(T) % 4 == 0) {
        const volatile unsigned* from = reinterpret_cast<const volatile unsigned*>(p);
        unsigned* to = reinterpret_cast<unsigned*>(&value);
        for (unsigned i = 0; i < sizeof(T) / 4; ++i) to[i] = from[i];
    } else {
        const volatile unsigned char* from = reinterpret_cast<const volatile unsigned char*>(p);
        unsigned char* to = reinterpret_cast<unsigned char*>(&value);
        for (unsigned i = 0; i < sizeof(T); ++i) to[i] = from[i];
    }
    return value;
}

}  // namespace hipify_device

template <class T> __device__ inline T __ldca(const T* p) { return *p; }
template <class T> __device__ inline T __ldcg(const T* p) { return *p; }
template <class T> __device__ inline T __ldcs(const T* p) { return hipify_device::stream_load(p); }
template <class T> __device__ inline T __ldlu(const T* p) { return *p; }
template <class T> __device__ inline T __ldcv(const T* p) { return hipify_device::fresh_load(p); }
template <class T> __device__ inline void __stwb(T* p, typename hipify_device::same<T>::type value) { *p = value; }
template <class T> __device__ inline void __stcg(T* p, typename hipify_device::same<T>::type value) { *p = value; }
template <class T> __device__ inline void __stwt(T* p, typename hipify_device::same<T>::type value) { *p = value; }
template <class T> __device__ inline void __stcs(T* p, typename hipify_device::same<T>::type value) {
    hipify_device::stream_store(p, value);
}

// --- Where a generic pointer points, and time ---------------------------------------------------------------------

namespace hipify_device {

__device__ inline bool in_shared(const void* p) {
    return __builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void*)p);
}
__device__ inline bool in_private(const void* p) {
    return __builtin_amdgcn_is_private((const __attribute__((address_space(0))) void*)p);
}

}  // namespace hipify_device

HIPIFY_DEVICE unsigned __isShared(const void* p) { return hipify_device::in_shared(p); }
HIPIFY_DEVICE unsigned __isLocal(const void* p) { return hipify_device::in_private(p); }
HIPIFY_DEVICE unsigned __isGlobal(const void* p) {
    return !hipify_device::in_shared(p) && !hipify_device::in_private(p);
}

// Addresses within shared memory are offsets of 32 bits; a generic pointer is global memory's own.
#ifdef __HIP_DEVICE_COMPILE__
namespace hipify_device {
typedef char __attribute__((address_space(3))) shared_byte;
}
#endif
HIPIFY_DEVICE size_t __cvta_generic_to_shared(const void* p) {
#ifdef __HIP_DEVICE_COMPILE__
    return (size_t)(unsigned)(hipify_device::shared_byte*)(char*)p;
#else
    return (size_t)p;
#endif
}
HIPIFY_DEVICE void* __cvta_shared_to_generic(size_t address) {
#ifdef __HIP_DEVICE_COMPILE__
    return (void*)(hipify_device::shared_byte*)(unsigned)address;
#else
    return (void*)address;
#endif
}
HIPIFY_DEVICE size_t __cvta_generic_to_global(const void* p) { return (size_t)p; }
HIPIFY_DEVICE void* __cvta_global_to_generic(size_t address) { return (void*)address; }

// Sleeps between nothing and twice the time, as CUDA's does; a step is 64 clocks.
HIPIFY_DEVICE void __nanosleep(unsigned nanoseconds) {
    for (unsigned done = 0; done + 63 < nanoseconds; done += 64) __builtin_amdgcn_s_sleep(1);
}

// A kernel starts when the one before it in the stream has ended: there is nothing to wait for or to trigger.
HIPIFY_DEVICE void cudaGridDependencySynchronize() {}
HIPIFY_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {}

// --- Atomics of the scope of a block, and those of the system that HIP lacks ------------------------------------

namespace hipify_device {

template <int Scope>
__device__ inline unsigned wrap_up(unsigned* p, unsigned limit) {
    unsigned old = __hip_atomic_load(p, __ATOMIC_RELAXED, Scope);
    while (!__hip_atomic_compare_exchange_strong(p, &old, old >= limit ? 0u : old + 1u, __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED, Scope)) {
    }
    return old;
}

template <int Scope>
__device__ inline unsigned wrap_down(unsigned* p, unsigned limit) {
    unsigned old = __hip_atomic_load(p, __ATOMIC_RELAXED, Scope);
    while (!__hip_atomic_compare_exchange_strong(p, &old, old == 0u || old > limit ? limit : old - 1u,
                                                 __ATOMIC_RELAXED, __ATOMIC_RELAXED, Scope)) {
    }
    return old;
}

}  // namespace hipify_device

template <class T> __device__ inline T atomicAdd_block(T* p, typename hipify_device::same<T>::type value) {
    return __hip_atomic_fetch_add(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <class T> __device__ inline T atomicExch_block(T* p, typename hipify_device::same<T>::type value) {
    return __hip_atomic_exchange(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <class T> __device__ inline T atomicMin_block(T* p, typename hipify_device::same<T>::type value) {
    return __hip_atomic_fetch_min(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <class T> __device__ inline T atomicMax_block(T* p, typename hipify_device::same<T>::type value) {
    return __hip_atomic_fetch_max(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <class T> __device__ inline T atomicAnd_block(T* p, typename hipify_device::same<T>::type value) {
    return __hip_atomic_fetch_and(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <class T> __device__ inline T atomicOr_block(T* p, typename hipify_device::same<T>::type value) {
    return __hip_atomic_fetch_or(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <class T> __device__ inline T atomicXor_block(T* p, typename hipify_device::same<T>::type value) {
    return __hip_atomic_fetch_xor(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <class T> __device__ inline T atomicSub_block(T* p, typename hipify_device::same<T>::type value) {
    return __hip_atomic_fetch_add(p, static_cast<T>(0 - value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <class T>
__device__ inline T atomicCAS_block(T* p, typename hipify_device::same<T>::type expected,
                                    typename hipify_device::same<T>::type value) {
    __hip_atomic_compare_exchange_strong(p, &expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    return expected;
}
HIPIFY_DEVICE unsigned atomicInc_block(unsigned* p, unsigned limit) {
    return hipify_device::wrap_up<__HIP_MEMORY_SCOPE_WORKGROUP>(p, limit);
}
HIPIFY_DEVICE unsigned atomicInc_system(unsigned* p, unsigned limit) {
    return hipify_device::wrap_up<__HIP_MEMORY_SCOPE_SYSTEM>(p, limit);
}
HIPIFY_DEVICE unsigned atomicDec_block(unsigned* p, unsigned limit) {
    return hipify_device::wrap_down<__HIP_MEMORY_SCOPE_WORKGROUP>(p, limit);
}
HIPIFY_DEVICE unsigned atomicDec_system(unsigned* p, unsigned limit) {
    return hipify_device::wrap_down<__HIP_MEMORY_SCOPE_SYSTEM>(p, limit);
}

// --- Copies to shared memory that need not be waited for: a copy that is done at once keeps every promise -----------

HIPIFY_DEVICE void __pipeline_memcpy_async(void* to, const void* from, size_t size, size_t zeros = 0) {
    __builtin_memcpy(to, from, size - zeros);
    for (size_t i = size - zeros; i < size; ++i) static_cast<char*>(to)[i] = 0;
}
HIPIFY_DEVICE void __pipeline_commit() {}
HIPIFY_DEVICE void __pipeline_wait_prior(size_t) {}

#undef HIPIFY_DEVICE

#endif  // __HIP_PLATFORM_NVIDIA__
#endif  // HIPIFY_DEVICE_H
