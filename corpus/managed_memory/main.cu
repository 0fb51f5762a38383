// Managed memory: a linked structure shared by host and device, with prefetches and advice where they exist.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t rc = (call);                                                               \
        if (rc != cudaSuccess) {                                                               \
            std::fprintf(stderr, "%s -> %s (%d)\n", #call, cudaGetErrorString(rc), (int)rc);   \
            std::exit(2);                                                                      \
        }                                                                                      \
    } while (0)

class Managed
{
public:
    void *operator new(size_t len)
    {
        void *ptr;
        CHECK(cudaMallocManaged(&ptr, len));
        CHECK(cudaDeviceSynchronize());
        return ptr;
    }
    void operator delete(void *ptr)
    {
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaFree(ptr));
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

static void moveTo(void *ptr, size_t bytes, int device, cudaStream_t stream)
{
#if CUDART_VERSION >= 13000
    cudaMemLocation where = {};
    where.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    where.id = device == cudaCpuDeviceId ? 0 : device;
    CHECK(cudaMemPrefetchAsync(ptr, bytes, where, 0, stream));
#else
    CHECK(cudaMemPrefetchAsync(ptr, bytes, device, stream));
#endif
}

static void prefer(void *ptr, size_t bytes, int device)
{
#if CUDART_VERSION >= 13000
    cudaMemLocation where = {};
    where.type = cudaMemLocationTypeDevice;
    where.id = device;
    CHECK(cudaMemAdvise(ptr, bytes, cudaMemAdviseSetPreferredLocation, where));
#else
    CHECK(cudaMemAdvise(ptr, bytes, cudaMemAdviseSetPreferredLocation, device));
#endif
}

int main()
{
    int device = 0, concurrent = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    printf("concurrent managed access: %s\n", concurrent ? "yes" : "no");

    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    Field *head = nullptr;
    for (int k = 0; k < 5; ++k) {
        Field *f = new Field;
        f->n = 1000 * (k + 1);
        CHECK(cudaMallocManaged((void **)&f->values, f->n * sizeof(float), cudaMemAttachGlobal));
        for (int i = 0; i < f->n; ++i) f->values[i] = (float)(i + k);
        f->next = head;
        head = f;
        if (concurrent) {
            prefer(f->values, f->n * sizeof(float), device);
            moveTo(f->values, f->n * sizeof(float), device, stream);
        }
    }
    CHECK(cudaStreamSynchronize(stream));

    addOne<<<32, 128, 0, stream>>>(head);
    addOne<<<32, 128, 0, stream>>>(head);
    CHECK(cudaGetLastError());
    if (concurrent) moveTo(head->values, head->n * sizeof(float), cudaCpuDeviceId, stream);
    CHECK(cudaStreamSynchronize(stream));

    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, head->values));
    int wrong = attributes.type != cudaMemoryTypeManaged || g_visited != 10;
    int k = 4;
    while (head) {
        for (int i = 0; i < head->n; ++i) wrong += head->values[i] != (float)(i + k + 2);
        Field *next = head->next;
        CHECK(cudaFree(head->values));
        delete head;
        head = next;
        --k;
    }
    CHECK(cudaStreamDestroy(stream));
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
