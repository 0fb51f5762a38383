// What the lanes of a warp of 32 do together in PTX, for `asm` statements that hipify-py wrote as C++.

#ifndef HIPIFY_PTX_WARP_H
#define HIPIFY_PTX_WARP_H

#include "hipify_warp.h"

namespace hipify_ptx_warp {

// The warp in its block: threads in the order of their numbers, 32 at a time.
__device__ inline unsigned int warp_id() {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32u;
}

// A lane's value from another: `from` is the lane asked for, `inside` whether it is in the segment that `bounds` says
// (the last lane, and above it the bits of lanes' numbers that segments share); else a lane keeps its own.
template <class T>
__device__ inline T shuffled(T value, unsigned int from, bool inside) {
    return hipify::shfl(value, (int)((inside ? from : hipify::lane_id()) & 31u));
}
__device__ inline unsigned int last_lane(unsigned int bounds) {
    const unsigned int shared_bits = (bounds >> 8) & 31u;
    return (hipify::lane_id() & shared_bits) | (bounds & 31u & ~shared_bits);
}
template <class T>
__device__ inline T shfl_up(T value, unsigned int by, unsigned int bounds, bool& inside) {
    const int from = (int)hipify::lane_id() - (int)(by & 31u);
    inside = from >= (int)last_lane(bounds);
    return shuffled(value, (unsigned int)from, inside);
}
template <class T>
__device__ inline T shfl_down(T value, unsigned int by, unsigned int bounds, bool& inside) {
    const unsigned int from = hipify::lane_id() + (by & 31u);
    inside = from <= last_lane(bounds);
    return shuffled(value, from, inside);
}
template <class T>
__device__ inline T shfl_bfly(T value, unsigned int by, unsigned int bounds, bool& inside) {
    const unsigned int from = hipify::lane_id() ^ (by & 31u);
    inside = from <= last_lane(bounds);
    return shuffled(value, from, inside);
}
template <class T>
__device__ inline T shfl_idx(T value, unsigned int lane, unsigned int bounds, bool& inside) {
    const unsigned int shared_bits = (bounds >> 8) & 31u;
    const unsigned int from = (hipify::lane_id() & shared_bits) | (lane & 31u & ~shared_bits);
    inside = from <= last_lane(bounds);
    return shuffled(value, from, inside);
}
template <class T>
__device__ inline T shfl_up(T value, unsigned int by, unsigned int bounds) {
    bool inside;
    return shfl_up(value, by, bounds, inside);
}
template <class T>
__device__ inline T shfl_down(T value, unsigned int by, unsigned int bounds) {
    bool inside;
    return shfl_down(value, by, bounds, inside);
}
template <class T>
__device__ inline T shfl_bfly(T value, unsigned int by, unsigned int bounds) {
    bool inside;
    return shfl_bfly(value, by, bounds, inside);
}
template <class T>
__device__ inline T shfl_idx(T value, unsigned int lane, unsigned int bounds) {
    bool inside;
    return shfl_idx(value, lane, bounds, inside);
}

// One lane of the mask, for all of them the same.
__device__ inline unsigned int elect(unsigned int mask, bool& chosen) {
    const unsigned int leader = (unsigned int)__ffs((int)mask) - 1u;
    chosen = hipify::lane_id() == leader;
    return leader;
}

template <class T>
__device__ inline unsigned int match_all(T value, unsigned int mask, bool& all) {
    int same = 0;
    const unsigned int lanes = hipify::match_all_sync(mask, value, &same);
    all = same != 0;
    return lanes;
}

}  // namespace hipify_ptx_warp

#endif  // HIPIFY_PTX_WARP_H
