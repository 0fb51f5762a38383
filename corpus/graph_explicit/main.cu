// A graph built node by node: memset, copy in, two kernels, copy out and a host function at the end.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void must(cudaError_t e, int line)
{
    if (e != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
        std::exit(1);
    }
}
#define MUST(e) must((e), __LINE__)

__global__ void square(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

__global__ void sum(const float *in, float *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, in[i]);
}

static void report(void *user)
{
    *static_cast<int *>(user) += 1;
}

int main()
{
    int n = 4096;
    std::vector<float> h(n);
    for (int i = 0; i < n; ++i) h[i] = static_cast<float>(i % 8);
    float *in, *out, *total, result = -1.0f;
    int calls = 0;
    MUST(cudaMalloc(&in, n * sizeof(float)));
    MUST(cudaMalloc(&out, n * sizeof(float)));
    MUST(cudaMalloc(&total, sizeof(float)));

    cudaGraph_t graph;
    MUST(cudaGraphCreate(&graph, 0));

    cudaGraphNode_t copyIn, clear, squareNode, sumNode, copyOut, hostNode;
    MUST(cudaGraphAddMemcpyNode1D(&copyIn, graph, nullptr, 0, in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    cudaMemsetParams memsetParams = {};
    memsetParams.dst = total;
    memsetParams.value = 0;
    memsetParams.elementSize = sizeof(float);
    memsetParams.width = 1;
    memsetParams.height = 1;
    MUST(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &memsetParams));

    void *squareArgs[] = {&in, &out, &n};
    cudaKernelNodeParams kernelParams = {0};
    kernelParams.func = (void *)square;
    kernelParams.gridDim = dim3((n + 255) / 256, 1, 1);
    kernelParams.blockDim = dim3(256, 1, 1);
    kernelParams.sharedMemBytes = 0;
    kernelParams.kernelParams = squareArgs;
    kernelParams.extra = nullptr;
    MUST(cudaGraphAddKernelNode(&squareNode, graph, &copyIn, 1, &kernelParams));

    void *sumArgs[] = {&out, &total, &n};
    kernelParams.func = (void *)sum;
    kernelParams.kernelParams = sumArgs;
    const cudaGraphNode_t before[] = {squareNode, clear};
    MUST(cudaGraphAddKernelNode(&sumNode, graph, before, 2, &kernelParams));

    cudaMemcpy3DParms copyParams = {0};
    copyParams.srcPtr = make_cudaPitchedPtr(total, sizeof(float), 1, 1);
    copyParams.dstPtr = make_cudaPitchedPtr(&result, sizeof(float), 1, 1);
    copyParams.srcPos = make_cudaPos(0, 0, 0);
    copyParams.dstPos = make_cudaPos(0, 0, 0);
    copyParams.extent = make_cudaExtent(sizeof(float), 1, 1);
    copyParams.kind = cudaMemcpyDeviceToHost;
    MUST(cudaGraphAddMemcpyNode(&copyOut, graph, &sumNode, 1, &copyParams));

    cudaHostNodeParams hostParams = {};
    hostParams.fn = report;
    hostParams.userData = &calls;
    MUST(cudaGraphAddHostNode(&hostNode, graph, &copyOut, 1, &hostParams));

    cudaGraphNodeType type;
    MUST(cudaGraphNodeGetType(hostNode, &type));
    bool ok = type == cudaGraphNodeTypeHost;

    cudaGraphExec_t exec;
    MUST(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    cudaStream_t stream;
    MUST(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, 0));
    MUST(cudaGraphUpload(exec, stream));
    for (int i = 0; i < 3; ++i) MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));

    float expected = 0;
    for (float v : h) expected += v * v;
    std::printf("sum of squares %.0f (expected %.0f), host function called %d times\n", result, expected, calls);
    ok = ok && result == expected && calls == 3;

    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(in));
    MUST(cudaFree(out));
    MUST(cudaFree(total));
    std::printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
