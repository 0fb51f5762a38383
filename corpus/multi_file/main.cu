// The device half of a program in several files: the launches. host.cpp has main.
#include "device_buffer.h"
#include "kernels.cuh"

void clampOnDevice(DeviceBuffer<float> &buffer, float low, float high, cudaStream_t stream)
{
    const int n = buffer.size();
    clampKernel<float><<<(n + 255) / 256, 256, 0, stream>>>(buffer.get(), low, high, n);
}
