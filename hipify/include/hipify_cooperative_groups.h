// The collectives of CUDA's cooperative groups that HIP does not declare: reduce, scans, group-wide copies.
//
// On HIP's NVIDIA platform CUDA's own headers are included instead.

#ifndef HIPIFY_COOPERATIVE_GROUPS_H
#define HIPIFY_COOPERATIVE_GROUPS_H

#include <hip/hip_runtime.h>

#ifdef __HIP_PLATFORM_NVIDIA__

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#else

#include <hip/hip_cooperative_groups.h>

namespace cooperative_groups {

template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };

// The same result for every thread of the group; the operation is taken to be associative and commutative.
template <unsigned Size, class Parent, class T, class Op>
__device__ inline T reduce(const thread_block_tile<Size, Parent>& group, T value, Op&& op) {
    for (unsigned distance = Size / 2; distance > 0; distance /= 2) {
        value = op(value, group.shfl_xor(value, distance));
    }
    return value;
}

template <class Group, class T, class Op>
__device__ inline T reduce(const Group& group, T value, Op&& op) {
    T total = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); ++rank) total = op(total, group.shfl(value, rank));
    return total;
}

template <class Group, class T, class Op>
__device__ inline T inclusive_scan(const Group& group, T value, Op&& op) {
    const unsigned rank = group.thread_rank();
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        const T before = group.shfl_up(value, distance);
        if (rank >= distance) value = op(before, value);
    }
    return value;
}

template <class Group, class T>
__device__ inline T inclusive_scan(const Group& group, T value) {
    return inclusive_scan(group, value, plus<T>());
}

// The first thread gets a value of zero.
template <class Group, class T, class Op>
__device__ inline T exclusive_scan(const Group& group, T value, Op&& op) {
    const T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() == 0 ? T() : before;
}

template <class Group, class T>
__device__ inline T exclusive_scan(const Group& group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

// A copy that is done at once keeps every promise of one that is waited for.
template <class Group, class T, class Size>
__device__ inline void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
    const size_t count = static_cast<size_t>(bytes) / sizeof(T);
    for (size_t i = group.thread_rank(); i < count; i += group.size()) to[i] = from[i];
}

template <class Group, class Size>
__device__ inline void memcpy_async(const Group& group, void* to, const void* from, const Size& bytes) {
    memcpy_async(group, static_cast<char*>(to), static_cast<const char*>(from), bytes);
}

template <class Group>
__device__ inline void wait(const Group& group) {
    group.sync();
}

template <unsigned Prior, class Group>
__device__ inline void wait_prior(const Group& group) {
    group.sync();
}

}  // namespace cooperative_groups

#endif  // __HIP_PLATFORM_NVIDIA__
#endif  // HIPIFY_COOPERATIVE_GROUPS_H
