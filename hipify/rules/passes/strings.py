"""CUDA source in strings for NVRTC: its findings at its own lines, and, when asked for, its translation in place."""

from __future__ import annotations

from hipify.model import Edit, Finding, Severity
from hipify.parser.source import Source
from hipify.patterns import lazy
from hipify.rules.compared import is_compared
from hipify.rules.context import Analysis, Context
from hipify.rules.embedded import Embedded, is_string, nvrtc_sources
from hipify.rules.kinds import FindingKind

DEVICE_SOURCE = FindingKind(
    "HPY710",
    Severity.NOTE,
    "CUDA source in a string literal",
    "The program compiles it when it runs. What must change in it is reported at its own lines.",
    "Translate it with --translate-strings, or by hand.",
    'const char* source = R"(__global__ void f(float* p) { *p = 1; })";\n'
    'void f(nvrtcProgram* p) { nvrtcCreateProgram(p, source, "f.cu", 0, 0, 0); }\n',
    'void f(hiprtcProgram* p) { hiprtcCreateProgram(p, source(), "f.cu", 0, 0, 0); }\n',
)
UNTRANSLATED = FindingKind(
    "HPY711",
    Severity.ERROR,
    "CUDA name in a source string",
    "hiprtc does not know it: the program that the string holds does not compile.",
    "Translate the string with --translate-strings, or by hand.",
)
NVRTC_OPTION = FindingKind(
    "HPY712",
    Severity.ERROR,
    "option of NVRTC's compiler",
    "hiprtc takes clang's options: it rejects this one, and the compilation fails when the program runs.",
    "Use clang's option, or none: hiprtc compiles for the current GPU by itself.",
    "void f(nvrtcProgram p) {\n"
    '    const char* options[] = {"--gpu-architecture=compute_70"};\n    nvrtcCompileProgram(p, 1, options);\n}\n',
    "void f(hiprtcProgram p) {\n"
    '    const char* options[] = {"--offload-arch=gfx942"};\n    hiprtcCompileProgram(p, 1, options);\n}\n',
)

_NO_HEADER = (
    "The program compiles the string when it runs. hiprtc knows the headers that hiprtcCreateProgram is given, and "
    "those in the folders of its -I options."
)
_GIVE_HEADER = (
    "Translate with --translate-strings and --inline-headers, which put its text into the string, give it to hiprtc, or"
    " write the code otherwise."
)
_RUNTIME = b"#include <hip/hip_runtime.h>"
# What each option of NVRTC is for hiprtc: '' when there is none. Those that clang spells alike are left out.
_OPTIONS = {
    b"gpu-architecture": "--offload-arch=gfx…, or nothing",
    b"arch": "--offload-arch=gfx…, or nothing",
    b"use_fast_math": "-ffast-math",
    b"fmad": "-ffp-contract=fast or off",
    b"ftz": "-fgpu-flush-denormals-to-zero",
    b"prec-div": "-fno-hip-fp32-correctly-rounded-divide-sqrt, when false",
    b"prec-sqrt": "-fno-hip-fp32-correctly-rounded-divide-sqrt, when false",
    b"maxrregcount": "",
    b"relocatable-device-code": "-fgpu-rdc",
    b"rdc": "-fgpu-rdc",
    b"device-c": "-fgpu-rdc",
    b"device-w": "",
    b"device-debug": "-g",
    b"device-as-default-execution-space": "",
    b"default-device": "",
    b"generate-line-info": "-gline-tables-only",
    b"lineinfo": "-gline-tables-only",
    b"extra-device-vectorization": "",
    b"dlink-time-opt": "",
    b"dlto": "",
    b"ptxas-options": "",
    b"restrict": "",
    b"disable-warnings": "-w",
    b"diag-suppress": "",
    b"builtin-move-forward": "",
    b"extensible-whole-program": "",
    b"dc": "-fgpu-rdc",
    b"G": "-g",
    b"include-path": "-I",
    b"pre-include": "-include",
    **dict.fromkeys(
        b"dw ewp dopt dlink-time-opt gen-opt-lto minimal device-int128 no-source-include Ofast-compile split-compile "
        b"fdevice-time-trace optimization-info version-ident display-error-number no-display-error-number "
        b"brief-diagnostics diag-error diag-warn pch create-pch use-pch pch-dir pch-messages pch-verbose "
        b"instantiate-templates-in-pch modify-stack-limit jump-table-density no-cache device-stack-protector "
        b"device-float128 expt-relaxed-constexpr extended-lambda".split(),
        "",
    ),
}
_OPTION = lazy(rb'(?:u8)?"(--?)([A-Za-z][A-Za-z_0-9-]*)((?:[= ][^"]*)?)"')
NEEDS = frozenset((b"nvrtcCreateProgram", b"nvrtcCompileProgram"))


def run(context: Context) -> None:
    """Look into every source string, and at the compiler's options."""
    vocabulary = context.tokens.vocabulary
    if b"nvrtcCreateProgram" in vocabulary:
        for source in nvrtc_sources(context):
            look_into(context, source)
    if b"nvrtcCompileProgram" in vocabulary:
        _options(context)


