"""The one table of nvcc's options and CUDA's libraries, and what each is for hipcc.

Makefiles, CMake files, compile databases, `hipify-py flags` and `hipify-py build` all translate commands with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from hipify.patterns import lazy
from hipify.project.build_files.libraries import library
from hipify.project.build_files.quoting import bare, fits, host_options, same_command, unquoted

DEFAULT_ARCHS = ("gfx90a",)
"""The GPUs that a build is for when nobody says: MI200, which every ROCm release since 5 supports."""

NOTE, LOST, UNKNOWN_LIBRARY = "note", "lost", "library"


@dataclass(frozen=True, slots=True)
class Option:
    """An option of nvcc: all its names, whether it takes a value, and the words it becomes.

    In `becomes`, `{}` stands for the value; an empty text drops the option. `SAME` keeps it as it is written.
    """

    names: tuple[str, ...]
    value: bool
    becomes: str
    why: str = ""
    level: str = NOTE


SAME = "="
NO_OBJECT = "-x c++ -c /dev/null -x none"
"""What makes an object with nothing in it, whatever objects the command names."""


def _option(names: str, becomes: str = "", why: str = "", *, value: bool = False, level: str = NOTE) -> Option:
    return Option(tuple(names.split()), value, becomes, why, level)


def _lost(names: str, why: str, *, value: bool = False) -> Option:
    return _option(names, "", why, value=value, level=LOST)


_NO_HOST_COMPILER = "hipcc compiles host code itself, with clang"
_ALWAYS_ON = "clang has it without an option"
_NVIDIA_TOOL = "there is no such tool in the AMD toolchain"

OPTIONS: tuple[Option, ...] = (
    # What is compiled, and how far.
    _option("-c --compile", "-c"),
    _option("-dc --device-c", "-fgpu-rdc -c"),
    _option("-dw --device-w", "-c"),
    _option("-dlink --device-link", NO_OBJECT, "hipcc links device code with the program (-fgpu-rdc --hip-link); the "
            "object of this step is an empty one", level=LOST),
    _option("-link --link"),
    _option("-lib --lib", "--emit-static-lib"),
    _option("-ptx --ptx", "--offload-device-only -S", "AMD has no PTX; this gives the GPU's assembly", level=LOST),
    _option("-cubin --cubin -fatbin --fatbin", "--genco", "the result is a code object for hipModuleLoad", level=LOST),
    _lost("-optix-ir --optix-ir -ltoir --ltoir", "NVIDIA's own format"),
    _lost("-cuda --cuda", "clang has no such intermediate step"),
    _lost("-run --run -clean --clean-targets", "hipcc only compiles", value=False),
    _option("-E --preprocess", "-E"),
    _option("-M --generate-dependencies", "-M"),
    _option("-MM --generate-nonsystem-dependencies", "-MM"),
    _option("-MD --generate-dependencies-with-compile", "-MD"),
    _option("-MMD --generate-nonsystem-dependencies-with-compile", "-MMD"),
    _option("-MF --dependency-output", "-MF {}", value=True),
    _option("-MT --dependency-target-name", "-MT {}", value=True),
    _option("-MP --generate-dependency-targets", "-MP"),
    _option("-x --x", "-x {}", value=True),
    _option("-std --std", "-std={}", value=True),
    _option("-o --output-file", "-o {}", value=True),
    _lost("-odir --output-directory", "name the output with -o", value=True),
    _option("-include --pre-include", "-include {}", value=True),
    _option("-isystem --system-include", "-isystem {}", value=True),
    _option("-U --undefine-macro", "-U{}", value=True),
    _option("-D --define-macro", "-D{}", value=True),
    _option("-I --include-path", "-I{}", value=True),
    _option("-L --library-path", "-L{}", value=True),
    _option("-l --library", "-l{}", value=True),
    _option("-optf --options-file", "@{}", "the options in the file are nvcc's still", value=True, level=LOST),
    # Optimisation and debugging.
    _option("-O --optimize", "-O{}", value=True),
    _option("-g --debug", "-g"),
    _option("-G --device-debug", "-ggdb", "device code is debugged with rocgdb"),
    _option("-lineinfo --generate-line-info", "-gline-tables-only"),
    _option("-src-in-ptx --source-in-ptx", "", "AMD has no PTX"),
    _option("-pg --profile", "-pg"),
    _option("-use_fast_math --use_fast_math", "-ffast-math"),
    _option("-fmad --fmad", "-ffp-contract={fmad}", value=True),
    _option("-ftz --ftz", "{ftz}", value=True),
    _option("-prec-div --prec-div -prec-sqrt --prec-sqrt", "{precise}", value=True),
    _option("-rdc --relocatable-device-code", "{rdc}", value=True),
    _option("-dlto --dlink-time-opt", "-foffload-lto"),
    _lost("-maxrregcount --maxrregcount", "AMD's registers are set by kernel: __launch_bounds__", value=True),
    _option("-extra-device-vectorization --extra-device-vectorization", "", _ALWAYS_ON),
    _option("-restrict --restrict", "", "clang has no option for it; write __restrict__"),
    _option("-default-stream --default-stream", "-fgpu-default-stream={}", value=True),
    _option("-res-usage --resource-usage", "-Rpass-analysis=kernel-resource-usage"),
    # Which GPUs.
    _option("-arch --gpu-architecture", "{arch}", value=True),
    _option("-gencode --generate-code", "{arch}", value=True),
    _option("-code --gpu-code", "", "--offload-arch says it", value=True),
    _lost("-arch-ls --list-gpu-arch -code-ls --list-gpu-code", "`amdgpu-arch` lists the GPUs of this machine"),
    # Options for the tools behind nvcc.
    _option("-Xcompiler --compiler-options", "{words}", value=True),
    _option("-Xlinker --linker-options", "{linker}", value=True),
    _option("-Xarchive --archive-options", "", "hipcc calls no archiver", value=True),
    _option("-Xcuda-ptxas", "{ptxas}", _NVIDIA_TOOL, value=True),
    _option("-Xptxas --ptxas-options", "{ptxas}", _NVIDIA_TOOL, value=True),
    _option("-Xnvlink --nvlink-options -Xfatbin --fatbin-options", "", _NVIDIA_TOOL, value=True),
    _option("-Xcudafe --cudafe-options", "", "its warnings are not clang's", value=True),
    _option("-ccbin --compiler-bindir", "", _NO_HOST_COMPILER, value=True),
    _option("-allow-unsupported-compiler --allow-unsupported-compiler", "", _NO_HOST_COMPILER),
    _option("-forward-unknown-to-host-compiler --forward-unknown-to-host-compiler", "", _NO_HOST_COMPILER),
    _option("-forward-unknown-to-host-linker --forward-unknown-to-host-linker", "", _NO_HOST_COMPILER),
    _option("-forward-unknown-opts --forward-unknown-opts", "", _NO_HOST_COMPILER),
    _option("-forward-slash-prefix-opts --forward-slash-prefix-opts", "", _NO_HOST_COMPILER),
    _option("-cudart --cudart -cudadevrt --cudadevrt", "", "hipcc links amdhip64 by itself", value=True),
    _option("-ldir --libdevice-directory -target-dir --target-directory", "", "the CUDA toolkit's folders", value=True),
    _option("-libs --no-libs", ""),
    _option("-nodlink --no-device-link -noprof --no-profile -nodlto --no-dlto", ""),
    _option("-m --machine", "", "64 bits are the only ones", value=True),
    _option("-m64", "", "64 bits are the only ones"),
    _lost("-m32", "ROCm has no 32-bit programs"),
    # Language extensions that clang always has.
    _option("-expt-extended-lambda --expt-extended-lambda -extended-lambda --extended-lambda", "", _ALWAYS_ON),
    _option("-expt-relaxed-constexpr --expt-relaxed-constexpr", "", _ALWAYS_ON),
    _option("-rdynamic", SAME),
    # Warnings and messages.
    _option("-w --disable-warnings", "-w"),
    _option("-Werror --Werror", "{werror}", value=True),
    _option("-diag-suppress --diag-suppress -diag-warn --diag-warn -diag-error --diag-error", "", "numbers of NVIDIA's "
            "own diagnostics", value=True),
    _option("-err-no --display-error-number -no-err-no --no-display-error-number -disp-err-no", ""),
    _option("-Wno-deprecated-gpu-targets --Wno-deprecated-gpu-targets", ""),
    _option("-Wdefault-stream-launch --Wdefault-stream-launch -Wext-lambda-captures-this "
            "--Wext-lambda-captures-this -Wmissing-launch-bounds --Wmissing-launch-bounds "
            "-Wno-deprecated-declarations-cuda", ""),
    _option("-brief-diag --brief-diagnostics", "", value=True),
    _option("-v --verbose", "-v"),
    _option("-V --version", "--version"),
    _option("-dryrun --dryrun", "-###"),
    _option("-keep --keep -save-temps --save-temps", "--save-temps"),
    _option("-keep-dir --keep-dir", "", "--save-temps=obj keeps them beside the output", value=True),
    _option("-t -threads --threads -split-compile --split-compile", "",
            "hipcc compiles for several GPUs with -parallel-jobs=N", value=True),
    _option("-time --time", "", "-ftime-report is clang's", value=True),
    _option("-fdevice-time-trace --fdevice-time-trace", "-ftime-trace", value=True),
    _option("-static-global-template-stub --static-global-template-stub", "", value=True),
    _option("-jump-table-density --jump-table-density -nohdinitlist --no-host-device-initializer-list", "", value=True),
    _option("-Wno-cudafe", ""),
)  # fmt: skip

_TOOLKIT = lazy(r"(?:/usr/local/cuda|/opt/cuda|/usr/lib/cuda)(?:-\d+(?:\.\d+)?)?(?=[/\s\"':]|\Z)")
ROOT_VARIABLES = lazy(
    r"CUDA_?(?:PATH|HOME|ROOT|DIR|TOOLKIT_(?:HOME|PATH|ROOT|DIR)|TOOLKIT|TOOLKIT_ROOT_DIR|BASE|BASE_DIR|PREFIX|LOC"
    r"|INSTALL_PATH|INSTALL_DIR|ROOT_DIR)|NVCC_HOME"
)
"""Variables that by custom hold the CUDA toolkit's folder."""
ROCM_VARIABLE = "ROCM_PATH"
ROCM_ROOT = "/opt/rocm"

