// options: --miopen
#include <cudnn.h>

struct Net {
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t x, y, bias;
    cudnnFilterDescriptor_t w;
    cudnnConvolutionDescriptor_t conv;
    cudnnPoolingDescriptor_t pool;
    cudnnActivationDescriptor_t act;
    cudnnLRNDescriptor_t lrn;
    cudnnDropoutDescriptor_t drop;
    cudnnRNNDescriptor_t rnn;
    cudnnCTCLossDescriptor_t ctc;
    cudnnOpTensorDescriptor_t op;
    cudnnReduceTensorDescriptor_t reduce;
};

cudnnStatus_t describe(Net& n, cudaStream_t stream) {
    cudnnCreate(&n.handle);
    cudnnSetStream(n.handle, stream);
    cudnnCreateTensorDescriptor(&n.x);
    cudnnCreateFilterDescriptor(&n.w);
    cudnnSetTensor4dDescriptor(n.x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 3, 32, 32);
    cudnnSetTensor4dDescriptor(n.y, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, 1, 3, 32, 32);
    cudnnSetTensor4dDescriptorEx(n.y, CUDNN_DATA_DOUBLE, 1, 3, 32, 32, 3072, 1024, 32, 1);
    int dims[4] = {1, 2, 3, 4}, strides[4] = {24, 12, 4, 1};
    cudnnSetTensorNdDescriptor(n.x, CUDNN_DATA_FLOAT, 4, dims, strides);
    cudnnSetTensorNdDescriptorEx(n.x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 4, dims);
    cudnnSetFilter4dDescriptor(n.w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 8, 3, 3, 3);
    cudnnSetFilter4dDescriptor(n.w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, 8, 3, 3, 3);
    cudnnSetFilterNdDescriptor(n.w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, dims);
    size_t bytes;
    cudnnGetTensorSizeInBytes(n.x, &bytes);
    cudnnSetConvolution2dDescriptor(n.conv, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    cudnnSetConvolutionNdDescriptor(n.conv, 2, dims, dims, dims, CUDNN_CONVOLUTION, CUDNN_DATA_FLOAT);
    cudnnSetConvolutionGroupCount(n.conv, 2);
    cudnnGetConvolutionGroupCount(n.conv, dims);
    cudnnSetConvolutionMathType(n.conv, CUDNN_TENSOR_OP_MATH);
    int a, b, c, d;
    cudnnGetConvolution2dForwardOutputDim(n.conv, n.x, n.w, &a, &b, &c, &d);
    cudnnGetConvolutionNdForwardOutputDim(n.conv, n.x, n.w, 4, dims);
    cudnnConvolutionMode_t mode;
    cudnnDataType_t type;
    cudnnGetConvolution2dDescriptor(n.conv, &a, &b, &c, &d, &a, &b, &mode, &type);
    cudnnSetPooling2dDescriptor(n.pool, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2);
    cudnnPoolingMode_t pooling;
    cudnnNanPropagation_t nan;
    cudnnGetPooling2dDescriptor(n.pool, &pooling, &nan, &a, &b, &c, &d, &a, &b);
    cudnnSetPoolingNdDescriptor(n.pool, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, dims, dims, dims);
    cudnnGetPoolingNdDescriptor(n.pool, 2, &pooling, &nan, &a, dims, dims, dims);
    cudnnSetActivationDescriptor(n.act, CUDNN_ACTIVATION_TANH, CUDNN_PROPAGATE_NAN, 0.0);
    cudnnSetActivationDescriptor(n.act, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0.0);
    cudnnActivationMode_t activation = CUDNN_ACTIVATION_ELU;
    double coefficient = 1.0;
    cudnnSetActivationDescriptor(n.act, activation, CUDNN_PROPAGATE_NAN, coefficient);
    cudnnGetActivationDescriptor(n.act, &activation, &nan, &coefficient);
    unsigned window;
    cudnnSetLRNDescriptor(n.lrn, 5, 1e-4, 0.75, 2.0);
    cudnnGetLRNDescriptor(n.lrn, &window, &coefficient, &coefficient, &coefficient);
    cudnnSetReduceTensorDescriptor(n.reduce, CUDNN_REDUCE_TENSOR_ADD, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN,
                                   CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES);
    return cudnnDestroy(n.handle);
}

void convolve(Net& n, const float* x, const float* w, float* y, void* space, size_t size) {
    const float alpha = 1.f, beta = 0.f;
    cudnnConvolutionFwdAlgoPerf_t fwd[4];
    cudnnConvolutionBwdDataAlgoPerf_t data[4];
    cudnnConvolutionBwdFilterAlgoPerf_t filter[4];
    int found;
    cudnnFindConvolutionForwardAlgorithmEx(n.handle, n.x, x, n.w, w, n.conv, n.y, y, 4, &found, fwd, space, size);
    cudnnFindConvolutionBackwardDataAlgorithmEx(n.handle, n.w, w, n.y, y, n.conv, n.x, y, 4, &found, data, space, size);
    cudnnFindConvolutionBackwardFilterAlgorithmEx(n.handle, n.x, x, n.y, y, n.conv, n.w, y, 4, &found, filter, space,
                                                  size);
    cudnnConvolutionFwdAlgo_t algo = fwd[0].algo;
    cudnnConvolutionBwdDataAlgo_t dataAlgo = data[0].algo;
    cudnnConvolutionBwdFilterAlgo_t filterAlgo = filter[0].algo;
    if (fwd[0].time > 1.f) algo = CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
    cudnnGetConvolutionForwardWorkspaceSize(n.handle, n.x, n.w, n.conv, n.y, algo, &size);
    cudnnGetConvolutionBackwardDataWorkspaceSize(n.handle, n.w, n.y, n.conv, n.x, dataAlgo, &size);
    cudnnGetConvolutionBackwardFilterWorkspaceSize(n.handle, n.x, n.y, n.conv, n.w, filterAlgo, &size);
    cudnnConvolutionForward(n.handle, &alpha, n.x, x, n.w, w, n.conv, algo, space, size, &beta, n.y, y);
    cudnnConvolutionBackwardData(n.handle, &alpha, n.w, w, n.y, y, n.conv, dataAlgo, space, size, &beta, n.x, y);
    cudnnConvolutionBackwardFilter(n.handle, &alpha, n.x, x, n.y, y, n.conv, filterAlgo, space, size, &beta, n.w, y);
    cudnnConvolutionBackwardBias(n.handle, &alpha, n.y, y, &beta, n.bias, y);
    cudnnConvolutionBiasActivationForward(n.handle, &alpha, n.x, x, n.w, w, n.conv, algo, space, size, &beta, n.y, y,
                                          n.bias, w, n.act, n.y, y);
}

void layers(Net& n, const float* x, float* y, void* space, size_t size, float* mean, const float* scale) {
    const float alpha = 1.f, beta = 0.f;
    cudnnAddTensor(n.handle, &alpha, n.bias, x, &alpha, n.y, y);
    cudnnCreateOpTensorDescriptor(&n.op);
    cudnnSetOpTensorDescriptor(n.op, CUDNN_OP_TENSOR_MUL, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN);
    cudnnOpTensor(n.handle, n.op, &alpha, n.x, x, &alpha, n.bias, x, &beta, n.y, y);
    cudnnDestroyOpTensorDescriptor(n.op);
    cudnnSoftmaxForward(n.handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &alpha, n.x, x, &beta, n.y, y);
    cudnnSoftmaxBackward(n.handle, CUDNN_SOFTMAX_LOG, CUDNN_SOFTMAX_MODE_INSTANCE, &alpha, n.y, y, n.y, y, &beta, n.x,
                         y);
    cudnnPoolingForward(n.handle, n.pool, &alpha, n.x, x, &beta, n.y, y);
    cudnnPoolingBackward(n.handle, n.pool, &alpha, n.y, y, n.y, y, n.x, x, &beta, n.x, y);
    cudnnActivationForward(n.handle, n.act, &alpha, n.x, x, &beta, n.y, y);
    cudnnActivationBackward(n.handle, n.act, &alpha, n.y, y, n.y, y, n.x, x, &beta, n.x, y);
    cudnnLRNCrossChannelForward(n.handle, n.lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &alpha, n.x, x, &beta, n.y, y);
    cudnnLRNCrossChannelBackward(n.handle, n.lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &alpha, n.y, y, n.y, y, n.x, x, &beta,
                                 n.x, y);
    cudnnBatchNormalizationForwardTraining(n.handle, CUDNN_BATCHNORM_SPATIAL, &alpha, &beta, n.x, x, n.y, y, n.bias,
                                           mean, mean, 0.1, mean, mean, 1e-5, mean, mean);
    cudnnBatchNormalizationForwardInference(n.handle, CUDNN_BATCHNORM_SPATIAL, &alpha, &beta, n.x, x, n.y, y, n.bias,
                                            mean, mean, mean, mean, 1e-5);
    cudnnBatchNormalizationBackward(n.handle, CUDNN_BATCHNORM_SPATIAL, &alpha, &beta, &alpha, &beta, n.x, x, n.y, y,
                                    n.x, y, n.bias, scale, mean, mean, 1e-5, mean, mean);
    cudnnDeriveBNTensorDescriptor(n.bias, n.x, CUDNN_BATCHNORM_SPATIAL);
    cudnnReduceTensor(n.handle, n.reduce, space, size, space, size, &alpha, n.x, x, &beta, n.y, y);
    cudnnSetTensor(n.handle, n.y, y, &alpha);
    cudnnScaleTensor(n.handle, n.y, y, &alpha);
    cudnnTransformTensor(n.handle, &alpha, n.x, x, &beta, n.y, y);
    float rate;
    unsigned long long seed;
    cudnnSetDropoutDescriptor(n.drop, n.handle, 0.5f, space, size, 1ull);
    cudnnRestoreDropoutDescriptor(n.drop, n.handle, 0.5f, space, size, 1ull);
    cudnnGetDropoutDescriptor(n.drop, n.handle, &rate, &space, &seed);
    cudnnDropoutForward(n.handle, n.drop, n.x, x, n.y, y, space, size);
    cudnnDropoutBackward(n.handle, n.drop, n.y, y, n.x, y, space, size);
}

void recur(Net& n, cudnnTensorDescriptor_t* xs, const float* x, float* y, void* space, size_t size, int* labels) {
    cudnnSetRNNDescriptor_v6(n.handle, n.rnn, 64, 2, n.drop, CUDNN_LINEAR_INPUT, CUDNN_UNIDIRECTIONAL, CUDNN_LSTM,
                             CUDNN_RNN_ALGO_STANDARD, CUDNN_DATA_FLOAT);
    cudnnGetRNNWorkspaceSize(n.handle, n.rnn, 4, xs, &size);
    cudnnGetRNNTrainingReserveSize(n.handle, n.rnn, 4, xs, &size);
    cudnnGetRNNParamsSize(n.handle, n.rnn, n.x, &size, CUDNN_DATA_FLOAT);
    cudnnRNNForwardTraining(n.handle, n.rnn, 4, xs, x, n.x, x, n.x, x, n.w, x, xs, y, n.x, y, n.x, y, space, size, space,
                            size);
    cudnnRNNForwardInference(n.handle, n.rnn, 4, xs, x, n.x, x, n.x, x, n.w, x, xs, y, n.x, y, n.x, y, space, size);
    cudnnRNNBackwardData(n.handle, n.rnn, 4, xs, x, xs, x, n.x, x, n.x, x, n.w, x, n.x, x, n.x, x, xs, y, n.x, y, n.x, y,
                         space, size, space, size);
    cudnnRNNBackwardWeights(n.handle, n.rnn, 4, xs, x, n.x, x, xs, x, space, size, n.w, y, space, size);
    cudnnSetCTCLossDescriptor(n.ctc, CUDNN_DATA_FLOAT);
    cudnnDataType_t type;
    cudnnGetCTCLossDescriptor(n.ctc, &type);
    cudnnGetCTCLossWorkspaceSize(n.handle, n.x, n.y, labels, labels, labels, CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, n.ctc,
                                 &size);
    cudnnCTCLoss(n.handle, n.x, x, labels, labels, labels, y, n.y, y, CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, n.ctc, space,
                 size);
    if (cudnnGetVersion() < 8000) return;
}
