// cuSPARSE's generic API: y = alpha*A*x + beta*y with A in CSR.
#include <cuda_runtime.h>
#include <cusparse.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CUSPARSE(func)                                                                           \
    {                                                                                                  \
        cusparseStatus_t status = (func);                                                              \
        if (status != CUSPARSE_STATUS_SUCCESS) {                                                       \
            printf("cuSPARSE failed at line %d: %s\n", __LINE__, cusparseGetErrorString(status));      \
            return EXIT_FAILURE;                                                                       \
        }                                                                                              \
    }

int main()
{
    const int n = 500;
    std::vector<int> offsets(1, 0), columns;
    std::vector<float> values, x(n), y(n, 1.0f), want(n);
    for (int i = 0; i < n; ++i) {
        for (int j = i - 1; j <= i + 1; ++j) {
            if (j < 0 || j >= n) continue;
            columns.push_back(j);
            values.push_back(i == j ? 2.0f : -1.0f);
        }
        offsets.push_back((int)columns.size());
        x[i] = (float)(i % 11);
    }
    const int nnz = (int)values.size();
    float alpha = 1.5f, beta = 0.5f;
    for (int i = 0; i < n; ++i) {
        float sum = 0;
        for (int k = offsets[i]; k < offsets[i + 1]; ++k) sum += values[k] * x[columns[k]];
        want[i] = alpha * sum + beta * y[i];
    }

    int *dOffsets, *dColumns;
    float *dValues, *dX, *dY;
    cudaMalloc((void **)&dOffsets, (n + 1) * sizeof(int));
    cudaMalloc((void **)&dColumns, nnz * sizeof(int));
    cudaMalloc((void **)&dValues, nnz * sizeof(float));
    cudaMalloc((void **)&dX, n * sizeof(float));
    cudaMalloc((void **)&dY, n * sizeof(float));
    cudaMemcpy(dOffsets, offsets.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dColumns, columns.data(), nnz * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dValues, values.data(), nnz * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dX, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dY, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);

    cusparseHandle_t handle = NULL;
    cusparseSpMatDescr_t matA;
    cusparseDnVecDescr_t vecX, vecY;
    void *buffer = NULL;
    size_t bufferSize = 0;
    CHECK_CUSPARSE(cusparseCreate(&handle))
    CHECK_CUSPARSE(cusparseCreateCsr(&matA, n, n, nnz, dOffsets, dColumns, dValues, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F))
    CHECK_CUSPARSE(cusparseCreateDnVec(&vecX, n, dX, CUDA_R_32F))
    CHECK_CUSPARSE(cusparseCreateDnVec(&vecY, n, dY, CUDA_R_32F))
    CHECK_CUSPARSE(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matA, vecX, &beta, vecY,
                                           CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bufferSize))
    cudaMalloc(&buffer, bufferSize);
    CHECK_CUSPARSE(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matA, vecX, &beta, vecY, CUDA_R_32F,
                                CUSPARSE_SPMV_ALG_DEFAULT, buffer))
    CHECK_CUSPARSE(cusparseDestroySpMat(matA))
    CHECK_CUSPARSE(cusparseDestroyDnVec(vecX))
    CHECK_CUSPARSE(cusparseDestroyDnVec(vecY))
    CHECK_CUSPARSE(cusparseDestroy(handle))

    cudaMemcpy(y.data(), dY, n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += std::fabs(y[i] - want[i]) > 1e-4f;
    cudaFree(buffer);
    cudaFree(dOffsets);
    cudaFree(dColumns);
    cudaFree(dValues);
    cudaFree(dX);
    cudaFree(dY);
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