SM = lazy(r"(?:sm|compute|lto)_\d+[af]?\Z")
_INPUT = lazy(r"\A(?!-).*\.(?:cu|c|cc|cpp|cxx)\Z|\A\$[<^?+]\Z")
_VARIABLE = lazy(r"\$\(\w+\)\Z|\$\{\w+\}\Z")
_OLD_STANDARD = lazy(r"(c|gnu)\+\+(?:98|03|0x|11|1y|14)\Z")
_BARE = ("native", "all", "all-major")


@dataclass(frozen=True, slots=True)
class Change:
    """Words [first, stop) become `words`. `why` tells a person what is lost; `level` how bad that is."""

    first: int
    stop: int
    words: tuple[str, ...]
    why: str = ""
    level: str = NOTE


@cache
def _by_name() -> dict[str, Option]:
    return {name: option for option in OPTIONS for name in option.names}


_JOINED = ("-D", "-U", "-I", "-L", "-l", "-O", "-x", "-t", "-m")


class Translator:
    """Translates the words of nvcc commands; one for each command, so that architectures are said once."""

    def __init__(self, archs: Sequence[str] = (), roc: bool = False, cxx17: bool = False) -> None:
        self._archs = tuple(archs) or DEFAULT_ARCHS
        self._roc = roc
        self._cxx17 = cxx17
        self._said_archs: set[str] = set()
        self._said_libraries: set[str] = set()

    def changes(self, words: Sequence[str]) -> Iterator[Change]:
        """What is to be changed in a command's words; the program's own name is not looked at."""
        at = 0
        while at < len(words):
            stop, name, value = self._read(words, at)
            change = self._change(words, at, stop, name, value)
            if change is not None:
                yield change
            at = stop

    def _read(self, words: Sequence[str], at: int) -> tuple[int, str, str | None]:
        """Where the option at a word ends, its name ('' for another word) and its value."""
        word = words[at]
        if not word.startswith("-") or word == "-":
            return at + 1, "", None
        name, equals, value = word.partition("=")
        option = _by_name().get(name)
        if option is not None and (equals or not option.value):
            return at + 1, name, value if equals else None
        if option is not None:
            if _optional(name) and (at + 1 >= len(words) or not _is_value(name, words[at + 1])):
                return at + 1, name, None
            return (at + 2, name, words[at + 1]) if at + 1 < len(words) else (at + 1, name, None)
        for short in _JOINED:
            if word.startswith(short) and not word.startswith("--") and fits(short, word[2:]):
                return at + 1, short, word[2:]
        return at + 1, name, None

    def _change(self, words: Sequence[str], at: int, stop: int, name: str, value: str | None) -> Change | None:
        option = _by_name().get(name)
        if option is None:
            new = path(words[at]) if not name else words[at]
            return Change(at, stop, (new,)) if new != words[at] else None
        if option.becomes == SAME:
            return None
        if option.value and value is None:
            return None  # its value is in another variable, or missing: whoever reads the command must see it
        if name in ("-l", "--library"):
            return self._libraries(words, at, stop, value or "")
        made, why, level = self._made(option, name, bare(value or ""), value or "")
        if list(made) == list(words[at:stop]) or (not made and stop == at):
            return None
        if same_command(made, words[at:stop]):
            return None
        return Change(at, stop, tuple(made), why, level)

    def _made(self, option: Option, name: str, value: str, raw: str) -> tuple[list[str], str, str]:
        """The words for an option, why something is lost, and how bad that is."""
        kind = option.becomes
        why = f"{name}: {option.why}" if option.why else ""
        if kind == "{arch}":
            return self._arch(name, value)
        if kind == "{words}":
            items = host_options(unquoted(raw))
            kept = [item for item in items if not item.startswith("/")]
            lost = [item for item in items if item.startswith("/")]
            return kept, f"{', '.join(lost)}: options of Microsoft's compiler" if lost else "", LOST if lost else NOTE
        if kind == "{ptxas}":
            return _ptxas(name, value)
        if kind in _SWITCHES:
            made = _SWITCHES[kind].get(value.lower())
            if made is None:
                return [], f"{name}={value}: the value is not known here", LOST
            return made.split(), why, option.level
        if kind == "-ffp-contract={fmad}":
            return [f"-ffp-contract={'off' if value == 'false' else 'fast'}"], "", NOTE
        if kind == "-std={}" and self._cxx17 and (old := _OLD_STANDARD.match(value)):
            return [f"-std={old[1]}++17"], f"{name}={value}: ROCm's Thrust, CUB and rocWMMA need C++17", NOTE
        if kind == "-x {}":
            return ["-x", "hip" if value == "cu" else value], "", NOTE
        if kind == "{linker}":
            raw = raw[2:-2] if raw.startswith('\\"') and raw.endswith('\\"') and len(raw) > 3 else raw
            return [f"-Wl,{raw}" if "," in raw or raw[:1] in "\"'" else f"-Xlinker {raw}"], "", NOTE
        if kind in ("-I{}", "-L{}", "-isystem {}"):
            return _folders(kind, raw)
        return [word.replace("{}", raw) for word in kind.split()], why, option.level

    def _arch(self, name: str, value: str) -> tuple[list[str], str, str]:
        named = [part.rpartition("=")[2].strip("[]\"'") for part in value.split(",")]
        if len(named) == 1 and _VARIABLE.match(named[0]):
            return [f"--offload-arch={named[0]}"], "", NOTE
        archs = [] if value in _BARE[:1] else list(self._archs)
        made = [f"--offload-arch={arch}" for arch in archs or ["native"] if arch not in self._said_archs]
        self._said_archs.update(archs or ["native"])
        # Said once a command: further options for more of NVIDIA's GPUs add nothing.
        why = f"{name} {value}: now {', '.join(archs)}" if archs and made else ""
        return made, why, NOTE

    def _libraries(self, words: Sequence[str], at: int, stop: int, value: str) -> Change | None:
        names = value.split(",") if "," in value else [value]
        made: list[str] = []
        why = []
        for name in names:
            new, lost = library(name, self._roc)
            if new and (new == name or new not in self._said_libraries):
                made.append(f"-l{new}")
                self._said_libraries.add(new)
            if lost:
                why.append(f"-l{name}: {lost}")
        if made == [f"-l{value}"] and not why:
            return None
        return Change(at, stop, tuple(made), "; ".join(why), UNKNOWN_LIBRARY if why else NOTE)


