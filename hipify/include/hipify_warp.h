// hipify_warp.h - CUDA's warp built-ins for warps of 32 lanes, on every GPU that HIP compiles for.
//
// CUDA code counts on warps of 32 lanes and on lane masks of 32 bits. AMD wavefronts have 64 lanes (gfx9, Instinct) or
// 32 (gfx10 to gfx12, Radeon). Here a warp is always 32 lanes: a 64-lane wavefront holds two, and each keeps to itself.
// Functions are named as in CUDA, without the underscores: __shfl_down_sync(m, v, d) is hipify::shfl_down_sync(m, v, d).
//
// Lanes of a wavefront run in step, so the masks of shuffles need no waiting on AMD; votes, matches and reductions look
// at the lanes of the mask alone. All lanes of a mask must reach the same call, as lockstep cannot join them at two.
// On HIP's NVIDIA platform everything forwards to CUDA's own built-ins.
//
// Written by hipify-py; part of your program from here on: change it as you like.

#ifndef HIPIFY_WARP_H
#define HIPIFY_WARP_H

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

namespace hipify {

constexpr int warp_size = 32;
constexpr unsigned int full_warp = 0xffffffffu;

}  // namespace hipify

#if defined(__HIP__) || defined(__HIPCC_RTC__) || defined(__CUDACC__)

#if defined(__has_attribute)
#if __has_attribute(maybe_undef)
#define HIPIFY_MAYBE_UNDEF __attribute__((maybe_undef))
#endif
#endif
#ifndef HIPIFY_MAYBE_UNDEF
#define HIPIFY_MAYBE_UNDEF
#endif

