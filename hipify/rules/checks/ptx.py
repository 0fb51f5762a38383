"""Inline PTX in device code: every asm statement with its opcodes, and what each of them is for."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.functions import AsmStatement
from hipify.parser.ptx import opcodes, special_registers, template_text
from hipify.parser.structure import Macro
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

INLINE_PTX = FindingKind(
    "HPY401",
    Severity.ERROR,
    "inline PTX",
    "PTX is NVIDIA's virtual ISA. clang hands the text to the AMDGCN assembler, which rejects it.",
    "Write the statement in C++ or with a builtin; keep the PTX behind #ifndef __HIP_PLATFORM_AMD__.",
    '__device__ unsigned sms() {\n    unsigned r;\n    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(r));\n'
    "    return r;\n}\n",
    "__device__ unsigned sms(unsigned multiprocessors) {\n    return multiprocessors;\n}\n",
)
TENSOR_PTX = FindingKind(
    "HPY402",
    Severity.ERROR,
    "inline PTX for tensor cores",
    "The instruction and its register layout exist on NVIDIA GPUs only; AMD's matrix instructions (MFMA, WMMA) have "
    "other shapes and layouts.",
    "Use rocWMMA, Composable Kernel, or __builtin_amdgcn_mfma_… and __builtin_amdgcn_wmma_….",
    '__device__ void f(unsigned& a, unsigned p) {\n    asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" '
    ': "=r"(a) : "r"(p));\n}\n',
    "#include <rocwmma/rocwmma.hpp>\n",
)
ASYNC_PTX = FindingKind(
    "HPY403",
    Severity.ERROR,
    "inline PTX for asynchronous copies, barriers or clusters",
    "AMD GPUs have no such copy engine, barrier object or thread block cluster under these names.",
    "Copy through registers with __syncthreads() behind it; exchange between blocks through global memory.",
    '__device__ void f() {\n    asm volatile("cp.async.bulk.commit_group;");\n}\n',
    "__device__ void f() {\n    __syncthreads();\n}\n",
)

_TENSOR = ("mma", "wmma", "wgmma", "ldmatrix", "stmatrix", "movmatrix", "tcgen05")
_ASYNC = (
    "cp.async", "cp.reduce.async", "mbarrier", "barrier.cluster", "setmaxnreg", "mapa", "multimem", "griddepcontrol",
    "clusterlaunchcontrol", "st.async", "red.async", "fence.proxy", "fence.mbarrier_init", "elect", "tensormap",
    "getctarank", "prefetchu.L1", "discard", "applypriority", "createpolicy",
)  # fmt: skip
_HINTS = {
    "%laneid": "__lane_id()",
    "%smid": "__smid()",
    "%warpid": "threadIdx.x / warpSize (in a one-dimensional block)",
    "%clock": "clock()",
    "%clock64": "clock64()",
    "%globaltimer": "wall_clock64()",
    "%lanemask_lt": "__lanemask_lt()",
    "%lanemask_le": "__lanemask_le()",
    "%lanemask_gt": "__lanemask_gt()",
    "%lanemask_ge": "__lanemask_ge()",
    "%lanemask_eq": "__lanemask_eq()",
    "%dynamic_smem_size": "a kernel argument",
}
_OPCODE_HINTS = (
    ("prefetch", "__builtin_prefetch(p), or nothing: it is a hint"),
    ("membar.gl", "__threadfence()"),
    ("membar.cta", "__threadfence_block()"),
    ("membar.sys", "__threadfence_system()"),
    ("fence.acq_rel.gpu", "__threadfence()"),
    ("fence.acq_rel.sys", "__threadfence_system()"),
    ("fence.acq_rel.cta", "__threadfence_block()"),
    ("bar.sync", "__syncthreads(), which all threads of the block must reach"),
    ("barrier.sync", "__syncthreads(), which all threads of the block must reach"),
    ("bar.warp.sync", "__syncwarp()"),
    ("exit", "return, or __builtin_amdgcn_endpgm()"),
    ("trap", "__builtin_trap()"),
    ("brkpt", "__builtin_debugtrap()"),
    ("nanosleep", "__builtin_amdgcn_s_sleep(n)"),
    ("vote", "__ballot(), __any(), __all()"),
    ("shfl", "__shfl(), __shfl_up(), __shfl_down(), __shfl_xor()"),
    ("match", "__match_any(), __match_all()"),
    ("activemask", "__activemask()"),
    ("redux", "a shuffle reduction"),
    ("lop3", "the logic function spelled with & | ^ ~"),
    ("prmt", "__byte_perm()"),
    ("bfe", "shift and mask, or __builtin_amdgcn_ubfe(), __builtin_amdgcn_sbfe()"),
    ("bfi", "shift and mask"),
    ("brev", "__brev()"),
    ("clz", "__clz()"),
    ("popc", "__popc()"),
    ("shf", "__funnelshift_l(), __funnelshift_r()"),
    ("dp4a", "__builtin_amdgcn_sdot4(), or four multiply-adds"),
    ("ex2.approx", "exp2f()"),
    ("lg2.approx", "log2f()"),
    ("rcp.approx", "1.0f / x"),
    ("rsqrt.approx", "rsqrtf()"),
    ("sin.approx", "__sinf()"),
    ("cos.approx", "__cosf()"),
    ("tanh.approx", "tanhf()"),
    ("red", "an atomic function whose result is not used"),
    ("atom", "the atomic function, or __hip_atomic_…"),
    ("ld.global.nc", "__ldg(), or a plain load"),
    ("ld.volatile", "a load through a volatile pointer"),
    ("ld", "a plain load, or __builtin_nontemporal_load()"),
    ("st.volatile", "a store through a volatile pointer"),
    ("st", "a plain store, or __builtin_nontemporal_store()"),
    ("cvta", "nothing: generic pointers work in every address space"),
    ("mad.wide", "(long long)a * b + c"),
    ("mad", "a * b + c"),
    ("addc", "128-bit arithmetic with unsigned __int128, or __builtin_addc()"),
    ("add.cc", "128-bit arithmetic with unsigned __int128, or __builtin_addc()"),
    ("sub.cc", "128-bit arithmetic with unsigned __int128, or __builtin_subc()"),
    ("vadd", "plain C++ on the bytes or halves"),
)
# `v_add_f32`, `s_waitcnt`, `ds_bpermute_b32`: no opcode of PTX begins like these.
_AMD_OPCODE = lazy(r"(?:\A|[\n;{}\"])\s*(?:v|s|ds|buffer|global|flat|scratch|image)_[a-z]\w*(?:\s|\Z)")
# Opcodes with PTX's types or nobody else's words; Arm's vector instructions have types, too, and begin with a `v`.
_ONLY_PTX = lazy(
    r"\A(?!v)\w+\.(?:\S+\.)?(?:[busf](?:8|16|32|64|128)|pred|bf16|b?f16x2|bf16x2)(?:\.|\Z)"
    r"|\A(?:cp\.async|mbarrier\.|membar\.|fence\.(?:proxy|acq|sc|release|mbarrier)|wgmma\.|tcgen05\.|setmaxnreg\."
    r"|griddepcontrol\.|barrier\.|bar\.(?:sync|arrive|warp))"
)

_COMMENTS = lazy(r"//[^\n]*|/\*(?s:.*?)\*/")
NEEDS = frozenset((b"asm", b"__asm__", b"__asm"))


def run(context: Context) -> None:
    """Report the asm statements of device code."""
    if not context.tokens.vocabulary & {b"asm", b"__asm__", b"__asm"}:
        return
    for statement in context.asm:
        if not context.is_code(statement.first) or statement.first in context.claimed:
            continue
        text = template_text([context.tokens.text[i] for i in statement.strings])
        found = opcodes(text)
        if is_for_gpu(context, statement):
            _report(context, statement, text, found)


def is_for_gpu(context: Context, statement: AsmStatement) -> bool:
    """Whether a statement is PTX: not the host's assembly, nor AMD's own, which somebody has ported already."""
    text = template_text([context.tokens.text[i] for i in statement.strings])
    return not _AMD_OPCODE.search(text) and _is_ptx(context, statement, text, opcodes(text))


def _is_ptx(context: Context, statement: AsmStatement, text: str, found: list[str]) -> bool:
    """Whether a statement is for the GPU: by where it stands, or by what it says in a macro or template body."""
    if (
        statement.strings
        and not found
        and not _COMMENTS.sub("", text).strip()
        and not _names_template(context, statement)
    ):
        return False  # a mark for who reads the assembly
    if context.functions.in_device(statement.first):
        return bool(text.strip()) or not statement.strings
    macro = context.structure.macro_at(statement.first)
    if macro is None:  # a function whose attribute may be a macro of a header that is not here
        return any(_ONLY_PTX.search(opcode) for opcode in found)
    return _looks_like_ptx(context, macro, text, bool(found) or _names_template(context, statement))


def _names_template(context: Context, statement: AsmStatement) -> bool:
    """Whether a word stands among the strings of the template: a macro's parameter, or another macro."""
    opener = context.structure.partner[statement.stop - 1]
    for index in context.tokens.significant(opener + 1, statement.stop - 1):
        token = context.tokens.text[index]
        if token in (b":", b"::"):
            return False
        if is_ident(token):
            return True
    return False