def path(text: str) -> str:
    """A text with the CUDA toolkit's folders replaced by ROCm's."""
    new = _TOOLKIT.sub(ROCM_ROOT, text)
    if ROCM_ROOT in new or f"({ROCM_VARIABLE})" in new or f"{{{ROCM_VARIABLE}}}" in new:
        new = re.sub(r"/(?:targets/x86_64-linux/)?lib64?(?:/stubs)?(?=[/\s\"':]|\Z)", "/lib", new)
        new = re.sub(r"/bin/nvcc(?=[\s\"']|\Z)", "/bin/hipcc", new)
    return new


def is_toolkit(folder: str) -> bool:
    """Whether a folder is one of the CUDA toolkit's, by its name or by the variable that it starts with."""
    variable = re.match(r"\$[({](\w+)[)}]", folder)
    return bool(_TOOLKIT.search(folder)) or bool(variable and ROOT_VARIABLES.fullmatch(variable[1]))


def is_nvcc(word: str) -> bool:
    """Whether a word names nvcc."""
    return re.search(r"(?:\A|[/\\])nvcc(?:\.exe)?\Z", word) is not None


def language_first(words: Sequence[str], translator: Translator) -> list[Change]:
    """The changes to a command's words; nvcc's `-x cu` is about all inputs, clang's about those behind it."""
    changes = list(translator.changes(words))
    at = next((i for i, change in enumerate(changes) if change.words == ("-x", "hip")), None)
    first = next((i for i, word in enumerate(words) if _INPUT.search(word)), len(words))
    if at is None or changes[at].first < first or any(c.first <= first < c.stop for c in changes):
        return changes
    late = changes[at]
    changes[at] = Change(late.first, late.stop, (), late.why, late.level)
    return sorted([*changes, Change(first, first + 1, ("-x", "hip", words[first]))], key=lambda change: change.first)


