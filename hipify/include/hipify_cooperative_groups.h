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

namespace cooperative_groups {

template <unsigned Size, class Group> __device__ inline auto hipify_tiled_partition(const Group& group) {
    return tiled_partition<Size>(group);
}
template <class Group> __device__ inline unsigned hipify_ballot(const Group& group, int predicate) {
    return group.ballot(predicate);
}
template <class Group> __device__ inline int hipify_any(const Group& group, int predicate) {
    return group.any(predicate);
}
template <class Group> __device__ inline int hipify_all(const Group& group, int predicate) {
    return group.all(predicate);
}
template <class Group, class T> __device__ inline unsigned hipify_match_any(const Group& group, T value) {
    return group.match_any(value);
}
template <class Group, class T> __device__ inline unsigned hipify_match_all(const Group& group, T value, int& same) {
    return group.match_all(value, same);
}
template <class Group, class T> __device__ inline T hipify_shfl(const Group& group, const T& value, int rank) {
    return group.shfl(value, rank);
}
template <class Group, class T> __device__ inline T hipify_shfl_up(const Group& group, const T& value, int delta) {
    return group.shfl_up(value, delta);
}
template <class Group, class T> __device__ inline T hipify_shfl_down(const Group& group, const T& value, int delta) {
    return group.shfl_down(value, delta);
}
template <class Group, class T> __device__ inline T hipify_shfl_xor(const Group& group, const T& value, int mask) {
    return group.shfl_xor(value, mask);
}

}  // namespace cooperative_groups

#else

#include <hip/hip_cooperative_groups.h>

namespace cooperative_groups {

#if HIP_VERSION_MAJOR == 6
// Tiles of tiles, which ROCm 6 declares without a definition.
namespace impl {

template <unsigned Size, unsigned ParentSize, class Parent>
class thread_block_tile_internal<Size, thread_block_tile<ParentSize, Parent>>
    : public thread_block_tile_type<Size, thread_block_tile<ParentSize, Parent>> {
  protected:
    __device__ thread_block_tile_internal(const thread_block_tile<ParentSize, Parent>&) {}
};

template <unsigned Size, unsigned ParentSize, class Parent>
struct tiled_partition_internal<Size, thread_block_tile<ParentSize, Parent>>
    : public thread_block_tile<Size, thread_block_tile<ParentSize, Parent>> {
    static_assert(Size <= ParentSize, "a tile of a tile is no larger");
    __device__ tiled_partition_internal(const thread_block_tile<ParentSize, Parent>& group)
        : thread_block_tile<Size, thread_block_tile<ParentSize, Parent>>(group) {}
};

}  // namespace impl
#endif

#if HIP_VERSION_MAJOR < 6
// ROCm 5's tiles that know the type of their parent cannot be asked for size, rank or sync; those that do not can.
template <unsigned Size>
struct hipify_tile_of_tile : thread_block_tile<Size> {
    __device__ hipify_tile_of_tile(unsigned rank, unsigned size)
        : thread_block_tile<Size>(tiled_partition<Size>(this_thread_block())) {
        this->coalesced_info.tiled_info.meta_group_rank = rank;
        this->coalesced_info.tiled_info.meta_group_size = size;
    }
};

template <unsigned Size>
__device__ inline thread_block_tile<Size> hipify_tiled_partition(const thread_block& group) {
    return tiled_partition<Size>(group);
}

template <unsigned Size, unsigned ParentSize>
__device__ inline thread_block_tile<Size> hipify_tiled_partition(const thread_block_tile<ParentSize>& group) {
    static_assert(Size <= ParentSize, "a tile of a tile is no larger");
    return hipify_tile_of_tile<Size>(group.thread_rank() / Size, ParentSize / Size);
}
#else
template <unsigned Size, class Group>
__device__ inline auto hipify_tiled_partition(const Group& group) {
    return tiled_partition<Size>(group);
}
#endif

// Values of any type that may be copied byte by byte go from thread to thread; HIP's members take numbers alone.
template <class T> struct hipify_is_number { static constexpr bool value = false; };
template <> struct hipify_is_number<int> { static constexpr bool value = true; };
template <> struct hipify_is_number<unsigned int> { static constexpr bool value = true; };
template <> struct hipify_is_number<long> { static constexpr bool value = true; };
template <> struct hipify_is_number<unsigned long> { static constexpr bool value = true; };
template <> struct hipify_is_number<long long> { static constexpr bool value = true; };
template <> struct hipify_is_number<unsigned long long> { static constexpr bool value = true; };
template <> struct hipify_is_number<float> { static constexpr bool value = true; };
template <> struct hipify_is_number<double> { static constexpr bool value = true; };

template <class T, class Move>
__device__ inline T hipify_moved(const T& value, const Move& move) {
    if constexpr (hipify_is_number<T>::value) {
        return move(value);
    } else {
        static_assert(__is_trivially_copyable(T), "only what may be copied byte by byte is exchanged");
        int words[(sizeof(T) + 3) / 4] = {};
        __builtin_memcpy(words, &value, sizeof(T));
        for (int& word : words) word = move(word);
        T moved = value;
        __builtin_memcpy(&moved, words, sizeof(T));
        return moved;
    }
}

template <class Group, class T> __device__ inline T hipify_shfl(const Group& group, const T& value, int rank) {
    return hipify_moved(value, [&](auto part) { return group.shfl(part, rank); });
}
template <class Group, class T>
__device__ inline T hipify_shfl_up(const Group& group, const T& value, unsigned delta) {
    return hipify_moved(value, [&](auto part) { return group.shfl_up(part, delta); });
}
template <class Group, class T>
__device__ inline T hipify_shfl_down(const Group& group, const T& value, unsigned delta) {
    return hipify_moved(value, [&](auto part) { return group.shfl_down(part, delta); });
}
template <class Group, class T>
__device__ inline T hipify_shfl_xor(const Group& group, const T& value, unsigned mask) {
    return hipify_moved(value, [&](auto part) { return group.shfl_xor(part, mask); });
}

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
        value = op(value, hipify_shfl_xor(group, value, distance));
    }
    return value;
}

