// All-pairs gravity: positions travel through shared memory as float4, forces use rsqrtf.
#include <hip/hip_runtime.h>
#include <hip/hip_vector_types.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define SOFTENING 1e-3f
#define BLOCK 128

using Bodies = std::vector<float4>;

__host__ __device__ inline float4 operator+(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ __forceinline__ float3 interact(float4 bi, float4 bj, float3 ai)
{
    float3 r = make_float3(bj.x - bi.x, bj.y - bi.y, bj.z - bi.z);
    float d2 = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
    float inv = rsqrtf(d2);
    float s = __fmul_rn(bj.w, inv * inv * inv);
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__global__ void __launch_bounds__(BLOCK) bodyForce(const float4 *__restrict__ pos, float4 *vel, float dt, int n)
{
    __shared__ float4 cache[BLOCK];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float4 me = i < n ? pos[i] : make_float4(0.f, 0.f, 0.f, 0.f);
    float3 acc = {0.0f, 0.0f, 0.0f};

    for (int t = 0; t < gridDim.x; ++t) {
        int j = t * blockDim.x + threadIdx.x;
        cache[threadIdx.x] = j < n ? pos[j] : make_float4(0.f, 0.f, 0.f, 0.f);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < BLOCK; ++k) acc = interact(me, cache[k], acc);
        __syncthreads();
    }
    if (i < n) vel[i] = vel[i] + make_float4(dt * acc.x, dt * acc.y, dt * acc.z, 0.0f);
}

__global__ void integrate(float4 *pos, const float4 *vel, float dt, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    float4 p = pos[i], v = vel[i];
    pos[i] = make_float4(p.x + dt * v.x, p.y + dt * v.y, p.z + dt * v.z, p.w);
}

int main()
{
    const int n = 1000, steps = 3;
    const float dt = 0.01f;
    Bodies pos(n), vel(n, make_float4(0, 0, 0, 0));
    for (int i = 0; i < n; ++i) {
        float a = 0.37f * i, r = 1.0f + 0.001f * (i % 97);
        pos[i] = make_float4(r * std::cos(a), r * std::sin(a), 0.01f * (i % 31), 1.0f / n);
    }
    Bodies refPos = pos, refVel = vel;

    float4 *dPos, *dVel;
    if (hipMalloc(&dPos, n * sizeof(float4)) || hipMalloc(&dVel, n * sizeof(float4))) {
        std::printf("no memory on the device: %s\n", hipGetErrorString(hipGetLastError()));
        return 1;
    }
    hipMemcpy(dPos, pos.data(), n * sizeof(float4), hipMemcpyHostToDevice);
    hipMemcpy(dVel, vel.data(), n * sizeof(float4), hipMemcpyHostToDevice);

    const int blocks = (n + BLOCK - 1) / BLOCK;
    for (int s = 0; s < steps; ++s) {
        hipLaunchKernelGGL(bodyForce, dim3(blocks), dim3(BLOCK), 0, 0, dPos, dVel, dt, n);
        hipLaunchKernelGGL(integrate, dim3(blocks), dim3(BLOCK), 0, 0, dPos, dVel, dt, n);
    }
    if (hipDeviceSynchronize() != hipSuccess) {
        std::printf("%s\n", hipGetErrorString(hipGetLastError()));
        return 1;
    }
    hipMemcpy(pos.data(), dPos, n * sizeof(float4), hipMemcpyDeviceToHost);
    hipFree(dPos);
    hipFree(dVel);

    for (int s = 0; s < steps; ++s) {
        for (int i = 0; i < n; ++i) {
            double ax = 0, ay = 0, az = 0;
            for (int j = 0; j < n; ++j) {
                double x = refPos[j].x - refPos[i].x, y = refPos[j].y - refPos[i].y, z = refPos[j].z - refPos[i].z;
                double d2 = x * x + y * y + z * z + SOFTENING, w = refPos[j].w / (d2 * std::sqrt(d2));
                ax += x * w, ay += y * w, az += z * w;
            }
            refVel[i] = refVel[i] + make_float4(dt * ax, dt * ay, dt * az, 0);
        }
        for (int i = 0; i < n; ++i) {
            refPos[i].x += dt * refVel[i].x, refPos[i].y += dt * refVel[i].y, refPos[i].z += dt * refVel[i].z;
        }
    }

    double worst = 0;
    for (int i = 0; i < n; ++i) {
        worst = std::fmax(worst, std::fabs(pos[i].x - refPos[i].x) + std::fabs(pos[i].y - refPos[i].y) +
                                     std::fabs(pos[i].z - refPos[i].z));
    }
    std::printf("largest difference in position: %g\n%s\n", worst, worst < 1e-4 ? "PASS" : "FAIL");
    return worst < 1e-4 ? 0 : 1;
}
