// A stand-in for HIP's groups: what the helper header asks of them.
#pragma once

#include <hip/hip_runtime.h>

namespace cooperative_groups {

struct thread_block {};
inline thread_block this_thread_block() { return {}; }

template <unsigned Size, class Parent = void>
struct thread_block_tile {
    unsigned size() const { return Size; }
    unsigned thread_rank() const { return lane % Size; }
    void sync() const {}
    template <class T>
    T shfl(T value, unsigned rank) const {
        return static_cast<T>(exchange(value, lane / Size * Size + rank));
    }
    template <class T>
    T shfl_xor(T value, unsigned mask) const {
        return static_cast<T>(exchange(value, lane ^ mask));
    }
    template <class T>
    T shfl_up(T value, unsigned delta) const {
        return static_cast<T>(exchange(value, lane % Size < delta ? lane : lane - delta));
    }
};

// A group that no template knows the size of: all lanes.
struct coalesced_group {
    unsigned size() const { return lanes; }
    unsigned thread_rank() const { return lane; }
    template <class T>
    T shfl(T value, unsigned rank) const {
        return static_cast<T>(exchange(value, rank));
    }
};

template <unsigned Size>
inline thread_block_tile<Size> tiled_partition(const thread_block&) { return {}; }

}  // namespace cooperative_groups
