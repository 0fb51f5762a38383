"""HPY310: loops in which the lanes of a wavefront wait for each other."""

from __future__ import annotations

import pytest

from hipify.model import Options, Severity
from hipify.parser.source import Source
from hipify.rules.engine import analyse


def found(text: str) -> list[tuple[int, Severity]]:
    findings = analyse(Source(text.encode(), "t.cu"), Options(clang=False)).findings
    return [(f.line, f.severity) for f in findings if f.id == "HPY310"]


def kernel(body: str) -> str:
    return f"__global__ void k(int* m, int* x) {{ int i = threadIdx.x; {body} x[0]++; atomicExch(m, 0); }}\n"


@pytest.mark.parametrize(
    "body",
    [
        "while (atomicCAS(m, 0, 1) != 0);",
        "while (atomicCAS(&m[i], 0, 1)) {}",
        "while (atomicExch(m, 1) == 1) { __nanosleep(100); }",
        "do {} while (atomicCAS(m, 0, 1) != 0);",
        "for (int j = 0; j < 32; j++) if (i % 32 == j) while (atomicCAS(m, 0, 1) != 0);",
        "if (i < 64) { while (atomicCAS(m, 0, 1) != 0); }",
        "if (i == 0) x[1] = 2; while (atomicCAS(m, 0, 1) != 0);",
        "for (; atomicCAS(m, 0, 1) != 0;);",
        "for (;;) { if (atomicCAS(m, 0, 1) == 0) break; }",
        "while (true) if (!atomicExch(m, 1)) { break; }",
        "int old; do { old = atomicCAS(m, 0, 1); } while (old != 0);",
        "int old = 1; while (old) old = atomicCAS(m, 0, 1);",
    ],
)
def test_lanes_that_spin_on_a_lock(body: str) -> None:
    assert found(kernel(body)) == [(1, Severity.WARNING)]


@pytest.mark.parametrize(
    "body",
    [
        "if (threadIdx.x == 0) while (atomicCAS(m, 0, 1) != 0);",
        "if (0 == i) { while (atomicCAS(m, 0, 1) != 0); }",
        "if (!threadIdx.x) { while (atomicCAS(m, 0, 1) != 0); }",
        "if (i % 64 == 0 && x) { while (atomicCAS(m, 0, 1) != 0); }",
        "bool done = false; while (!done) { if (atomicCAS(m, 0, 1) == 0) { x[0]++; atomicExch(m, 0); done = true; } }",
        "int old = x[0], was; do { was = old; old = atomicCAS(x, was, was * 2); } while (old != was);",
        "int was; do { was = x[0]; } while (atomicCAS(x, was, was * 2) != was);",
        "while (atomicCAS(m, 0, 1) != 0) { x[i]++; }",
        "for (;;) { if (atomicCAS(m, 0, 1) == 0) { x[0]++; atomicExch(m, 0); break; } }",
        "int old, was; while (true) { was = x[0]; old = atomicCAS(x, was, was + 1); if (old == was) break; }",
        "for (int n = 0; atomicCAS(m, 0, 1) != 0; n++);",
    ],
)
def test_what_does_not_wait_for_its_own_wavefront(body: str) -> None:
    assert found(kernel(body)) == []


LOCK = "__device__ void take(int* m) {{ while (atomicCAS(m, 0, 1) != 0); }}\n{}"


@pytest.mark.parametrize(
    ("caller", "severity"),
    [
        ("", Severity.NOTE),
        ("__global__ void k(int* m) { take(m); }\n", Severity.WARNING),
        ("__global__ void k(int* m) { if (threadIdx.x == 0) take(m); take(m); }\n", Severity.WARNING),
        ("__global__ void k(int* m) { if (threadIdx.x == 0) take(m); }\n", None),
    ],
)
def test_a_lock_in_a_function_is_judged_by_its_callers(caller: str, severity: Severity | None) -> None:
    assert found(LOCK.format(caller)) == ([] if severity is None else [(1, severity)])


def test_the_host_has_threads() -> None:
    assert found("void f(int* m) { while (atomicCAS(m, 0, 1) != 0); }\n") == []


FLAG = "__device__ volatile int ready;\n__global__ void k(int* f, volatile int* done, int* x, int n) {{ {} }}\n"


