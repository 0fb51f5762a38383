// Thrust: sort by key, transform with a functor, reduce, and a stream given by an execution policy.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cuda_runtime.h>
#include <cstdio>

struct Square {
    __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};

int main()
{
    const int n = 10000;
    thrust::host_vector<int> keys(n), values(n);
    long long expected = 0;
    for (int i = 0; i < n; ++i) {
        keys[i] = (i * 7919) % n;  // 7919 and n share no factor: every key once
        values[i] = i;
        expected += (long long)i * i;
    }
    thrust::device_vector<int> d_keys = keys, d_values = values;
    thrust::device_vector<long long> squares(n);

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    thrust::sort_by_key(thrust::cuda::par.on(stream), d_keys.begin(), d_keys.end(), d_values.begin());
    cudaStreamSynchronize(stream);
    thrust::transform(d_values.begin(), d_values.end(), squares.begin(), Square());
    long long sum = thrust::reduce(squares.begin(), squares.end(), 0LL, thrust::plus<long long>());

    thrust::host_vector<int> sorted = d_keys, carried = d_values;
    int wrong = sum != expected;
    for (int i = 0; i < n; ++i) wrong += sorted[i] != i || keys[carried[i]] != i;
    cudaStreamDestroy(stream);
    std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
