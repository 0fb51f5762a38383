// cuDNN: ReLU and pooling of a small batch of images.
#include <cuda_runtime.h>
#include <cudnn.h>
#include <algorithm>
#include <cstdio>
#include <vector>

#define checkCUDNN(expression)                                                                       \
    {                                                                                                \
        cudnnStatus_t status = (expression);                                                         \
        if (status != CUDNN_STATUS_SUCCESS) {                                                        \
            std::fprintf(stderr, "Error on line %d: %s\n", __LINE__, cudnnGetErrorString(status));   \
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
    if (cudaMalloc(&dIn, n * sizeof(float)) != cudaSuccess) return 1;
    if (cudaMalloc(&dRelu, n * sizeof(float)) != cudaSuccess) return 1;
    if (cudaMalloc(&dPooled, n / 4 * sizeof(float)) != cudaSuccess) return 1;
    cudaMemcpy(dIn, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);

    cudnnHandle_t cudnn;
    checkCUDNN(cudnnCreate(&cudnn));
    cudnnTensorDescriptor_t image, half;
    checkCUDNN(cudnnCreateTensorDescriptor(&image));
    checkCUDNN(cudnnCreateTensorDescriptor(&half));
    checkCUDNN(cudnnSetTensor4dDescriptor(image, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, batch, channels, height, width));
    checkCUDNN(cudnnSetTensor4dDescriptor(half, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, batch, channels, height / 2, width / 2));
    cudnnActivationDescriptor_t activation;
    checkCUDNN(cudnnCreateActivationDescriptor(&activation));
    checkCUDNN(cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0.0));
    cudnnPoolingDescriptor_t pooling;
    checkCUDNN(cudnnCreatePoolingDescriptor(&pooling));
    checkCUDNN(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));

    const float one = 1.0f, zero = 0.0f;
    checkCUDNN(cudnnActivationForward(cudnn, activation, &one, image, dIn, &zero, image, dRelu));
    checkCUDNN(cudnnPoolingForward(cudnn, pooling, &one, image, dRelu, &zero, half, dPooled));
    cudaMemcpy(relu.data(), dRelu, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(pooled.data(), dPooled, n / 4 * sizeof(float), cudaMemcpyDeviceToHost);
    checkCUDNN(cudnnDestroyPoolingDescriptor(pooling));
    checkCUDNN(cudnnDestroyActivationDescriptor(activation));
    checkCUDNN(cudnnDestroyTensorDescriptor(image));
    checkCUDNN(cudnnDestroyTensorDescriptor(half));
    checkCUDNN(cudnnDestroy(cudnn));

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
    cudaFree(dIn);
    cudaFree(dRelu);
    cudaFree(dPooled);
    std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
