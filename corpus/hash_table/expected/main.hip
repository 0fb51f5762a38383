// A hash table with open addressing: insertions by 64-bit compare and swap, counters by atomics, look-ups after it.
#include <hip/hip_runtime.h>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <unordered_map>
#include <vector>

namespace table {

using Slot = unsigned long long;
__constant__ const Slot kEmpty = ~0ull;

struct Stats {
    unsigned int inserted, probes;
    int deepest;
};

__device__ Stats stats;

__host__ __device__ inline uint32_t mix(uint32_t k)
{
    k ^= k >> 16;
    k *= 0x85ebca6bu;
    k ^= k >> 13;
    k *= 0xc2b2ae35u;
    return k ^ k >> 16;
}

__global__ void insert(Slot *slots, uint32_t mask, const uint32_t *keys, const uint32_t *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Slot entry = static_cast<Slot>(keys[i]) << 32 | values[i];
    uint32_t at = mix(keys[i]) & mask;
    for (int depth = 1;; ++depth, at = (at + 1) & mask) {
        atomicInc(&stats.probes, 0xffffffffu);
        Slot seen = atomicCAS(&slots[at], kEmpty, entry);
        if (seen == kEmpty) {
            atomicAdd(&stats.inserted, 1u);
            atomicMax(&stats.deepest, depth);
            return;
        }
        if (seen >> 32 == keys[i]) {  // the same key: the largest value stays
            atomicMax(&slots[at], entry);
            return;
        }
    }
}

__global__ void find(const Slot *__restrict__ slots, uint32_t mask, const uint32_t *keys, uint32_t *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    found[i] = 0xffffffffu;
    for (uint32_t at = mix(keys[i]) & mask;; at = (at + 1) & mask) {
        Slot s = __ldg(&slots[at]);
        if (s == kEmpty) return;
        if (s >> 32 == keys[i]) {
            found[i] = static_cast<uint32_t>(s);
            return;
        }
    }
}

}  // namespace table

#define CK(x)                                                              \
    if (hipError_t err = (x)) {                                           \
        std::printf("%s failed: %s\n", #x, hipGetErrorString(err));       \
        return 1;                                                          \
    } else                                                                 \
        (void)0

int main()
{
    const int n = 50000;
    const uint32_t capacity = 1u << 17;
    std::vector<uint32_t> keys(n), values(n), found(n);
    std::unordered_map<uint32_t, uint32_t> want;
    for (int i = 0; i < n; ++i) {
        keys[i] = table::mix(i) % 40000;
        values[i] = i;
        want[keys[i]] = i;
    }
    table::Slot *slots;
    uint32_t *d_keys, *d_values, *d_found;
    const size_t bytes = n * sizeof(uint32_t);
    CK(hipMalloc(&slots, capacity * sizeof(table::Slot)));
    CK(hipMalloc(&d_keys, bytes));
    CK(hipMalloc(&d_values, bytes));
    CK(hipMalloc(&d_found, bytes));
    CK(hipMemset(slots, 0xff, capacity * sizeof(table::Slot)));
    CK(hipMemcpy(d_keys, keys.data(), bytes, hipMemcpyHostToDevice));
    CK(hipMemcpy(d_values, values.data(), bytes, hipMemcpyHostToDevice));
    table::Stats stats{};
    CK(hipMemcpyToSymbol(HIP_SYMBOL(table::stats), &stats, sizeof stats));

    hipLaunchKernelGGL(table::insert, dim3((n + 127) / 128), dim3(128), 0, 0, slots, capacity - 1, d_keys, d_values, n);
    hipLaunchKernelGGL(table::find, dim3((n + 127) / 128), dim3(128), 0, 0, slots, capacity - 1, d_keys, d_found, n);
    CK(hipGetLastError());
    CK(hipMemcpy(found.data(), d_found, bytes, hipMemcpyDeviceToHost));
    CK(hipMemcpyFromSymbol(&stats, HIP_SYMBOL(table::stats), sizeof stats));

    int wrong = stats.inserted != want.size() || stats.probes < unsigned(n) || stats.deepest < 1;
    for (int i = 0; i < n; ++i) wrong += found[i] != want[keys[i]];
    std::printf("%u keys, %u probes, deepest %d, wrong %d\n", stats.inserted, stats.probes, stats.deepest, wrong);
    for (void *p : {(void *)slots, (void *)d_keys, (void *)d_values, (void *)d_found}) hipFree(p);
    std::puts(wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
