"""Environment variables of CUDA's runtime, by their names in string literals: HIP's has others."""

from __future__ import annotations

from hipify.model import Severity
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

ENVIRONMENT = FindingKind(
    "HPY122",
    Severity.WARNING,
    "environment variable that CUDA's runtime reads and HIP's does not",
    "The program sets it or asks for it; with HIP it has no effect.",
    "Use the variable of HIP's where there is one (AMD_SERIALIZE_KERNEL=3 for CUDA_LAUNCH_BLOCKING=1).",
    "#include <cuda_runtime.h>\n#include <cstdlib>\n"
    'void f() { setenv("CUDA_LAUNCH_BLOCKING", "1", 1); cudaFree(0); }\n',
    "#include <hip/hip_runtime.h>\n#include <cstdlib>\n"
    'void f() { setenv("AMD_SERIALIZE_KERNEL", "3", 1); (void)hipFree(0); }\n',
)
# What stands for each in HIP's runtime; CUDA_VISIBLE_DEVICES is read by both.
_VARIABLES = {
    b'"CUDA_LAUNCH_BLOCKING"': "AMD_SERIALIZE_KERNEL=3",
    b'"CUDA_DEVICE_ORDER"': "",
    b'"CUDA_DEVICE_MAX_CONNECTIONS"': "GPU_MAX_HW_QUEUES",
    b'"CUDA_MODULE_LOADING"': "",
    b'"CUDA_CACHE_DISABLE"': "",
    b'"CUDA_CACHE_PATH"': "",
    b'"CUDA_CACHE_MAXSIZE"': "",
    b'"CUDA_FORCE_PTX_JIT"': "",
    b'"CUDA_DISABLE_PTX_JIT"': "",
    b'"CUDA_MANAGED_FORCE_DEVICE_ALLOC"': "",
    b'"CUDA_AUTO_BOOST"': "",
    b'"CUDA_MPS_PIPE_DIRECTORY"': "",
    b'"CUDA_MPS_LOG_DIRECTORY"': "",
    b'"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"': "",
    b'"NVIDIA_TF32_OVERRIDE"': "",
}
_NAMES = frozenset(_VARIABLES)
NEEDS = _NAMES


def run(context: Context) -> None:
    """Report each of the names."""
    for name in sorted(_NAMES & context.tokens.vocabulary):
        ours = _VARIABLES[name]
        shown = name.strip(b'"').decode()
        message = f"{shown} is none of HIP's; {ours} comes nearest" if ours else f"{shown} is none of HIP's"
        for index in context.structure.index.get(name, ()):
            if context.is_code(index):
                context.find(ENVIRONMENT, index, message=message)