def translate_command(
    words: Sequence[str], archs: Sequence[str] = (), roc: bool = False, cxx17: bool = False
) -> tuple[list[str], list[Change]]:
    """A whole nvcc command, its program first, as one for hipcc, and what was changed in it."""
    at = next((i for i, word in enumerate(words) if is_nvcc(word)), 0)
    made, rest = list(words[:at]), list(words[at + 1 :])
    made.append("hipcc" if "/" not in words[at] or path(words[at]) == words[at] else path(words[at]))
    changes = language_first(rest, Translator(archs, roc, cxx17))
    done = 0
    for change in changes:
        made += [*rest[done : change.first], *change.words]
        done = change.stop
    return made + rest[done:], changes


_SWITCHES: dict[str, dict[str, str]] = {
    "{ftz}": {"true": "-fgpu-flush-denormals-to-zero", "false": "-fno-gpu-flush-denormals-to-zero"},
    "{precise}": {
        "true": "-fhip-fp32-correctly-rounded-divide-sqrt",
        "false": "-fno-hip-fp32-correctly-rounded-divide-sqrt",
    },
    "{rdc}": {"true": "-fgpu-rdc", "false": "-fno-gpu-rdc"},
    "{werror}": {"all-warnings": "-Werror", "cross-execution-space-call": "", "reorder": "-Werror=reorder",
                 "default-stream-launch": "", "deprecated-declarations": "-Werror=deprecated-declarations",
                 "missing-launch-bounds": "", "ext-lambda-captures-this": ""},
}  # fmt: skip


