// One cooperative launch does a whole conjugate of phases: grid-wide barriers replace kernel boundaries.
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

using namespace cooperative_groups;

#define CHECK_CUDA(cmd)                                                                             \
    do {                                                                                            \
        hipError_t e = cmd;                                                                        \
        if (e != hipSuccess) {                                                                     \
            printf("Failed: CUDA error %s:%d '%s'\n", __FILE__, __LINE__, hipGetErrorString(e));   \
            exit(EXIT_FAILURE);                                                                     \
        }                                                                                           \
    } while (0)

__global__ void heat(float *a, float *b, int n, int steps, float *total)
{
    grid_group grid = this_grid();
    for (int s = 0; s < steps; ++s) {
        for (int i = grid.thread_rank(); i < n; i += grid.size()) {
            float left = i > 0 ? a[i - 1] : a[i];
            float right = i < n - 1 ? a[i + 1] : a[i];
            b[i] = a[i] + 0.25f * (left - 2.0f * a[i] + right);
        }
        grid.sync();
        float *t = a;
        a = b;
        b = t;
    }
    if (grid.thread_rank() == 0) {
        float sum = 0.0f;
        for (int i = 0; i < n; ++i) sum += a[i];
        *total = sum;
    }
}

int main()
{
    int device = 0, supported = 0, sms = 0, perSm = 0;
    CHECK_CUDA(hipGetDevice(&device));
    CHECK_CUDA(hipDeviceGetAttribute(&supported, hipDeviceAttributeCooperativeLaunch, device));
    if (!supported) {
        printf("this device has no cooperative launch\n");
        return EXIT_FAILURE;
    }

    const int n = 20000, steps = 25, threads = 128;
    CHECK_CUDA(hipDeviceGetAttribute(&sms, hipDeviceAttributeMultiprocessorCount, device));
    CHECK_CUDA(hipOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, heat, threads, 0));
    int blocks = sms * perSm;
    if (blocks > (n + threads - 1) / threads) blocks = (n + threads - 1) / threads;
    printf("%d blocks of %d threads, %d resident on each of %d multiprocessors\n", blocks, threads, perSm, sms);

    std::vector<float> h(n, 0.0f), next(n), out(n);
    for (int i = n / 3; i < n / 2; ++i) h[i] = 1.0f;

    float *a, *b, *total;
    CHECK_CUDA(hipMalloc(&a, n * sizeof(float)));
    CHECK_CUDA(hipMalloc(&b, n * sizeof(float)));
    CHECK_CUDA(hipMalloc(&total, sizeof(float)));
    CHECK_CUDA(hipMemcpy(a, h.data(), n * sizeof(float), hipMemcpyHostToDevice));

    int count = n, iterations = steps;
    void *args[] = {&a, &b, &count, &iterations, &total};
    CHECK_CUDA(hipLaunchCooperativeKernel((void *)heat, dim3(blocks), dim3(threads), args, 0, NULL));
    CHECK_CUDA(hipDeviceSynchronize());

    float sum = 0.0f;
    CHECK_CUDA(hipMemcpy(out.data(), steps % 2 ? b : a, n * sizeof(float), hipMemcpyDeviceToHost));
    CHECK_CUDA(hipMemcpy(&sum, total, sizeof(float), hipMemcpyDeviceToHost));

    for (int s = 0; s < steps; ++s) {
        for (int i = 0; i < n; ++i) {
            float left = i > 0 ? h[i - 1] : h[i], right = i < n - 1 ? h[i + 1] : h[i];
            next[i] = h[i] + 0.25f * (left - 2.0f * h[i] + right);
        }
        h.swap(next);
    }
    float worst = 0, reference = 0;
    for (int i = 0; i < n; ++i) {
        float d = h[i] - out[i];
        worst = d > worst ? d : -d > worst ? -d : worst;
        reference += h[i];
    }

    CHECK_CUDA(hipFree(a));
    CHECK_CUDA(hipFree(b));
    CHECK_CUDA(hipFree(total));
    bool ok = worst < 1e-5f && sum > reference - 1.0f && sum < reference + 1.0f;
    printf("largest difference %g, heat %g of %g\n%s\n", worst, sum, reference, ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