namespace hipify {

#if defined(__CUDACC__) && !defined(__HIP__)  // HIP's NVIDIA platform

__device__ inline unsigned int lane_id() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ inline unsigned int activemask() { return __activemask(); }
__device__ inline void syncwarp(unsigned int mask = full_warp) { __syncwarp(mask); }

__device__ inline unsigned int ballot_sync(unsigned int mask, int predicate) { return __ballot_sync(mask, predicate); }
__device__ inline int any_sync(unsigned int mask, int predicate) { return __any_sync(mask, predicate); }
__device__ inline int all_sync(unsigned int mask, int predicate) { return __all_sync(mask, predicate); }
__device__ inline int uni_sync(unsigned int mask, int predicate) { return __uni_sync(mask, predicate); }

template <typename T>
__device__ inline T shfl_sync(unsigned int mask, T value, int lane, int width = warp_size) {
  return __shfl_sync(mask, value, lane, width);
}
template <typename T>
__device__ inline T shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = warp_size) {
  return __shfl_up_sync(mask, value, delta, width);
}
template <typename T>
__device__ inline T shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = warp_size) {
  return __shfl_down_sync(mask, value, delta, width);
}
template <typename T>
__device__ inline T shfl_xor_sync(unsigned int mask, T value, int lane_mask, int width = warp_size) {
  return __shfl_xor_sync(mask, value, lane_mask, width);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <typename T>
__device__ inline unsigned int match_any_sync(unsigned int mask, T value) {
  return __match_any_sync(mask, value);
}
template <typename T>
__device__ inline unsigned int match_all_sync(unsigned int mask, T value, int* all) {
  return __match_all_sync(mask, value, all);
}
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__device__ inline unsigned int reduce_add_sync(unsigned int mask, unsigned int value) {
  return __reduce_add_sync(mask, value);
}
__device__ inline int reduce_add_sync(unsigned int mask, int value) { return __reduce_add_sync(mask, value); }
__device__ inline unsigned int reduce_min_sync(unsigned int mask, unsigned int value) {
  return __reduce_min_sync(mask, value);
}
__device__ inline int reduce_min_sync(unsigned int mask, int value) { return __reduce_min_sync(mask, value); }
__device__ inline unsigned int reduce_max_sync(unsigned int mask, unsigned int value) {
  return __reduce_max_sync(mask, value);
}
__device__ inline int reduce_max_sync(unsigned int mask, int value) { return __reduce_max_sync(mask, value); }
__device__ inline unsigned int reduce_and_sync(unsigned int mask, unsigned int value) {
  return __reduce_and_sync(mask, value);
}
__device__ inline unsigned int reduce_or_sync(unsigned int mask, unsigned int value) {
  return __reduce_or_sync(mask, value);
}
__device__ inline unsigned int reduce_xor_sync(unsigned int mask, unsigned int value) {
  return __reduce_xor_sync(mask, value);
}
#endif

#else  // AMD

// The lane in its warp of 32.
__device__ inline unsigned int lane_id() { return __lane_id() & 31u; }

// Which lanes of this warp say yes; of the whole wavefront's bits, the half that is this warp's.
__device__ inline unsigned int ballot(int predicate) {
  return static_cast<unsigned int>(__ballot(predicate) >> (__lane_id() & 32u));
}

__device__ inline unsigned int activemask() { return ballot(1); }

__device__ inline void syncwarp(unsigned int = full_warp) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

__device__ inline unsigned int ballot_sync(unsigned int mask, int predicate) { return ballot(predicate) & mask; }

__device__ inline int any_sync(unsigned int mask, int predicate) { return (ballot(predicate) & mask) != 0u; }

__device__ inline int all_sync(unsigned int mask, int predicate) { return (ballot(!predicate) & mask) == 0u; }

__device__ inline int uni_sync(unsigned int mask, int predicate) {
  unsigned int yes = ballot(predicate) & mask;
  return yes == 0u || yes == (activemask() & mask);
}

// Any value that is copied bit by bit is shuffled in words of 32 bits.
template <typename T>
struct shuffle_words {
  static constexpr int count = (sizeof(T) + 3) / 4;
  int word[count] = {};

  __device__ inline explicit shuffle_words(const T& value) { __builtin_memcpy(word, &value, sizeof(T)); }
  __device__ inline T value() const {
    T result;
    __builtin_memcpy(&result, word, sizeof(T));
    return result;
  }
};

template <typename T>
__device__ inline T shfl(HIPIFY_MAYBE_UNDEF T value, int lane, int width = warp_size) {
  shuffle_words<T> words(value);
  for (int i = 0; i < words.count; ++i) words.word[i] = __shfl(words.word[i], lane, width);
  return words.value();
}

template <typename T>
__device__ inline T shfl_up(HIPIFY_MAYBE_UNDEF T value, unsigned int delta, int width = warp_size) {
  shuffle_words<T> words(value);
  for (int i = 0; i < words.count; ++i) words.word[i] = __shfl_up(words.word[i], delta & 31u, width);
  return words.value();
}

template <typename T>
__device__ inline T shfl_down(HIPIFY_MAYBE_UNDEF T value, unsigned int delta, int width = warp_size) {
  shuffle_words<T> words(value);
  for (int i = 0; i < words.count; ++i) words.word[i] = __shfl_down(words.word[i], delta & 31u, width);
  return words.value();
}

template <typename T>
__device__ inline T shfl_xor(HIPIFY_MAYBE_UNDEF T value, int lane_mask, int width = warp_size) {
  shuffle_words<T> words(value);
  for (int i = 0; i < words.count; ++i) words.word[i] = __shfl_xor(words.word[i], lane_mask & 31, width);
  return words.value();
}

template <typename T>
__device__ inline T shfl_sync(unsigned int, HIPIFY_MAYBE_UNDEF T value, int lane, int width = warp_size) {
  return shfl(value, lane, width);
}

template <typename T>
__device__ inline T shfl_up_sync(unsigned int, HIPIFY_MAYBE_UNDEF T value, unsigned int delta, int width = warp_size) {
  return shfl_up(value, delta, width);
}

template <typename T>
__device__ inline T shfl_down_sync(unsigned int, HIPIFY_MAYBE_UNDEF T value, unsigned int delta,
                                   int width = warp_size) {
  return shfl_down(value, delta, width);
}

template <typename T>
__device__ inline T shfl_xor_sync(unsigned int, HIPIFY_MAYBE_UNDEF T value, int lane_mask, int width = warp_size) {
  return shfl_xor(value, lane_mask, width);
}

// The lanes of the mask that hold the same bits: one vote a bit.
template <typename T>
__device__ inline unsigned int match_any_sync(unsigned int mask, T value) {
  static_assert(sizeof(T) <= 8, "a value of at most 64 bits");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  unsigned int peers = activemask() & mask;
  for (unsigned int i = 0; i < 8 * sizeof(T); ++i) {
    int bit = static_cast<int>((bits >> i) & 1u);
    unsigned int yes = ballot(bit);
    peers &= bit ? yes : ~yes;
  }
  return peers;
}

template <typename T>
__device__ inline unsigned int match_all_sync(unsigned int mask, T value, int* all) {
  unsigned int members = activemask() & mask;
  *all = match_any_sync(mask, value) == members;
  return *all ? members : 0u;
}

// A reduction over the lanes of the mask; each of them gets the result.
template <typename T, typename Operation>
__device__ inline T reduce_sync(unsigned int mask, T value, Operation operation) {
  unsigned int others = activemask() & mask;
  if (others == full_warp) {
    for (int distance = 16; distance > 0; distance /= 2) value = operation(value, shfl_xor(value, distance));
    return value;
  }
  T result = value;
  others &= ~(1u << lane_id());
  while (others != 0u) {
    result = operation(result, shfl(value, __ffs(others) - 1));
    others &= others - 1u;
  }
  return result;
}

struct reduce_add {
  __device__ unsigned int operator()(unsigned int a, unsigned int b) const { return a + b; }
};
struct reduce_min {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct reduce_max {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct reduce_and {
  __device__ unsigned int operator()(unsigned int a, unsigned int b) const { return a & b; }
};
struct reduce_or {
  __device__ unsigned int operator()(unsigned int a, unsigned int b) const { return a | b; }
};
struct reduce_xor {
  __device__ unsigned int operator()(unsigned int a, unsigned int b) const { return a ^ b; }
};

__device__ inline unsigned int reduce_add_sync(unsigned int mask, unsigned int value) {
  return reduce_sync(mask, value, reduce_add());
}
__device__ inline int reduce_add_sync(unsigned int mask, int value) {
  return static_cast<int>(reduce_sync(mask, static_cast<unsigned int>(value), reduce_add()));
}
__device__ inline unsigned int reduce_min_sync(unsigned int mask, unsigned int value) {
  return reduce_sync(mask, value, reduce_min());
}
__device__ inline int reduce_min_sync(unsigned int mask, int value) { return reduce_sync(mask, value, reduce_min()); }
__device__ inline unsigned int reduce_max_sync(unsigned int mask, unsigned int value) {
  return reduce_sync(mask, value, reduce_max());
}
__device__ inline int reduce_max_sync(unsigned int mask, int value) { return reduce_sync(mask, value, reduce_max()); }
__device__ inline unsigned int reduce_and_sync(unsigned int mask, unsigned int value) {
  return reduce_sync(mask, value, reduce_and());
}
__device__ inline unsigned int reduce_or_sync(unsigned int mask, unsigned int value) {
  return reduce_sync(mask, value, reduce_or());
}
__device__ inline unsigned int reduce_xor_sync(unsigned int mask, unsigned int value) {
  return reduce_sync(mask, value, reduce_xor());
}

#endif

#if defined(__CUDACC__) && !defined(__HIP__)
// The forms of CUDA before 9, without a mask: all lanes that are there.
__device__ inline unsigned int ballot(int predicate) { return ballot_sync(activemask(), predicate); }
template <typename T>
__device__ inline T shfl(T value, int lane, int width = warp_size) {
  return shfl_sync(activemask(), value, lane, width);
}
template <typename T>
__device__ inline T shfl_up(T value, unsigned int delta, int width = warp_size) {
  return shfl_up_sync(activemask(), value, delta, width);
}
template <typename T>
__device__ inline T shfl_down(T value, unsigned int delta, int width = warp_size) {
  return shfl_down_sync(activemask(), value, delta, width);
}
template <typename T>
__device__ inline T shfl_xor(T value, int lane_mask, int width = warp_size) {
  return shfl_xor_sync(activemask(), value, lane_mask, width);
}
#endif

__device__ inline int any(int predicate) { return any_sync(activemask(), predicate); }
__device__ inline int all(int predicate) { return all_sync(activemask(), predicate); }

// Masks of the lanes before, up to, at, from and behind this one: PTX's %lanemask registers.
__device__ inline unsigned int lanemask_lt() { return (1u << lane_id()) - 1u; }
__device__ inline unsigned int lanemask_le() { return (2u << lane_id()) - 1u; }
__device__ inline unsigned int lanemask_eq() { return 1u << lane_id(); }
__device__ inline unsigned int lanemask_ge() { return full_warp << lane_id(); }
__device__ inline unsigned int lanemask_gt() { return (full_warp << lane_id()) << 1; }

// The position of the offset-th set bit of a mask, counted from base upwards (down for a negative offset); ~0u for none.
__device__ inline unsigned int fns(unsigned int mask, unsigned int base, int offset) {
  int position = static_cast<int>(base & 31u);
  if (offset == 0) return (mask >> position) & 1u ? static_cast<unsigned int>(position) : ~0u;
  int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  while (position >= 0 && position < warp_size) {
    if ((mask >> position) & 1u) {
      left -= 1;
      if (left == 0) return static_cast<unsigned int>(position);
    }
    position += step;
  }
  return ~0u;
}

}  // namespace hipify

#undef HIPIFY_MAYBE_UNDEF

#endif
#endif  // HIPIFY_WARP_H
