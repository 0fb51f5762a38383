"""Tools and places of NVIDIA's software in strings, and variables that are set with their values."""

from __future__ import annotations

import pytest

import hipify


def told(code: str) -> list[tuple[str, str]]:
    """Id and message of what is said about strings."""
    result = hipify.translate_source(f"void f() {{ {code} }}\n".encode(), "t.cu", hipify.Options(clang=False))
    return [(f.id, f.message) for f in result.findings if f.id in ("HPY122", "HPY717")]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ('system("nvcc -ptx k.cu");', "nvcc is NVIDIA's; ROCm has hipcc"),
        ('popen("/usr/bin/nvidia-smi", "r");', "nvidia-smi is NVIDIA's; ROCm has rocm-smi or amd-smi"),
        ('std::string c = "nvcc -o " + name; system(c.c_str());', "nvcc is NVIDIA's; ROCm has hipcc"),
        ('system("compute-sanitizer ./a");', "compute-sanitizer is NVIDIA's"),
        ('open("/usr/local/cuda/lib64/x");', "/usr/local/cuda is a place of NVIDIA's software"),
        ('add("-I/usr/local/cuda/include");', "/usr/local/cuda is a place of NVIDIA's software"),
        ('getenv("CUDA_HOME");', '"CUDA_HOME" is the place of NVIDIA\'s software; ROCM_PATH is that of ROCm'),
        ('open("/proc/driver/nvidia/version");', "/proc/driver/nvidia is a place of NVIDIA's software"),
    ],
)
def test_tools_and_places(code: str, message: str) -> None:
    assert told(code) == [("HPY717", message)]


@pytest.mark.parametrize(
    "code",
    [
        'puts("nvcc"); system("ls");',
        'puts("nvcc -o a");',
        'system("make nvcc");',
        'if (path == "/usr/local/cuda") system("ls");',
        'puts("see /usr/local/cuda");',
        'open("/usr/local/cudafoo");',
        'getenv("CUDA_VISIBLE_DEVICES"); getenv("MY_CUDA_HOME");',
    ],
)
def test_strings_that_say_nothing(code: str) -> None:
    assert told(code) == []


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ('putenv("CUDA_CACHE_DISABLE=1");', "CUDA_CACHE_DISABLE is none of HIP's"),
        (
            'setenv("CUDA_LAUNCH_BLOCKING", "1", 1);',
            "CUDA_LAUNCH_BLOCKING is none of HIP's; AMD_SERIALIZE_KERNEL=3 comes nearest",
        ),
    ],
)
def test_variables(code: str, message: str) -> None:
    assert told(code) == [("HPY122", message)]
