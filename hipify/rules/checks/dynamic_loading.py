"""NVIDIA's libraries loaded while the program runs, and functions of theirs looked up by name: strings stay."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.patterns import lazy
from hipify.rules.compared import is_compared
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.library import map_name
from hipify.rules.member_names import given

LOADED = FindingKind(
    "HPY716",
    Severity.WARNING,
    "NVIDIA library or function looked up at run time",
    "The string names a library of NVIDIA's, or a function in one. ROCm has none of that name, which shows when the "
    "program runs.",
    "Load ROCm's library and look up HIP's names; mind arguments that differ.",
    '#include <dlfcn.h>\nvoid* f() { return dlopen("libcuda.so.1", RTLD_NOW); }\n',
    '#include <dlfcn.h>\nvoid* f() { return dlopen("libamdhip64.so", RTLD_NOW); }\n',
)
_LOADERS = frozenset(b"dlopen LoadLibrary LoadLibraryA LoadLibraryExA LoadLibraryEx lt_dlopen dlmopen".split())
_SEEKERS = frozenset(b"dlsym GetProcAddress dlvsym lt_dlsym".split())
NEEDS = _LOADERS | _SEEKERS
_INSTEAD = {
    b"cuda": "libamdhip64.so",
    b"cudart": "libamdhip64.so",
    b"nvcuda": "amdhip64.dll",
    b"cublas": "libhipblas.so",
    b"cublasLt": "libhipblaslt.so",
    b"cufft": "libhipfft.so",
    b"curand": "libhiprand.so",
    b"cusparse": "libhipsparse.so",
    b"cusolver": "libhipsolver.so",
    b"cudnn": "libMIOpen.so",
    b"nccl": "librccl.so",
    b"nvrtc": "libhiprtc.so",
    b"nvToolsExt": "libroctx64.so",
    b"nvidia-ml": "librocm_smi64.so, with another interface",
    b"cupti": "",
    b"nvJitLink": "",
}
_LIBRARY = lazy(
    rb'"(?:[^"]*[/\\])?(?:lib)?(' + rb"|".join(sorted(_INSTEAD, reverse=True)) + rb")"
    rb'(?:(?:64|32)?(?:_[\d_]+)?\.dll|\.so[.\d]*|[-_.\d]*\.dylib)"\Z'
)
_PREFIXES = frozenset(
    b'"%s"' % word for word in b"cu cuda cublas cublasLt cufft curand cusparse cudnn nccl nvrtc".split()
)
_FUNCTION = lazy(rb'"(\w+)"\Z')


def run(context: Context) -> None:
    """Report the names of libraries anywhere in a file that loads some, and of functions where they are looked up."""
    if context.options.language == "hip":
        return
    words = context.tokens.vocabulary
    for token in sorted(word for word in words if word[-1:] == b'"'):
        library = _LIBRARY.match(token) if not words.isdisjoint(_LOADERS) else None
        function = _FUNCTION.match(token)
        if library is not None:
            _library(context, token, library[1])
        elif function is not None and function[1] in context.library.names:
            _function(context, token, function[1])
        elif token in _PREFIXES:
            _prefix(context, token)
    for seeker in sorted(words & _SEEKERS):
        for index in context.structure.index.get(seeker, ()):
            _stringised(context, index)


def _library(context: Context, token: bytes, name: bytes) -> None:
    instead = _INSTEAD[name]
    message = f"{token.decode('utf-8', 'replace')} is NVIDIA's" + (f"; ROCm has {instead}" if instead else "")
    for index in context.structure.index.get(token, ()):
        if context.is_code(index) and not is_compared(context, index):
            context.find(LOADED, index, message=message)


def _function(context: Context, token: bytes, name: bytes) -> None:
    api = context.library.get(name)
    new = map_name(api, context.target).name if api is not None else ""
    if new == name.decode():
        return
    for index in context.structure.index.get(token, ()):
        if _is_sought(context, index):
            hips = f"HIP's is {new}" if new else "HIP has no counterpart"
            context.find(LOADED, index, message=f"{token.decode()} is looked up; {hips}")


def _prefix(context: Context, token: bytes) -> None:
    """`dlsym(library, "cu" #name)` in a macro."""
    for index in context.structure.index.get(token, ()):
        if context.text(context.structure.next_code(index + 1)) == b"#" and _is_sought(context, index):
            message = f"names that begin with {token.decode()} are looked up; HIP's begin otherwise"
            context.find(LOADED, index, message=message)


def _is_sought(context: Context, index: int) -> bool:
    """Whether a token is an argument of a function that looks up names."""
    opener = context.structure.enclosing(index)
    callee = context.text(context.structure.prev_code(opener - 1)) if opener is not None else b""
    return callee in _SEEKERS and context.is_code(index)


def _stringised(context: Context, seeker: int) -> None:
    """`#define LOAD(f) api.f = dlsym(library, #f)`: report what is given to the macro and keeps CUDA's name."""
    macro, call = context.structure.macro_at(seeker), context.structure.call_at(seeker)
    if macro is None or call is None or len(call.args) < 2:
        return
    words = [context.text(i) for i in context.tokens.significant(call.args[1].first, call.args[1].stop)]
    if len(words) != 2 or words[0] != b"#" or words[1] not in (macro.parameters or ()):
        return
    for index in given(context, context.text(macro.name), (macro.parameters or ()).index(words[1])):
        name = context.text(index)
        api = context.library.get(name)
        if api is None or context.owner(index)[0] is not Owner.USER:
            continue
        new = map_name(api, context.target).name
        if new != name.decode():
            hips = f"HIP's is {new}" if new else "HIP has no counterpart"
            context.find(LOADED, index, message=f'"{name.decode()}" is looked up; {hips}')