def look_into(context: Context, source: Embedded, *, takes_lines: bool = True) -> None:
    """Report what a source string holds, or translate it in place; with lines of the preprocessor, if it takes any."""
    from hipify.rules.engine import analyse

    inner = Source(source.text, context.source.path)
    options = context.options._replace(clang=False, warp="report", translate_strings=False)
    analysis = analyse(inner, options, embedded=True)
    translate = context.options.translate_strings
    edits = [e for e in analysis.edits if not _is_unwanted(e, takes_lines)]
    what = "nothing in it needs to change" if not edits else "translated" if translate else "left as it is"
    context.find(DEVICE_SOURCE, source.tokens[0], source.tokens[-1] + 1, message=f"CUDA source in a string: {what}")
    if translate:
        for edit in edits:
            _edit(context, source, edit)
    else:
        _report_edits(context, source, inner, edits)
    if analysis.helper_headers:
        _need_headers(context, source, analysis, given=context.options.inline_headers and takes_lines)
    _move_findings(context, source, analysis)


def _is_unwanted(edit: Edit, takes_lines: bool) -> bool:
    """Whether an edit brings what hiprtc has by itself, or lines of the preprocessor to a string that takes none."""
    return edit.start == edit.end and (edit.text.strip() == _RUNTIME if takes_lines else b"#" in edit.text)


def _need_headers(context: Context, source: Embedded, analysis: Analysis, *, given: bool) -> None:
    """Tell that hiprtc finds no helper header by itself: what comes from one is not there for the string."""
    translated = context.options.translate_strings
    if translated and given:
        return
    if translated:
        context.analysis.helper_headers.update(analysis.helper_headers)
    severity = Severity.WARNING if translated else Severity.ERROR
    told = set()
    for number, finding in enumerate(analysis.findings):
        for header in analysis.helper_headers:
            if (end := f"{header} provides it") in finding.message:
                told.add(header)
                message = finding.message.replace(end, f"{header} provides it, if hiprtc is given that header")
                changed = finding._replace(message=message, severity=severity, why=_NO_HEADER, fix=_GIVE_HEADER)
                analysis.findings[number] = changed
    for header in sorted(analysis.helper_headers.keys() - told):
        message = f"in the source string: what becomes of it needs {header}, and hiprtc must be given that header"
        first = source.tokens[0]
        context.find(
            UNTRANSLATED, first, first + 1, message=message, severity=severity, why=_NO_HEADER, fix=_GIVE_HEADER
        )


def _report_edits(context: Context, source: Embedded, inner: Source, edits: list[Edit]) -> None:
    """What the translation would change, once a line."""
    lines: dict[int, list[Edit]] = {}
    for edit in edits:
        if edit.end > edit.start:
            lines.setdefault(inner.position(edit.start)[0], []).append(edit)
    for changes in lines.values():
        old = ", ".join(inner.data[e.start : e.end].decode("utf-8", "replace") for e in changes[:3])
        new = ", ".join(e.text.decode("utf-8", "replace") or "nothing" for e in changes[:3])
        start, end = source.offsets[changes[0].start], source.offsets[changes[0].end - 1] + 1
        context.find_bytes(UNTRANSLATED, start, end, message=f"in the source string: {old} must become {new}")


def _move_findings(context: Context, source: Embedded, analysis: Analysis) -> None:
    """The inner findings at their places in the file."""
    for finding in analysis.findings:
        start, end = source.offsets[finding.start], source.offsets[max(finding.end - 1, finding.start)] + 1
        context.analysis.findings.append(_at(context, finding, start, end))


def _at(context: Context, finding: Finding, start: int, end: int) -> Finding:
    line, column = context.source.position(start)
    end_line, end_column = context.source.position(end)
    return finding._replace(line=line, column=column, end_line=end_line, end_column=end_column, start=start, end=end)


def _edit(context: Context, source: Embedded, edit: Edit) -> None:
    """One edit of the source as edits of its literals: the new text in the first, the rest of the old taken out."""
    text = edit.text
    for first, last, raw in source.pieces:
        start, end = max(edit.start, first), min(edit.end, last)
        inserts = edit.start == edit.end and first <= edit.start <= last
        if start >= end and not inserts:
            continue
        written = text if raw else _escaped(text)
        begin = source.offsets[start]
        if edit.start == edit.end:
            context.insert(begin, written, edit.confidence)
            return
        context.edit(begin, source.offsets[end] if end < last else _behind(source, end), written, edit.confidence)
        text = b""


def _behind(source: Embedded, end: int) -> int:
    """The file offset behind the byte before `end`, at a literal's end."""
    return source.offsets[end - 1] + 1


def _escaped(text: bytes) -> bytes:
    return text.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")


def _options(context: Context) -> None:
    for token in sorted(t for t in context.tokens.vocabulary if is_string(t)):
        match = _OPTION.fullmatch(token)
        if match is None or match[2] not in _OPTIONS:
            continue
        shown, use = token[1:-1].decode("utf-8", "replace"), _OPTIONS[match[2]]
        for index in context.structure.index.get(token, ()):
            if is_compared(context, index):
                continue
            message = f"{shown} is an option of NVRTC: " + (f"use {use}" if use else "hiprtc has no such option")
            context.find(NVRTC_OPTION, index, message=message)
