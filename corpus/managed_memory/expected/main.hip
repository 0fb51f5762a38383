// Managed memory: a linked structure shared by host and device, with prefetches and advice where they exist.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                            \
    do {                                                                                       \
        hipError_t rc = (call);                                                               \
        if (rc != hipSuccess) {                                                               \
            std::fprintf(stderr, "%s -> %s (%d)\n", #call, hipGetErrorString(rc), (int)rc);   \
            std::exit(2);                                                                      \
        }                                                                                      \
    } while (0)

class Managed
{
public:
    void *operator new(size_t len)
    {
        void *ptr;
        CHECK(hipMallocManaged(&ptr, len));
        CHECK(hipDeviceSynchronize());
        return ptr;
    }
    void operator delete(void *ptr)
    {
        CHECK(hipDeviceSynchronize());
        CHECK(hipFree(ptr));
    }
};

struct Field : public Managed
{
    int n;
    float *values;
    Field *next;
};

__managed__ int g_visited = 0;

__global__ void addOne(Field *head)
{
    for (Field *f = head; f; f = f->next) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < f->n; i += gridDim.x * blockDim.x) f->values[i] += 1.0f;
        if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd_system(&g_visited, 1);
    }
}

static void moveTo(void *ptr, size_t bytes, int device, hipStream_t stream)
{
#if CUDART_VERSION >= 13000
    hipMemLocation where = {};
    where.type = device == hipCpuDeviceId ? hipMemLocationTypeHost : hipMemLocationTypeDevice;
    where.id = device == hipCpuDeviceId ? 0 : device;
    CHECK(hipMemPrefetchAsync_v2(ptr, bytes, where, 0, stream));
#else
    CHECK(hipMemPrefetchAsync(ptr, bytes, device, stream));
#endif
}

static void prefer(void *ptr, size_t bytes, int device)
{
#if CUDART_VERSION >= 13000
    hipMemLocation where = {};
    where.type = hipMemLocationTypeDevice;
    where.id = device;
    CHECK(hipMemAdvise_v2(ptr, bytes, hipMemAdviseSetPreferredLocation, where));
#else
    CHECK(hipMemAdvise(ptr, bytes, hipMemAdviseSetPreferredLocation, device));
#endif
}

int main()
{
    int device = 0, concurrent = 0;
    CHECK(hipGetDevice(&device));
    CHECK(hipDeviceGetAttribute(&concurrent, hipDeviceAttributeConcurrentManagedAccess, device));
    printf("concurrent managed access: %s\n", concurrent ? "yes" : "no");

    hipStream_t stream;
    CHECK(hipStreamCreate(&stream));
    Field *head = nullptr;
    for (int k = 0; k < 5; ++k) {
        Field *f = new Field;
        f->n = 1000 * (k + 1);
        CHECK(hipMallocManaged((void **)&f->values, f->n * sizeof(float), hipMemAttachGlobal));
        for (int i = 0; i < f->n; ++i) f->values[i] = (float)(i + k);
        f->next = head;
        head = f;
        if (concurrent) {
            prefer(f->values, f->n * sizeof(float), device);
            moveTo(f->values, f->n * sizeof(float), device, stream);
        }
    }
    CHECK(hipStreamSynchronize(stream));

    hipLaunchKernelGGL(addOne, dim3(32), dim3(128), 0, stream, head);
    hipLaunchKernelGGL(addOne, dim3(32), dim3(128), 0, stream, head);
    CHECK(hipGetLastError());
    if (concurrent) moveTo(head->values, head->n * sizeof(float), hipCpuDeviceId, stream);
    CHECK(hipStreamSynchronize(stream));

    hipPointerAttribute_t attributes;
    CHECK(hipPointerGetAttributes(&attributes, head->values));
    int wrong = attributes.type != hipMemoryTypeManaged || g_visited != 10;
    int k = 4;
    while (head) {
        for (int i = 0; i < head->n; ++i) wrong += head->values[i] != (float)(i + k + 2);
        Field *next = head->next;
        CHECK(hipFree(head->values));
        delete head;
        head = next;
        --k;
    }
    CHECK(hipStreamDestroy(stream));
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
