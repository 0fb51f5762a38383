#pragma once

#include <hip/hip_runtime_api.h>
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
        check(hipMalloc(reinterpret_cast<void **>(&data_), size_ * sizeof(T)));
        check(hipMemcpy(data_, host.data(), size_ * sizeof(T), hipMemcpyHostToDevice));
    }
    ~DeviceBuffer() { (void)hipFree(data_); }
    DeviceBuffer(const DeviceBuffer &) = delete;
    DeviceBuffer &operator=(const DeviceBuffer &) = delete;

    std::vector<T> read() const
    {
        std::vector<T> host(size_);
        check(hipMemcpy(host.data(), data_, size_ * sizeof(T), hipMemcpyDeviceToHost));
        return host;
    }
    T *get() { return data_; }
    int size() const { return static_cast<int>(size_); }

private:
    static void check(hipError_t status)
    {
        if (status != hipSuccess) throw std::runtime_error(hipGetErrorString(status));
    }
    T *data_ = nullptr;
    std::size_t size_;
};

void clampOnDevice(DeviceBuffer<float> &buffer, float low, float high, hipStream_t stream);
