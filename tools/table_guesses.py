"""HIP names that a CUDA name may have by HIP's own naming habit.

A guess counts only when clang finds it in the headers. The facts were
gathered from older headers; a release may have grown the counterpart since.
"""

from __future__ import annotations

import re

_HABITS: tuple[tuple[str, str], ...] = (
    (r"cuda(?=[A-Z])", "hip"),
    (r"CUDA_(?=[A-Z])", "HIP_"),
    (r"CUDART_(?=[A-Z0-9])", "HIPRT_"),
    (r"CUDART_(?=[A-Z0-9])", "HIP_"),
    (r"CU_(?=[A-Z])", "HIP_"),
    (r"nvrtc(?=[A-Z])", "hiprtc"),
    (r"NVRTC_", "HIPRTC_"),
    (r"cu(?=blas|fft|rand|sparse|solver|tensor)", "hip"),
    (r"CU(?=BLAS|FFT|RAND|SPARSE|SOLVER|TENSOR)", "HIP"),
    (r"cu(?=[A-Z])", "hip"),
    (r"CU(?=[a-z])", "hip"),
    (r"cub::", "hipcub::"),
    (r"CUB_", "HIPCUB_"),
    (r"__nv_(?=[a-z])", "__hip_"),
    (r"__NV_", "__HIP_"),
    (r"nvtx(?=[A-Z])", "roctx"),
)


def guesses(name: str) -> list[str]:
    """The names to look for: the very name, then what the habits make of it."""
    made = [] if name.startswith("cub::") else [name]
    made += [re.sub(rf"\A{before}", after, name) for before, after in _HABITS if re.match(before, name)]
    return list(dict.fromkeys(made))
