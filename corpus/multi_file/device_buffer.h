#pragma once

#include <cuda_runtime_api.h>
#include <cstddef>
#include <stdexcept>
#include <vector>

/// Owns device memory; usable from files that the host compiler sees.
template <typename T>
class DeviceBuffer
{
public:
    explicit DeviceBuffer(const std::vector<T> &host) : size_(host.size())
    {
        check(cudaMalloc(reinterpret_cast<void **>(&data_), size_ * sizeof(T)));
        check(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~DeviceBuffer() { (void)cudaFree(data_); }
    DeviceBuffer(const DeviceBuffer &) = delete;
    DeviceBuffer &operator=(const DeviceBuffer &) = delete;

    std::vector<T> read() const
    {
        std::vector<T> host(size_);
        check(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }
    T *get() { return data_; }
    int size() const { return static_cast<int>(size_); }

private:
    static void check(cudaError_t status)
    {
        if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
    }
    T *data_ = nullptr;
    std::size_t size_;
};

void clampOnDevice(DeviceBuffer<float> &buffer, float low, float high, cudaStream_t stream);