def _looks_like_ptx(context: Context, macro: Macro, text: str, says: bool) -> bool:
    """A macro may be used anywhere: dotted opcodes are PTX's and no x86 assembler's."""
    if any("." in opcode for opcode in opcodes(text)) or special_registers(text):
        return True
    name = context.tokens.text[macro.name]
    uses = [i for i in context.structure.index.get(name, ()) if i != macro.name]
    return says and bool(uses) and all(context.functions.in_device(i) for i in uses)


def _report(context: Context, statement: AsmStatement, text: str, found: list[str]) -> None:
    registers = special_registers(text)
    if text.strip() and not found and not statement.strings:
        return
    shown = ", ".join(found[:4]) + (f" and {len(found) - 4} more" if len(found) > 4 else "")
    if registers:
        shown += f" ({', '.join(registers[:3])})"
    kind = _kind(found)
    hint = _hint(found, registers)
    fix = f"{hint}. {kind.fix}" if hint else ""
    message = f"inline PTX: {shown}" if shown else "inline PTX whose instructions stand elsewhere"
    context.find(kind, statement.first, statement.stop, message=message, fix=fix)


def _kind(found: list[str]) -> FindingKind:
    for opcode in found:
        if opcode.partition(".")[0] in _TENSOR:
            return TENSOR_PTX
    if any(_starts(opcode, prefix) for opcode in found for prefix in _ASYNC) or any(
        "shared::cluster" in o or "L2::cache_hint" in o for o in found
    ):
        return ASYNC_PTX
    return INLINE_PTX


def _starts(opcode: str, prefix: str) -> bool:
    return opcode == prefix or opcode.startswith((prefix + ".", prefix + "::"))


def _hint(found: list[str], registers: list[str]) -> str:
    """What to write for a template of one instruction or one register read."""
    if len(found) > 1:
        return ""
    if registers and found and found[0].startswith("mov"):
        name = registers[0]
        return f"For {name}: {_HINTS[name]}" if name in _HINTS else ""
    opcode = found[0] if found else ""
    return next((f"For {opcode}: {hint}" for prefix, hint in _OPCODE_HINTS if _starts(opcode, prefix)), "")
