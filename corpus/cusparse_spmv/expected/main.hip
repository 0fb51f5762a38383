// cuSPARSE's generic API: y = alpha*A*x + beta*y with A in CSR.
#include <hip/hip_runtime.h>
#include <hipsparse/hipsparse.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CUSPARSE(func)                                                                           \
    {                                                                                                  \
        hipsparseStatus_t status = (func);                                                              \
        if (status != HIPSPARSE_STATUS_SUCCESS) {                                                       \
            printf("cuSPARSE failed at line %d: %s\n", __LINE__, hipsparseGetErrorString(status));      \
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
    hipMalloc((void **)&dOffsets, (n + 1) * sizeof(int));
    hipMalloc((void **)&dColumns, nnz * sizeof(int));
    hipMalloc((void **)&dValues, nnz * sizeof(float));
    hipMalloc((void **)&dX, n * sizeof(float));
    hipMalloc((void **)&dY, n * sizeof(float));
    hipMemcpy(dOffsets, offsets.data(), (n + 1) * sizeof(int), hipMemcpyHostToDevice);
    hipMemcpy(dColumns, columns.data(), nnz * sizeof(int), hipMemcpyHostToDevice);
    hipMemcpy(dValues, values.data(), nnz * sizeof(float), hipMemcpyHostToDevice);
    hipMemcpy(dX, x.data(), n * sizeof(float), hipMemcpyHostToDevice);
    hipMemcpy(dY, y.data(), n * sizeof(float), hipMemcpyHostToDevice);

    hipsparseHandle_t handle = NULL;
    hipsparseSpMatDescr_t matA;
    hipsparseDnVecDescr_t vecX, vecY;
    void *buffer = NULL;
    size_t bufferSize = 0;
    CHECK_CUSPARSE(hipsparseCreate(&handle))
    CHECK_CUSPARSE(hipsparseCreateCsr(&matA, n, n, nnz, dOffsets, dColumns, dValues, HIPSPARSE_INDEX_32I,
                                     HIPSPARSE_INDEX_32I, HIPSPARSE_INDEX_BASE_ZERO, HIP_R_32F))
    CHECK_CUSPARSE(hipsparseCreateDnVec(&vecX, n, dX, HIP_R_32F))
    CHECK_CUSPARSE(hipsparseCreateDnVec(&vecY, n, dY, HIP_R_32F))
    CHECK_CUSPARSE(hipsparseSpMV_bufferSize(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matA, vecX, &beta, vecY,
                                           HIP_R_32F, HIPSPARSE_SPMV_ALG_DEFAULT, &bufferSize))
    hipMalloc(&buffer, bufferSize);
    CHECK_CUSPARSE(hipsparseSpMV(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matA, vecX, &beta, vecY, HIP_R_32F,
                                HIPSPARSE_SPMV_ALG_DEFAULT, buffer))
    CHECK_CUSPARSE(hipsparseDestroySpMat(matA))
    CHECK_CUSPARSE(hipsparseDestroyDnVec(vecX))
    CHECK_CUSPARSE(hipsparseDestroyDnVec(vecY))
    CHECK_CUSPARSE(hipsparseDestroy(handle))

    hipMemcpy(y.data(), dY, n * sizeof(float), hipMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += std::fabs(y[i] - want[i]) > 1e-4f;
    hipFree(buffer);
    hipFree(dOffsets);
    hipFree(dColumns);
    hipFree(dValues);
    hipFree(dX);
    hipFree(dY);
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
