// cuDNN: ReLU and pooling of a small batch of images.
#include <hip/hip_runtime.h>
#include <miopen/miopen.h>
#include <algorithm>
#include <cstdio>
#include <vector>

#define checkCUDNN(expression)                                                                       \
    {                                                                                                \
        miopenStatus_t status = (expression);                                                         \
        if (status != miopenStatusSuccess) {                                                        \
            std::fprintf(stderr, "Error on line %d: %s\n", __LINE__, miopenGetErrorString(status));   \
            return 1;                                                                                \
        }                                                                                            \
    }

int main()
{
    const int batch = 2, channels = 3, height = 8, width = 6;
    const int n = batch * channels * height * width;
    std::vector<float> in(n), relu(n), pooled(n / 4);
    for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i * 37 % 101) - 50.0f;
    float *dIn, *dRelu, *dPooled;
    if (hipMalloc(&dIn, n * sizeof(float)) != hipSuccess) return 1;
    if (hipMalloc(&dRelu, n * sizeof(float)) != hipSuccess) return 1;
    if (hipMalloc(&dPooled, n / 4 * sizeof(float)) != hipSuccess) return 1;
    hipMemcpy(dIn, in.data(), n * sizeof(float), hipMemcpyHostToDevice);

    miopenHandle_t cudnn;
    checkCUDNN(miopenCreate(&cudnn));
    miopenTensorDescriptor_t image, half;
    checkCUDNN(miopenCreateTensorDescriptor(&image));
    checkCUDNN(miopenCreateTensorDescriptor(&half));
    checkCUDNN(miopenSet4dTensorDescriptor(image, miopenFloat, batch, channels, height, width));
    checkCUDNN(miopenSet4dTensorDescriptor(half, miopenFloat, batch, channels, height / 2, width / 2));
    miopenActivationDescriptor_t activation;
    checkCUDNN(miopenCreateActivationDescriptor(&activation));
    checkCUDNN(miopenSetActivationDescriptor(activation, miopenActivationRELU, 0.0, 1.0, 1.0));
    miopenPoolingDescriptor_t pooling;
    checkCUDNN(miopenCreatePoolingDescriptor(&pooling));
    checkCUDNN(miopenSet2dPoolingDescriptor(pooling, miopenPoolingMax, 2, 2, 0, 0, 2, 2));

    const float one = 1.0f, zero = 0.0f;
    checkCUDNN(miopenActivationForward(cudnn, activation, &one, image, dIn, &zero, image, dRelu));
    checkCUDNN(miopenPoolingForward(cudnn, pooling, &one, image, dRelu, &zero, half, dPooled, false, nullptr, 0));
    hipMemcpy(relu.data(), dRelu, n * sizeof(float), hipMemcpyDeviceToHost);
    hipMemcpy(pooled.data(), dPooled, n / 4 * sizeof(float), hipMemcpyDeviceToHost);
    checkCUDNN(miopenDestroyPoolingDescriptor(pooling));
    checkCUDNN(miopenDestroyActivationDescriptor(activation));
    checkCUDNN(miopenDestroyTensorDescriptor(image));
    checkCUDNN(miopenDestroyTensorDescriptor(half));
    checkCUDNN(miopenDestroy(cudnn));

    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += relu[i] != std::max(in[i], 0.0f);
    for (int p = 0; p < batch * channels; ++p)
        for (int y = 0; y < height / 2; ++y)
            for (int x = 0; x < width / 2; ++x) {
                float want = 0.0f;
                for (int k = 0; k < 4; ++k)
                    want = std::max(want, relu[(p * height + 2 * y + k / 2) * width + 2 * x + k % 2]);
                wrong += pooled[(p * height / 2 + y) * width / 2 + x] != want;
            }
    hipFree(dIn);
    hipFree(dRelu);
    hipFree(dPooled);
    std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
