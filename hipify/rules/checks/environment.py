"""What strings tell of NVIDIA's software: environment variables, tools that a program runs, places of files."""

from __future__ import annotations

from hipify.model import Severity
from hipify.patterns import lazy
from hipify.rules.compared import is_compared
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
TOOL = FindingKind(
    "HPY717",
    Severity.WARNING,
    "tool or file of NVIDIA's in a string",
    "The program runs a tool of CUDA's or the driver's, or opens one of their files: where there is no NVIDIA software "
    "it finds none.",
    "Run ROCm's tool, or leave it out.",
    '#include <cstdlib>\nint f() { return system("nvcc -ptx kernel.cu"); }\n',
    '#include <cstdlib>\nint f() { return system("hipcc --genco kernel.hip"); }\n',
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
_SET = lazy(rb'("CUDA_[A-Z_]+|"NVIDIA_TF32_OVERRIDE)=[^"]*"\Z')
_HOMES = frozenset((b'"CUDA_HOME"', b'"CUDA_PATH"', b'"CUDA_ROOT"', b'"CUDA_TOOLKIT_ROOT_DIR"'))
_TOOLS = {
    b"nvcc": "hipcc",
    b"nvidia-smi": "rocm-smi or amd-smi",
    b"nvprof": "rocprofv3",
    b"nsys": "rocprofv3",
    b"ncu": "rocprof-compute",
    b"cuda-gdb": "rocgdb",
    b"cuobjdump": "llvm-objdump",
    b"nvdisasm": "llvm-objdump",
    **dict.fromkeys((b"ptxas", b"fatbinary", b"nvlink", b"cuda-memcheck", b"compute-sanitizer", b"cicc"), ""),
}
_COMMAND = lazy(rb'"(?:[^" ]*/)?(' + b"|".join(sorted(_TOOLS, reverse=True)) + rb')(?:\.exe)?((?: [^"]*)?)"\Z')
_PLACE = lazy(
    rb'"(?:-I *|-L *|--?[a-z-]+=)?(/usr/local/cuda|/opt/cuda|/proc/driver/nvidia|/dev/nvidia)(?![a-z])[^"]*"\Z'
)
_RUNNERS = frozenset(
    b"system popen _popen execl execlp execle execv execvp execvpe posix_spawn posix_spawnp CreateProcess "
    b"CreateProcessA _wsystem ShellExecute ShellExecuteA".split()
)
NEEDS = _NAMES | _RUNNERS | {b'"CUDA_*', b'"NVIDIA_TF32_OVERRIDE*', b"*/cuda*", b"*/nvidia*"}


def run(context: Context) -> None:
    """Report each of them."""
    vocabulary = context.tokens.vocabulary
    for token in context.tokens.beginning((b'"CUDA_', b'"NVIDIA_')):
        name = match[1] + b'"' if (match := _SET.match(token)) else token
        if name in _NAMES:
            _variable(context, token, name)
    if context.options.language == "hip":
        return
    runs = not vocabulary.isdisjoint(_RUNNERS)
    for token in sorted(t for t in vocabulary if t[-1:] == b'"'):
        if token in _HOMES:
            message = f"{token.decode()} is the place of NVIDIA's software; ROCM_PATH is that of ROCm"
            _tell(context, token, message, severity=Severity.NOTE)
        elif place := _PLACE.match(token):
            _tell(context, token, f"{place[1].decode()} is a place of NVIDIA's software")
        elif runs and (command := _COMMAND.match(token)):
            ours = _TOOLS[command[1]]
            message = f"{command[1].decode()} is NVIDIA's" + (f"; ROCm has {ours}" if ours else "")
            _tell(context, token, message, is_run=not command[2].startswith(b" -"))


def _variable(context: Context, token: bytes, name: bytes) -> None:
    ours = _VARIABLES[name]
    shown = name.strip(b'"').decode()
    message = f"{shown} is none of HIP's; {ours} comes nearest" if ours else f"{shown} is none of HIP's"
    for index in context.structure.index.get(token, ()):
        if context.is_code(index):
            context.find(ENVIRONMENT, index, message=message)


def _tell(
    context: Context, token: bytes, message: str, *, is_run: bool = False, severity: Severity | None = None
) -> None:
    """Report a string where it is neither looked for nor, unless it is a command by its options, given to another."""
    structure = context.structure
    for index in structure.index.get(token, ()):
        opener = structure.enclosing(index)
        callee = context.text(structure.prev_code(opener - 1)) if opener is not None else b""
        if context.is_code(index) and not is_compared(context, index) and (not is_run or callee in _RUNNERS):
            context.find(TOOL, index, message=message, severity=severity)
