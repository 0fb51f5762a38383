"""What is odd about the input itself."""

import pytest

import hipify

CODE = "#include <cuda_runtime.h>\nint main() {\n  // free\n  return cudaFree(0);\n}\n"


@pytest.mark.parametrize(
    ("text", "line", "severity"),
    [
        (CODE.replace("\n", "\r"), 1, "error"),
        (CODE.replace("// free\n", "// free\r"), 3, "warning"),
        (CODE.replace("\n", "\r\n").replace("free\r\n", "free\r"), 3, "warning"),
    ],
)
def test_carriage_returns_that_end_lines_for_hipcc_alone_are_named_once(text: str, line: int, severity: str) -> None:
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert [(f.line, f.severity.label) for f in made.findings if f.id == "HPY904"] == [(line, severity)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n"])
def test_other_line_ends_are_fine(end: str) -> None:
    made = hipify.translate_source(CODE.replace("\n", end), "t.cu", hipify.Options(clang=False))
    assert made.findings == ()
    assert b"hipFree" in made.output
