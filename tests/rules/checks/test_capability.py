"""Numbers that the host asks for: compute capabilities and CUDA's versions decide something else on AMD GPUs."""

import pytest

import hipify

HEAD = (
    "#include <cuda_runtime.h>\nint take(int, int);\nint f(cudaDeviceProp p, cudaDeviceProp* q, cudaDeviceProp* a) {\n"
)


def found(statement: str, clang: bool = False) -> list[tuple[str, str, int]]:
    source = f"{HEAD}{statement}\nreturn 0; }}\n"
    findings = hipify.translate_source(source, "t.cu", hipify.Options(clang=clang)).findings
    assert {f.line for f in findings} <= {4}
    return [(f.id, f.severity.label, f.column) for f in findings]


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("statement", "severity"),
    [
        ("if (p.major < 2) return 1;", "note"),
        ("if (p.major >= 3) return 1;", "note"),
        ("if (q->major == 8) return 1;", "note"),
        ("if (3 > a[1].major) return 1;", "note"),
        ("if (p.major * 10 + p.minor >= 35) return 1;", "note"),
        ("if ((p.major * 10 + p.minor) < 20) return 1;", "note"),
        ("if (p.major >= 8) return 1;", "warning"),
        ("if (p.major == 9) return 1;", "warning"),
        ("if (p.major * 100 + p.minor * 10 >= 1000) return 1;", "warning"),
        ("int n = p.major * 10 + p.minor;", "warning"),
        ("switch (p.major) { case 7: return 1; }", "warning"),
        ("take(p.major, p.minor);", "warning"),
    ],
)
def test_what_a_compute_capability_decides(statement: str, severity: str, clang: bool) -> None:
    ((name, label, _),) = found(statement, clang)
    assert (name, label) == ("HPY602", severity)


@pytest.mark.parametrize(
    "statement",
    [
        'printf("%d.%d", p.major, p.minor);',
        'std::cout << p.major << "." << p.minor;',
        "struct { int major; } s; if (s.major > 7) return 1;",
        "int major = 8; if (major > 7) return major;",
    ],
)
def test_printed_numbers_and_others_members_decide_nothing(statement: str) -> None:
    assert found(statement) == []


def test_the_attribute_is_worth_a_note() -> None:
    statement = "int v; cudaDeviceGetAttribute(&v, cudaDevAttrComputeCapabilityMajor, 0);"
    assert [(name, label) for name, label, _ in found(statement)] == [("HPY602", "note")]


def test_hip_has_a_version_of_its_own() -> None:
    assert found("int v; cudaRuntimeGetVersion(&v);") == [("HPY601", "note", 8)]
    assert found("int v; cudaDriverGetVersion(&v); if (v < 11000) return 1;") == [("HPY601", "warning", 8)]
    assert found("int v; cudaDriverGetVersion(&v); if (12000 <= v) return 1;") == [("HPY601", "warning", 8)]
    assert found("int v; cudaDriverGetVersion(&v); if (v == 0) return 1;") == [("HPY601", "note", 8)]