def _ptxas(name: str, value: str) -> tuple[list[str], str, str]:
    parts = value.split(",")
    made = ["-Rpass-analysis=kernel-resource-usage"] if {"-v", "--verbose"} & set(parts) else []
    lost = [part for part in parts if part not in ("-v", "--verbose", "-warn-spills", "--warn-on-spills")]
    plain = all(re.match(r"-O\d\Z", part) for part in lost)
    why = f"{name} {','.join(lost)}: {_NVIDIA_TOOL}" if lost else ""
    return made, why, NOTE if plain else LOST


def _folders(kind: str, raw: str) -> tuple[list[str], str, str]:
    folders = raw.split(",")
    words = [word for folder in folders for word in kind.replace("{}", path(folder)).split(" ", 1)]
    if kind != "-L{}" and any(is_toolkit(folder) for folder in folders):
        words.append("-D__HIP_PLATFORM_AMD__")  # hipcc says this itself, other compilers do not
    return words, "", NOTE


def _optional(name: str) -> bool:
    """Whether an option's value may be missing: `-O`, `-Werror` and the like stand alone, too."""
    return name in ("-O", "--optimize", "-Werror", "--Werror", "-t", "-m", "-x", "-fdevice-time-trace")


def _is_value(name: str, word: str) -> bool:
    return name == "-x" or name == "--optimize" or (name in ("--Werror", "-Werror") and word in _SWITCHES["{werror}"])