template <class Group, class T, class Op>
__device__ inline T reduce(const Group& group, T value, Op&& op) {
    T total = hipify_shfl(group, value, 0);
    for (unsigned rank = 1; rank < group.size(); ++rank) total = op(total, hipify_shfl(group, value, rank));
    return total;
}

template <class Group, class T, class Op>
__device__ inline T inclusive_scan(const Group& group, T value, Op&& op) {
    const unsigned rank = group.thread_rank();
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        const T before = hipify_shfl_up(group, value, distance);
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
    const T before = hipify_shfl_up(group, inclusive_scan(group, value, op), 1);
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

// Votes, for releases of ROCm whose groups have no such members. A bit is a rank in the group, as in CUDA.
template <class Group>
__device__ inline unsigned long long hipify_ballot(const Group& group, int predicate) {
    unsigned long long ranks = 0;
    for (unsigned rank = 0; rank < group.size(); ++rank) {
        ranks |= static_cast<unsigned long long>(group.shfl(predicate != 0 ? 1 : 0, rank)) << rank;
    }
    return ranks;
}

template <unsigned Size, class Parent>
__device__ inline unsigned long long hipify_ballot(const thread_block_tile<Size, Parent>&, int predicate) {
    const unsigned first = __lane_id() & ~(Size - 1);
    return (__ballot(predicate) >> first) & (~0ull >> (64 - Size));
}

template <class Group>
__device__ inline int hipify_any(const Group& group, int predicate) {
    return hipify_ballot(group, predicate) != 0;
}

template <class Group>
__device__ inline int hipify_all(const Group& group, int predicate) {
    return hipify_ballot(group, !predicate) == 0;
}

template <class Group, class T>
__device__ inline unsigned long long hipify_match_any(const Group& group, T value) {
    unsigned long long ranks = 0;
    for (unsigned rank = 0; rank < group.size(); ++rank) {
        ranks |= static_cast<unsigned long long>(group.shfl(value, rank) == value) << rank;
    }
    return ranks;
}

// The whole group, or nothing where values differ.
template <class Group, class T>
__device__ inline unsigned long long hipify_match_all(const Group& group, T value, int& same) {
    same = hipify_all(group, group.shfl(value, 0) == value);
    return same ? ~0ull >> (64 - group.size()) : 0;
}

}  // namespace cooperative_groups

#endif  // __HIP_PLATFORM_NVIDIA__
#endif  // HIPIFY_COOPERATIVE_GROUPS_H
