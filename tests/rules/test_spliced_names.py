"""Names that a line splice cuts in two are the names that the compiler sees."""

import pytest

import hipify


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_name_cut_by_a_splice_is_translated(end: str, clang: bool) -> None:
    text = f"void f(int* p) {{{end}  cuda\\{end}Malloc(&p, 4); cudaMa\\{end}lloc\\{end}Host(&p, 4);{end}}}{end}"
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    output = result.output.decode()
    assert f"hipMalloc\\{end}(&p, 4); hipHostMalloc\\{end}\\{end}(&p, 4, hipHostMallocDefault);" in output
    assert output.count(end) == text.count(end) + 1  # the include alone is new


@pytest.mark.parametrize("clang", [True, False])
def test_a_name_cut_by_a_splice_is_reported_at_its_line(clang: bool) -> None:
    text = "void f() {\n  use(1,\n      cudaLimitDevRuntime\\\nSyncDepth);\n}\n"
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert [(f.id, f.line, f.column) for f in result.findings] == [("HPY101", 3, 7)]
    assert "cudaLimitDevRuntime\\\nSyncDepth" in result.output.decode()


@pytest.mark.parametrize("clang", [True, False])
def test_an_own_name_cut_by_a_splice_stays(clang: bool) -> None:
    text = "void f() { int cuda\\\nFree = 1; use(cudaFree); use(cu\\\nda\\\nFree); }\n"
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert result.output.decode() == text
