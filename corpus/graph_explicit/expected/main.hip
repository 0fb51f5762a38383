// A graph built node by node: memset, copy in, two kernels, copy out and a host function at the end.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void must(hipError_t e, int line)
{
    if (e != hipSuccess) {
        std::fprintf(stderr, "line %d: %s\n", line, hipGetErrorString(e));
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
    MUST(hipMalloc(&in, n * sizeof(float)));
    MUST(hipMalloc(&out, n * sizeof(float)));
    MUST(hipMalloc(&total, sizeof(float)));

    hipGraph_t graph;
    MUST(hipGraphCreate(&graph, 0));

    hipGraphNode_t copyIn, clear, squareNode, sumNode, copyOut, hostNode;
    MUST(hipGraphAddMemcpyNode1D(&copyIn, graph, nullptr, 0, in, h.data(), n * sizeof(float), hipMemcpyHostToDevice));

    hipMemsetParams memsetParams = {};
    memsetParams.dst = total;
    memsetParams.value = 0;
    memsetParams.elementSize = sizeof(float);
    memsetParams.width = 1;
    memsetParams.height = 1;
    MUST(hipGraphAddMemsetNode(&clear, graph, nullptr, 0, &memsetParams));

    void *squareArgs[] = {&in, &out, &n};
    hipKernelNodeParams kernelParams = {0};
    kernelParams.func = (void *)square;
    kernelParams.gridDim = dim3((n + 255) / 256, 1, 1);
    kernelParams.blockDim = dim3(256, 1, 1);
    kernelParams.sharedMemBytes = 0;
    kernelParams.kernelParams = squareArgs;
    kernelParams.extra = nullptr;
    MUST(hipGraphAddKernelNode(&squareNode, graph, &copyIn, 1, &kernelParams));

    void *sumArgs[] = {&out, &total, &n};
    kernelParams.func = (void *)sum;
    kernelParams.kernelParams = sumArgs;
    const hipGraphNode_t before[] = {squareNode, clear};
    MUST(hipGraphAddKernelNode(&sumNode, graph, before, 2, &kernelParams));

    hipMemcpy3DParms copyParams = {0};
    copyParams.srcPtr = make_hipPitchedPtr(total, sizeof(float), 1, 1);
    copyParams.dstPtr = make_hipPitchedPtr(&result, sizeof(float), 1, 1);
    copyParams.srcPos = make_hipPos(0, 0, 0);
    copyParams.dstPos = make_hipPos(0, 0, 0);
    copyParams.extent = make_hipExtent(sizeof(float), 1, 1);
    copyParams.kind = hipMemcpyDeviceToHost;
    MUST(hipGraphAddMemcpyNode(&copyOut, graph, &sumNode, 1, &copyParams));

    hipHostNodeParams hostParams = {};
    hostParams.fn = report;
    hostParams.userData = &calls;
    MUST(hipGraphAddHostNode(&hostNode, graph, &copyOut, 1, &hostParams));

    hipGraphNodeType type;
    MUST(hipGraphNodeGetType(hostNode, &type));
    bool ok = type == hipGraphNodeTypeHost;

    hipGraphExec_t exec;
    MUST(hipGraphInstantiateWithFlags(&exec, graph, 0));
    hipStream_t stream;
    MUST(hipStreamCreateWithPriority(&stream, hipStreamDefault, 0));
    MUST(hipGraphUpload(exec, stream));
    for (int i = 0; i < 3; ++i) MUST(hipGraphLaunch(exec, stream));
    MUST(hipStreamSynchronize(stream));

    float expected = 0;
    for (float v : h) expected += v * v;
    std::printf("sum of squares %.0f (expected %.0f), host function called %d times\n", result, expected, calls);
    ok = ok && result == expected && calls == 3;

    MUST(hipGraphExecDestroy(exec));
    MUST(hipGraphDestroy(graph));
    MUST(hipStreamDestroy(stream));
    MUST(hipFree(in));
    MUST(hipFree(out));
    MUST(hipFree(total));
    std::printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
