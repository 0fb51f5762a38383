// The host half: compiled by the host compiler, only the runtime API in it.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <exception>
#include <vector>
#include "device_buffer.h"

int main()
{
    try {
        std::vector<float> values(1000);
        for (int i = 0; i < 1000; ++i) values[i] = static_cast<float>(i - 500);
        DeviceBuffer<float> buffer(values);
        hipStream_t stream = nullptr;
        if (hipStreamCreate(&stream) != hipSuccess) return 1;
        clampOnDevice(buffer, -10.0f, 20.0f, stream);
        if (hipStreamSynchronize(stream) != hipSuccess) return 1;
        (void)hipStreamDestroy(stream);

        int wrong = 0;
        const std::vector<float> out = buffer.read();
        for (int i = 0; i < 1000; ++i) {
            const float want = values[i] < -10.0f ? -10.0f : values[i] > 20.0f ? 20.0f : values[i];
            wrong += out[i] != want;
        }
        std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
        return wrong ? 1 : 0;
    } catch (const std::exception &e) {
        std::printf("%s\nFAIL\n", e.what());
        return 1;
    }
}
