// The device half of a program in several files: the launches. host.cpp has main.
#include <hip/hip_runtime.h>
#include "device_buffer.h"
#include "kernels.cuh"

void clampOnDevice(DeviceBuffer<float> &buffer, float low, float high, hipStream_t stream)
{
    const int n = buffer.size();
    hipLaunchKernelGGL(HIP_KERNEL_NAME(clampKernel<float>), dim3((n + 255) / 256), dim3(256), 0, stream, buffer.get(), low, high, n);
}
