// A stream captured into a graph, launched many times, then updated with another argument.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDACHECK(cmd)                                                                       \
    do {                                                                                     \
        cudaError_t error = (cmd);                                                           \
        if (error != cudaSuccess) {                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));   \
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

static cudaGraph_t capture(cudaStream_t main, cudaStream_t side, float *a, float *b, float factor, int n)
{
    cudaEvent_t fork, join;
    CUDACHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CUDACHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

    const int blocks = (n + 255) / 256;
    CUDACHECK(cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal));
    CUDACHECK(cudaEventRecord(fork, main));
    CUDACHECK(cudaStreamWaitEvent(side, fork, 0));
    scale<<<blocks, 256, 0, main>>>(a, factor, n);
    shift<<<blocks, 256, 0, side>>>(b, 1.0f, n);
    CUDACHECK(cudaEventRecord(join, side));
    CUDACHECK(cudaStreamWaitEvent(main, join, 0));
    shift<<<blocks, 256, 0, main>>>(a, -0.5f, n);

    cudaStreamCaptureStatus status;
    CUDACHECK(cudaStreamIsCapturing(main, &status));
    if (status != cudaStreamCaptureStatusActive) exit(EXIT_FAILURE);

    cudaGraph_t graph;
    CUDACHECK(cudaStreamEndCapture(main, &graph));
    CUDACHECK(cudaEventDestroy(fork));
    CUDACHECK(cudaEventDestroy(join));
    return graph;
}

int main()
{
    const int n = 10000;
    std::vector<float> h(n, 1.0f), a(n), b(n);
    float *dA, *dB;
    cudaStream_t main, side;
    CUDACHECK(cudaStreamCreate(&main));
    CUDACHECK(cudaStreamCreate(&side));
    CUDACHECK(cudaMalloc(&dA, n * sizeof(float)));
    CUDACHECK(cudaMalloc(&dB, n * sizeof(float)));
    CUDACHECK(cudaMemcpy(dA, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CUDACHECK(cudaMemcpy(dB, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    cudaGraph_t graph = capture(main, side, dA, dB, 1.5f, n);
    size_t nodes = 0;
    CUDACHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    printf("captured %zu nodes\n", nodes);

    cudaGraphExec_t exec;
#if CUDART_VERSION >= 12000
    CUDACHECK(cudaGraphInstantiate(&exec, graph, 0));
#else
    CUDACHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
    for (int i = 0; i < 4; ++i) CUDACHECK(cudaGraphLaunch(exec, main));
    CUDACHECK(cudaStreamSynchronize(main));

    cudaGraph_t again = capture(main, side, dA, dB, 2.0f, n);
#if CUDART_VERSION >= 12000
    cudaGraphExecUpdateResultInfo info;
    CUDACHECK(cudaGraphExecUpdate(exec, again, &info));
#else
    cudaGraphNode_t errorNode;
    cudaGraphExecUpdateResult result;
    CUDACHECK(cudaGraphExecUpdate(exec, again, &errorNode, &result));
#endif
    for (int i = 0; i < 2; ++i) CUDACHECK(cudaGraphLaunch(exec, main));
    CUDACHECK(cudaStreamSynchronize(main));

    CUDACHECK(cudaMemcpy(a.data(), dA, n * sizeof(float), cudaMemcpyDeviceToHost));
    CUDACHECK(cudaMemcpy(b.data(), dB, n * sizeof(float), cudaMemcpyDeviceToHost));
    float want = 1.0f;
    for (int i = 0; i < 6; ++i) want = want * (i < 4 ? 1.5f : 2.0f) - 0.5f;
    bool ok = nodes == 3;
    for (int i = 0; i < n; ++i) ok = ok && a[i] == want && b[i] == 7.0f;

    CUDACHECK(cudaGraphExecDestroy(exec));
    CUDACHECK(cudaGraphDestroy(graph));
    CUDACHECK(cudaGraphDestroy(again));
    CUDACHECK(cudaStreamDestroy(main));
    CUDACHECK(cudaStreamDestroy(side));
    CUDACHECK(cudaFree(dA));
    CUDACHECK(cudaFree(dB));
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
