// A stand-in for HIP: a wave of eight lanes, each a thread of the host.
#pragma once

#include <cstddef>

#define __device__
#define HIP_VERSION_MAJOR 7

constexpr unsigned lanes = 8;
extern thread_local unsigned lane;

// The value that each lane holds, seen by all: every lane must come here.
long long exchange(long long mine, unsigned other);

inline unsigned __lane_id() { return lane; }

inline unsigned long long __ballot(int predicate) {
    unsigned long long all = 0;
    for (unsigned other = 0; other < lanes; ++other) {
        all |= static_cast<unsigned long long>(exchange(predicate != 0, other)) << other;
    }
    return all;
}
