// A stream captured into a graph, launched many times, then updated with another argument.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDACHECK(cmd)                                                                       \
    do {                                                                                     \
        hipError_t error = (cmd);                                                           \
        if (error != hipSuccess) {                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(error));   \
            exit(EXIT_FAILURE);                                                              \
        }                                                                                    \
    } while (0)

__global__ void scale(float *data, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor;
}

__global__ void shift(float *data, float amount, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += amount;
}

static hipGraph_t capture(hipStream_t main, hipStream_t side, float *a, float *b, float factor, int n)
{
    hipEvent_t fork, join;
    CUDACHECK(hipEventCreateWithFlags(&fork, hipEventDisableTiming));
    CUDACHECK(hipEventCreateWithFlags(&join, hipEventDisableTiming));

    const int blocks = (n + 255) / 256;
    CUDACHECK(hipStreamBeginCapture(main, hipStreamCaptureModeGlobal));
    CUDACHECK(hipEventRecord(fork, main));
    CUDACHECK(hipStreamWaitEvent(side, fork, 0));
    hipLaunchKernelGGL(scale, dim3(blocks), dim3(256), 0, main, a, factor, n);
    hipLaunchKernelGGL(shift, dim3(blocks), dim3(256), 0, side, b, 1.0f, n);
    CUDACHECK(hipEventRecord(join, side));
    CUDACHECK(hipStreamWaitEvent(main, join, 0));
    hipLaunchKernelGGL(shift, dim3(blocks), dim3(256), 0, main, a, -0.5f, n);

    hipStreamCaptureStatus status;
    CUDACHECK(hipStreamIsCapturing(main, &status));
    if (status != hipStreamCaptureStatusActive) exit(EXIT_FAILURE);

    hipGraph_t graph;
    CUDACHECK(hipStreamEndCapture(main, &graph));
    CUDACHECK(hipEventDestroy(fork));
    CUDACHECK(hipEventDestroy(join));
    return graph;
}

int main()
{
    const int n = 10000;
    std::vector<float> h(n, 1.0f), a(n), b(n);
    float *dA, *dB;
    hipStream_t main, side;
    CUDACHECK(hipStreamCreate(&main));
    CUDACHECK(hipStreamCreate(&side));
    CUDACHECK(hipMalloc(&dA, n * sizeof(float)));
    CUDACHECK(hipMalloc(&dB, n * sizeof(float)));
    CUDACHECK(hipMemcpy(dA, h.data(), n * sizeof(float), hipMemcpyHostToDevice));
    CUDACHECK(hipMemcpy(dB, h.data(), n * sizeof(float), hipMemcpyHostToDevice));

    hipGraph_t graph = capture(main, side, dA, dB, 1.5f, n);
    size_t nodes = 0;
    CUDACHECK(hipGraphGetNodes(graph, NULL, &nodes));
    printf("captured %zu nodes\n", nodes);

    hipGraphExec_t exec;
#if CUDART_VERSION >= 12000
    CUDACHECK(hipGraphInstantiateWithFlags(&exec, graph, 0));
#else
    CUDACHECK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
    for (int i = 0; i < 4; ++i) CUDACHECK(hipGraphLaunch(exec, main));
    CUDACHECK(hipStreamSynchronize(main));

    hipGraph_t again = capture(main, side, dA, dB, 2.0f, n);
#if CUDART_VERSION >= 12000
    cudaGraphExecUpdateResultInfo info;
    CUDACHECK(hipGraphExecUpdate(exec, again, &info));
#else
    hipGraphNode_t errorNode;
    hipGraphExecUpdateResult result;
    CUDACHECK(hipGraphExecUpdate(exec, again, &errorNode, &result));
#endif
    for (int i = 0; i < 2; ++i) CUDACHECK(hipGraphLaunch(exec, main));
    CUDACHECK(hipStreamSynchronize(main));

    CUDACHECK(hipMemcpy(a.data(), dA, n * sizeof(float), hipMemcpyDeviceToHost));
    CUDACHECK(hipMemcpy(b.data(), dB, n * sizeof(float), hipMemcpyDeviceToHost));
    float want = 1.0f;
    for (int i = 0; i < 6; ++i) want = want * (i < 4 ? 1.5f : 2.0f) - 0.5f;
    bool ok = nodes == 3;
    for (int i = 0; i < n; ++i) ok = ok && a[i] == want && b[i] == 7.0f;

    CUDACHECK(hipGraphExecDestroy(exec));
    CUDACHECK(hipGraphDestroy(graph));
    CUDACHECK(hipGraphDestroy(again));
    CUDACHECK(hipStreamDestroy(main));
    CUDACHECK(hipStreamDestroy(side));
    CUDACHECK(hipFree(dA));
    CUDACHECK(hipFree(dB));
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
