"""The numbers of CUDA error codes that HIP has no name for: HIP never returns them, and code may name them still."""

from __future__ import annotations

from functools import cache

_TYPES = {"hipError_t": "cudaError CUDA_ERROR_", "hipfftResult": "CUFFT_", "hipsolverStatus_t": "CUSOLVER_STATUS_"}
_NUMBERS = """
cudaErrorInvalidHostPointer 16
cudaErrorInvalidTextureBinding 19
cudaErrorAddressOfConstant 22
cudaErrorTextureFetchFailed 23
cudaErrorTextureNotBound 24
cudaErrorSynchronizationError 25
cudaErrorInvalidFilterSetting 26
cudaErrorInvalidNormSetting 27
cudaErrorMixedDeviceExecution 28
cudaErrorNotYetImplemented 31
cudaErrorMemoryValueTooLarge 32
cudaErrorStubLibrary CUDA_ERROR_STUB_LIBRARY 34
cudaErrorCallRequiresNewerDriver 36
cudaErrorInvalidSurface 37
cudaErrorDuplicateVariableName 43
cudaErrorDuplicateTextureName 44
cudaErrorDuplicateSurfaceName 45
cudaErrorDevicesUnavailable CUDA_ERROR_DEVICE_UNAVAILABLE 46
cudaErrorIncompatibleDriverContext 49
cudaErrorLaunchMaxDepthExceeded 65
cudaErrorLaunchFileScopedTex 66
cudaErrorLaunchFileScopedSurf 67
cudaErrorSyncDepthExceeded 68
cudaErrorLaunchPendingCountExceeded 69
cudaErrorDeviceNotLicensed CUDA_ERROR_DEVICE_NOT_LICENSED 102
cudaErrorSoftwareValidityNotEstablished 103
cudaErrorStartupFailure 127
cudaErrorNvlinkUncorrectable CUDA_ERROR_NVLINK_UNCORRECTABLE 220
cudaErrorJitCompilerNotFound CUDA_ERROR_JIT_COMPILER_NOT_FOUND 221
cudaErrorUnsupportedPtxVersion CUDA_ERROR_UNSUPPORTED_PTX_VERSION 222
cudaErrorJitCompilationDisabled CUDA_ERROR_JIT_COMPILATION_DISABLED 223
cudaErrorUnsupportedExecAffinity CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY 224
cudaErrorUnsupportedDevSideSync CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC 225
cudaErrorLossyQuery CUDA_ERROR_LOSSY_QUERY 402
cudaErrorLaunchIncompatibleTexturing CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING 703
cudaErrorTooManyPeers CUDA_ERROR_TOO_MANY_PEERS 711
cudaErrorHardwareStackError CUDA_ERROR_HARDWARE_STACK_ERROR 714
cudaErrorIllegalInstruction CUDA_ERROR_ILLEGAL_INSTRUCTION 715
cudaErrorMisalignedAddress CUDA_ERROR_MISALIGNED_ADDRESS 716
cudaErrorInvalidAddressSpace CUDA_ERROR_INVALID_ADDRESS_SPACE 717
cudaErrorInvalidPc CUDA_ERROR_INVALID_PC 718
cudaErrorNotPermitted CUDA_ERROR_NOT_PERMITTED 800
cudaErrorSystemNotReady CUDA_ERROR_SYSTEM_NOT_READY 802
cudaErrorSystemDriverMismatch CUDA_ERROR_SYSTEM_DRIVER_MISMATCH 803
cudaErrorCompatNotSupportedOnDevice CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE 804
cudaErrorMpsConnectionFailed CUDA_ERROR_MPS_CONNECTION_FAILED 805
cudaErrorMpsRpcFailure CUDA_ERROR_MPS_RPC_FAILURE 806
cudaErrorMpsServerNotReady CUDA_ERROR_MPS_SERVER_NOT_READY 807
cudaErrorMpsMaxClientsReached CUDA_ERROR_MPS_MAX_CLIENTS_REACHED 808
cudaErrorMpsMaxConnectionsReached CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED 809
cudaErrorMpsClientTerminated CUDA_ERROR_MPS_CLIENT_TERMINATED 810
cudaErrorCdpNotSupported CUDA_ERROR_CDP_NOT_SUPPORTED 811
cudaErrorCdpVersionMismatch CUDA_ERROR_CDP_VERSION_MISMATCH 812
cudaErrorTimeout CUDA_ERROR_TIMEOUT 909
cudaErrorExternalDevice CUDA_ERROR_EXTERNAL_DEVICE 1911
cudaErrorFunctionNotLoaded CUDA_ERROR_FUNCTION_NOT_LOADED 913
cudaErrorApiFailureBase 2047
CUFFT_LICENSE_ERROR 15
CUSOLVER_STATUS_INVALID_LICENSE 15
"""
# 911 is hipErrorInvalidChannelDescriptor, CUSOLVER's 11 HIPSOLVER_STATUS_UNKNOWN, 10000 more than HIP's enum may hold.


@cache
def _numbers() -> dict[str, str]:
    return {name: line.split()[-1] for line in _NUMBERS.splitlines() for name in line.split()[:-1]}


def error_number(name: str) -> str:
    """A constant of HIP's type that no enumerator has, for a CUDA error code without a counterpart; '' for others."""
    number = _numbers().get(name)
    if number is None:
        return ""
    hip_type = next(t for t, beginnings in _TYPES.items() if name.startswith(tuple(beginnings.split())))
    return f"({hip_type}){number} /* {name} */"