@pytest.mark.parametrize(
    "body",
    [
        "if (threadIdx.x == 0) { while (!ready) {} } if (threadIdx.x == 1) ready = 1;",
        "if (threadIdx.x == 0) while (ready == 0) __nanosleep(9); ready = 1;",
        "if (threadIdx.x == 1) f[0] = 1; else while (*(volatile int*)f == 0);",
        "int t = atomicAdd(x, 1); while (atomicAdd(x + 1, 0) != t); atomicAdd(x + 1, 1);",
        "int i = blockIdx.x * blockDim.x + threadIdx.x; for (int j = 0; j < i; j++) while (!done[x[j]]); done[i] = 1;",
        "if (threadIdx.x < 16) { do { __threadfence(); } while (ready == 0); } else ready++;",
        "if (threadIdx.x) for (; !ready;); else ready = 1;",
        "if (threadIdx.x) for (;;) { if (ready) break; } else ready = 1;",
        "int v; if (threadIdx.x) do { v = ready; } while (!v); else ready = 1;",
        "int v = 0; if (threadIdx.x) do v = ready; while (!v); else ready = 1;",
        "if (threadIdx.x) while (1) { int v = *done; if (v == n) break; __nanosleep(9); } else *done = n;",
        "volatile int* p = f + 1; if (threadIdx.x) while (!*p); else f[1] = 1;",
        "volatile int& p = *f; if (threadIdx.x) while (!p); else *f = 1;",
    ],
)
def test_lanes_that_wait_for_a_flag_of_their_wavefront(body: str) -> None:
    assert found(FLAG.format(body)) == [(2, Severity.WARNING)]


HELPERS = (
    "__device__ void wait(volatile int* p) {{ for (; *p == 0;); }}\n"
    "__device__ void wait_deep(int n, volatile int* q) {{ wait(q); }}\n"
    "__device__ void set(int* p, int v) {{ *p = v; }}\n"
    "__global__ void k(int* f) {{ {} }}\n"
)


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("if (threadIdx.x) wait(f); else *f = 1;", [1]),
        ("if (threadIdx.x) wait_deep(3, f); else *f = 1;", [1]),
        ("if (threadIdx.x) while (!*(volatile int*)f); else set(f, 1);", [4]),
        ("if (threadIdx.x) wait(f); else set(f, 1);", [1]),
        ("if (threadIdx.x == 0) wait(f); __syncthreads(); set(f, 0);", []),
        ("if (threadIdx.x) while (!*(volatile int*)f); else set(0, *f);", []),
        ("wait(f);", []),
    ],
)
def test_functions_that_wait_and_write_for_a_kernel(body: str, lines: list[int]) -> None:
    assert found(HELPERS.format(body)) == [(line, Severity.WARNING) for line in lines]


@pytest.mark.parametrize(
    "body",
    [
        "if (threadIdx.x == 0) { atomicAdd(x, 1); while (atomicAdd(x, 0) != n); } __syncthreads();",
        "if (threadIdx.x == 0) { int v; do { v = *done; } while (v != n); *done = 0; }",
        "int t = threadIdx.x; if (t == (n - 1)) { int v; do { v = *done; } while (v != n); *done = 0; }",
        "if (n - 1 == threadIdx.x) { while (!ready); ready = 0; }",
        "int t = threadIdx.x; if (t == n) { if (n > 3) { int v; do v = *done; while (v); } *done = 0; }",
        "if (threadIdx.x == 0) while (done[blockIdx.x - 1] == 0); __syncthreads(); if (threadIdx.x == 0) done[0] = 1;",
        "if (threadIdx.x == 0) while (!ready); if (threadIdx.x == 0 && blockIdx.x == 0) ready = 0;",
        "if (threadIdx.x == 1) ready = 1; while (!ready);",
        "while (ready != blockIdx.x); if (threadIdx.x == 0) ready = blockIdx.x + 1;",
        "if (blockIdx.x == 0) { if (threadIdx.x < 32) while (!ready); } else ready = 1;",
        "if (threadIdx.x == 0) while (!ready); if (threadIdx.x == 64) ready = 1;",
        "int t = threadIdx.x; long s = clock64(); if (t < 3) while (clock64() - s < 100); s = clock64();",
        "int* p = x + threadIdx.x; while (*p++ != 0); *p = 1;",
    ],
)
def test_a_flag_that_no_waiting_lane_keeps_from_being_set(body: str) -> None:
    assert found(FLAG.format(body)) == []


@pytest.mark.parametrize(
    "end", ["while (0)", "while (0)\n\n", "for (;;)", "do x(); while", "while (1) {", "while (1) if (*f)"]
)
def test_a_loop_without_a_body_ends_a_file(end: str) -> None:
    macro = f"#define CHECK(x) do {{ x; }} {end}" if end.startswith("while (0)") else f"__device__ void f() {{ {end}"
    assert found(macro) == []
