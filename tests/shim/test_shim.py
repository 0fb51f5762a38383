"""`hipify-py shim`: what goes into the header, what is listed, and when --check fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hipify.model import Options
from hipify.shim import header, session
from hipify.shim.session import Outcome
from tests.cli.runner import names, run
from tests.support.hip import compile_hip

OPTIONS = Options(launch_syntax="cuda")
BASE = """#include <cuda_runtime.h>
__global__ void fill(int *out) { out[threadIdx.x] = 1; }
int main() {
  int *data;
  cudaStream_t stream;
  cudaError_t status = cudaStreamCreate(&stream);
  if (status == cudaSuccess) cudaMalloc(&data, 64);
  fill<<<1, 16, 0, stream>>>(data);
  return cudaFree(data);
}
"""


def shim(folder: Path, source: str, name: str = "main.cu", options: Options = OPTIONS) -> Outcome:
    """The shim of a project of one file."""
    (folder / name).write_text(source)
    return session.run([str(folder)], str(folder / "cuda_to_hip.h"), options, check=False)


def listed(outcome: Outcome, kind: str = "") -> list[str]:
    """What is left to a person, but for the includes: `line kind: message`."""
    return [
        f"{o.place.line} {o.kind}: {o.message}"
        for o in outcome.project.obstacles
        if o.kind == kind or (not kind and o.kind != "include")
    ]


def ported(folder: Path, name: str = "main.cu") -> Path:
    """The file with its CUDA includes replaced by the header's, as the list says."""
    path = folder / name
    lines = path.read_text().splitlines()
    kept = [line for line in lines if not line.startswith(("#include <cu", "#include <nv"))]
    path.write_text("\n".join(['#include "cuda_to_hip.h"', *kept]) + "\n")
    return path


def errors(folder: Path, name: str = "main.cu") -> list[str]:
    """What the compiler for AMD GPUs says about a file."""
    return [str(error) for error in compile_hip(ported(folder, name), flags=["-I", str(folder)])]


def test_just_the_names_that_are_used(tmp_path: Path) -> None:
    outcome = shim(tmp_path, BASE)
    assert outcome.project.shim.macros == {
        "cudaFree": "hipFree",
        "cudaMalloc": "hipMalloc",
        "cudaStreamCreate": "hipStreamCreate",
        "cudaSuccess": "hipSuccess",
    }
    assert outcome.project.shim.types == {"cudaError_t": "hipError_t", "cudaStream_t": "hipStream_t"}
    text = (tmp_path / "cuda_to_hip.h").read_text()
    assert text == outcome.text
    assert header.names_in(text) == outcome.project.shim.names
    amd, _, nvidia = text.partition("#else  // NVIDIA")
    assert "#include <cuda_runtime.h>" not in amd
    assert "hip" not in nvidia.lower().replace("hipify", "").replace("cuda_to_hip", "")
    assert errors(tmp_path) == []


def test_names_in_comments_and_strings_do_not_count(tmp_path: Path) -> None:
    outcome = shim(
        tmp_path, '// cudaMalloc\nconst char *s = "cudaFree";\nvoid f() { cudaDeviceReset(); /* cuInit */ }\n'
    )
    assert outcome.project.shim.names == {"cudaDeviceReset"}


def test_names_in_nvidias_branch_do_not_count(tmp_path: Path) -> None:
    outcome = shim(
        tmp_path,
        "#include <cuda_runtime.h>\nvoid f() {\n#ifndef __HIP_PLATFORM_AMD__\n"
        "  cudaCtxResetPersistingL2Cache();\n  cudaThreadExit();\n#else\n  cudaDeviceReset();\n#endif\n}\n",
    )
    assert outcome.project.shim.names == {"cudaDeviceReset"}
    assert listed(outcome) == []


def test_the_header_is_the_same_whatever_the_order(tmp_path: Path) -> None:
    for name, text in (("b.cu", BASE), ("a.cu", "void f() { cudaDeviceReset(); }\n"), ("c.cu", BASE)):
        (tmp_path / name).write_text(text)
    header_path = str(tmp_path / "x.h")
    paths = [str(tmp_path / name) for name in ("a.cu", "b.cu", "c.cu")]
    first = session.run(paths, header_path, OPTIONS, check=False)
    second = session.run(paths[::-1], header_path, OPTIONS, check=False)
    (tmp_path / "x.h").unlink()
    third = session.run([str(tmp_path)], header_path, OPTIONS, check=False)
    assert first.text == second.text == third.text
    assert first.project.obstacles == third.project.obstacles


def test_the_header_stays_once_the_code_includes_it(tmp_path: Path) -> None:
    source = BASE.replace("#include", "#include <cuda_fp16.h>\n#include <cublas_v2.h>\n#include", 1)
    before = shim(tmp_path, source + "__device__ half twice(half x) { return x; }\n")
    ported(tmp_path)
    assert "#include <cublas_v2.h>" in before.text
    after = session.run([str(tmp_path)], str(tmp_path / "cuda_to_hip.h"), OPTIONS, check=True)
    assert after.missing == []
    assert listed(after, "include") == []


def test_a_call_with_other_arguments_gets_a_wrapper(tmp_path: Path) -> None:
    outcome = shim(
        tmp_path,
        "#include <cuda_runtime.h>\n__global__ void k(int *p) { *p = 1; }\n"
        "typedef cudaError_t (*create)(cudaEvent_t *, unsigned int);\n"
        "int main() {\n  float *p, *q;\n  cudaEvent_t a, b;\n  cudaMallocHost(&p, 4);\n  cudaMallocHost((void **)&q, 4, 0);\n"
        "  cudaEventCreate(&a);\n  cudaEventCreate(&b, cudaEventDisableTiming);\n  create c = cudaEventCreate;\n"
        "  cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);\n  return c(&a, 0);\n}\n",
    )
    assert [w.name for w in outcome.project.shim.wrappers] == [
        "cudaEventCreate",
        "cudaFuncSetCacheConfig",
        "cudaMallocHost",
    ]
    assert listed(outcome) == []
    assert errors(tmp_path) == []


def test_what_has_no_wrapper_is_listed_with_a_guard(tmp_path: Path) -> None:
    outcome = shim(
        tmp_path,
        "#include <cuda.h>\nvoid f(CUdeviceptr d, CUcontext c, CUdeviceptr s) {\n  cuMemcpyPeer(d, c,\n               s, c, 4);\n}\n",
    )
    (obstacle,) = (o for o in outcome.project.obstacles if o.kind == "arguments")
    assert listed(outcome, "arguments") == ["3 arguments: cuMemcpyPeer: HIP's form of this call has other arguments"]
    assert obstacle.guard.splitlines()[0] == "#if defined(__HIP_PLATFORM_AMD__)"
    assert "hipMemcpy(d, s, 4, hipMemcpyDefault);" in " ".join(obstacle.guard.split("#else")[0].split())
    assert obstacle.guard.endswith("#else\n  cuMemcpyPeer(d, c,\n               s, c, 4);\n#endif")
    assert "cuMemcpyPeer" not in outcome.project.shim.names


def test_a_name_without_counterpart_is_listed_and_fails_the_check(tmp_path: Path) -> None:
    outcome = shim(tmp_path, BASE.replace("int *data;", "int *data;\n  cudaLimit l = cudaLimitDevRuntimeSyncDepth;"))
    (line,) = listed(outcome)
    assert line.startswith("5 HPY101: ")
    checked = session.run([str(tmp_path)], str(tmp_path / "cuda_to_hip.h"), OPTIONS, check=True)
    assert [text.partition(": ")[2].partition(":")[0] for text in checked.missing] == [
        f"{tmp_path}/cuda_to_hip.h cannot give cudaLimitDevRuntimeSyncDepth"
    ]


def test_a_type_behind_struct_is_a_macro(tmp_path: Path) -> None:
    outcome = shim(
        tmp_path,
        "#include <cuda_runtime.h>\nint main() {\n  struct cudaDeviceProp p;\n  enum cudaMemcpyKind kind = cudaMemcpyDefault;\n"
        "  cudaGetDeviceProperties(&p, 0);\n  return p.warpSize + kind;\n}\n",
    )
    assert {"cudaDeviceProp", "cudaMemcpyKind"} <= outcome.project.shim.macros.keys()
    assert listed(outcome) == []
    assert errors(tmp_path) == []


MEMBER = """#include <cuda_runtime.h>
struct Pool {
  int cudaMalloc(void **where) { return where != nullptr; }
};
int main() {
  void *p;
  Pool pool;
  pool.cudaMalloc(&p);
  return cudaMalloc(&p, 4);
}
"""


def test_a_member_of_the_projects_own(tmp_path: Path) -> None:
    outcome = shim(tmp_path, MEMBER)
    (line,) = listed(outcome)
    assert line.startswith("3 own name: cudaMalloc is a name of the project's own here; the macro makes it hipMalloc, ")
    (obstacle,) = (o for o in outcome.project.obstacles if o.kind == "own name")
    assert obstacle.guard.splitlines()[:2] == ['#pragma push_macro("cudaMalloc")', "#undef cudaMalloc"]
    assert errors(tmp_path) == []


def test_a_macro_of_the_projects_own(tmp_path: Path) -> None:
    source = "#include <cuda_runtime.h>\nvoid g() { cudaFree(0); }\n#define cudaFree(p) (log(), cudaFree(p))\nvoid f() { cudaFree(0); }\n"
    outcome = shim(tmp_path, source)
    other = tmp_path / "other.cu"
    other.write_text("#include <cuda_runtime.h>\nvoid h() { cudaFree(0); }\n")
    outcome = session.run([str(tmp_path)], str(tmp_path / "cuda_to_hip.h"), OPTIONS, check=False)
    assert listed(outcome, "own macro") == [
        "3 own macro: the file defines cudaFree as a macro of its own, which takes the place of the header's"
    ]


def test_a_struct_field_is_listed(tmp_path: Path) -> None:
    outcome = shim(
        tmp_path,
        "#include <cuda_runtime.h>\nvoid f(cudaMemcpy3DParms *p, cudaLaunchConfig_t *c) {\n"
        "  cudaDeviceProp d;\n  cudaPointerAttributes a;\n  CUDA_RESOURCE_DESC r;\n  r.res.pitch2D.devPtr = 0;\n}\n",
    )
    fields = listed(outcome, "struct field")
    assert all("a macro would change other uses of the word" in line for line in fields)
    assert not {"devPtr", "pitch2D"} & outcome.project.shim.names


def test_a_library_behind_a_switch_is_included_where_it_is(tmp_path: Path) -> None:
    outcome = shim(
        tmp_path,
        "#include <cuda_runtime.h>\n#ifdef WITH_NCCL\n#include <nccl.h>\nvoid f(ncclComm_t c) { ncclCommDestroy(c); }\n#endif\n"
        "#ifdef WITH_FFT\n#include <cufft.h>\nvoid g(cufftHandle h) { cufftDestroy(h); }\n#endif\n",
    )
    assert "#if __has_include(<hipfft/hipfft.h>)\n#include <hipfft/hipfft.h>\n#endif\n" in outcome.text
    assert "#if __has_include(<cufft.h>)\n#include <cufft.h>\n#endif\n" in outcome.text
    assert "#define cufftHandle hipfftHandle\n" in outcome.text


def test_namespaces_get_other_names(tmp_path: Path) -> None:
    outcome = shim(
        tmp_path,
        "#include <cub/cub.cuh>\n#include <thrust/device_vector.h>\n#include <thrust/sort.h>\n"
        "void f(int *in, int *out, thrust::device_vector<int> &v) {\n  size_t n = 0;\n"
        "  cub::DeviceReduce::Sum(nullptr, n, in, out, 4);\n  thrust::sort(thrust::cuda::par, v.begin(), v.end());\n}\n",
    )
    assert outcome.project.shim.namespaces == {"cub": "hipcub", "thrust::cuda": "thrust::hip"}
    assert header.names_in(outcome.text) == outcome.project.shim.names
    assert listed(outcome) == []


def test_an_nvidia_guard_is_listed(tmp_path: Path) -> None:
    outcome = shim(
        tmp_path, "#include <cuda_runtime.h>\n#ifdef __CUDACC__\n__device__ int one() { return 1; }\n#endif\n"
    )
    (obstacle,) = (o for o in outcome.project.obstacles if o.kind == "guard")
    assert obstacle.place.line == 2
    assert obstacle.guard == "#if defined(__CUDACC__) || defined(__HIPCC__)"
    assert outcome.project.shim.names == set()


def test_the_command_and_its_check(tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text(BASE)
    done = run(tmp_path, "shim", "main.cu")
    assert done.returncode == 0
    assert done.stdout == b'main.cu:1:10: include: <cuda_runtime.h>: write #include "cuda_to_hip.h" instead\n'
    assert done.stderr == b"hipify-py: cuda_to_hip.h: 4 macros, 2 types for 1 file; 1 place left to you\n"
    checked = run(tmp_path, "shim", "main.cu", "--check")
    assert (checked.returncode, checked.stdout) == (0, b"")
    before = (tmp_path / "cuda_to_hip.h").read_bytes()
    (tmp_path / "main.cu").write_text(
        BASE.replace("return cudaFree(data)", "cudaFree(data);\n  return cudaDeviceReset()")
    )
    checked = run(tmp_path, "shim", "main.cu", "--check")
    assert checked.returncode == 1
    assert checked.stdout.splitlines() == [
        b"main.cu:10:10: cuda_to_hip.h lacks cudaDeviceReset",
        b"cuda_to_hip.h: is out of date; make it again with hipify-py shim",
    ]
    assert (tmp_path / "cuda_to_hip.h").read_bytes() == before
    (tmp_path / "main.cu").write_text(BASE.replace("cudaFree(data)", "0"))
    checked = run(tmp_path, "shim", "main.cu", "--check")
    assert checked.returncode == 1
    assert checked.stdout == b"cuda_to_hip.h: is out of date; make it again with hipify-py shim\n"


def test_bad_input_is_one_line_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text(BASE)
    (tmp_path / "theirs.h").write_text("#define MINE 1\n")
    (tmp_path / "wide.cu").write_bytes(BASE.encode("utf-16"))
    (tmp_path / "empty").mkdir()
    for arguments, said in (
        (("main.cu", "--check"), b"cuda_to_hip.h: there is no such header to check"),
        (("gone.cu",), b"gone.cu: cannot be read: no such file or directory"),
        (("empty",), b"empty: no source that uses CUDA"),
        (("wide.cu",), b"wide.cu: is no text in UTF-8 or ASCII"),
        (("main.cu", "-o", "theirs.h"), b"theirs.h: is there already and not hipify-py's; give -o another name"),
        (("main.cu", "-o", "no/such/x.h"), b"no/such/x.h: cannot be written: no such file or directory"),
        (("main.cu", "-o", "empty"), b"empty: cannot be read: is a directory"),
    ):
        done = run(tmp_path, "shim", *arguments)
        assert (done.returncode, done.stdout) == (2, b""), arguments
        assert done.stderr == b"hipify-py: error: " + said + b"\n"
    assert names(tmp_path) == ["empty", "main.cu", "theirs.h", "wide.cu"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_pasted_names_resolve_with_the_header(newline: str, tmp_path: Path) -> None:
    source = BASE + "#define CALL(name) cuda##name\nvoid f(void *p) { CALL(Free)(p); }\n"
    shim(tmp_path, source.replace("\n", newline))
    assert errors(tmp_path) == []


def test_the_header_needs_no_particular_place(tmp_path: Path) -> None:
    """Included from other folders, twice, and from C++ that a host compiler reads."""
    (tmp_path / "a").mkdir()
    shim(tmp_path, BASE)
    twice = tmp_path / "a" / "twice.cu"
    twice.write_text('#include "../cuda_to_hip.h"\n#include "../cuda_to_hip.h"\nint f() { return cudaDeviceReset; }\n')
    assert [str(error) for error in compile_hip(twice)] != []
    twice.write_text('#include "../cuda_to_hip.h"\n#include "../cuda_to_hip.h"\nint f() { return cudaFree(0); }\n')
    assert [str(error) for error in compile_hip(twice)] == []
    assert subprocess.run(["git", "-C", str(tmp_path), "status"], capture_output=True, check=False).returncode != 0


def test_constants_whose_number_differs_say_so(tmp_path: Path) -> None:
    outcome = shim(
        tmp_path,
        "#include <cuda.h>\nint f(CUdevice d) {\n  int w, h;\n"
        "  cuDeviceGetAttribute(&w, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH, d);\n"
        "  cuDeviceGetAttribute(&h, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT, d);\n  return w * h + CUDA_SUCCESS;\n}\n",
    )
    new = "hipDeviceAttributeMaxSurface2D"
    assert (
        f"#define CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH {new}  // CUDA's number is 56, HIP's 34\n" in outcome.text
    )
    assert "#define CUDA_SUCCESS hipSuccess\n" in outcome.text
    assert listed(outcome) == [
        "4 value: CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT and CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH are both "
        f"{new} on HIP: a switch cannot have both"
    ]
    assert errors(tmp_path) == []


def test_a_source_that_nvcc_compiles_without_includes(tmp_path: Path) -> None:
    (tmp_path / "math.h").write_text("#pragma once\n__device__ inline int twice(int n) { return 2 * n; }\n")
    outcome = shim(tmp_path, '#include "math.h"\n__global__ void k(int *p) { *p = twice(blockIdx.x); }\n')
    assert listed(outcome, "include") == ['1 include: add #include "cuda_to_hip.h"']
    ported(tmp_path)
    after = session.run([str(tmp_path)], str(tmp_path / "cuda_to_hip.h"), OPTIONS, check=False)
    assert listed(after, "include") == []
    (tmp_path / "main.cu").write_text('#include "own.cuh"\n__global__ void k(int *p) { *p = blockIdx.x; }\n')
    (tmp_path / "own.cuh").write_text("#include <cuda_runtime.h>\n")
    after = session.run([str(tmp_path)], str(tmp_path / "cuda_to_hip.h"), OPTIONS, check=False)
    assert [str(o.place) for o in after.project.obstacles] == [f"{tmp_path}/own.cuh:1:10"]


def test_warps_of_32_lanes_come_with_their_helper(tmp_path: Path) -> None:
    outcome = shim(
        tmp_path,
        "#include <cuda_runtime.h>\n__global__ void k(int *p, cudaDeviceProp d) {\n"
        "  *p = __shfl_down_sync(0xffffffff, *p, 1) + __ballot_sync(~0u, *p) + d.warpSize + threadIdx.x / warpSize;\n}\n",
    )
    assert outcome.project.shim.macros["__ballot_sync"] == "hipify::ballot_sync"
    assert outcome.project.shim.helpers == ["hipify_warp.h"]
    assert [line.partition(",")[0] for line in listed(outcome)] == ["3 warp: warpSize becomes hipify::warp_size"]
    assert "warpSize" not in outcome.project.shim.names
    assert header.names_in(outcome.text) == outcome.project.shim.names
    assert errors(tmp_path) == []


def test_what_hip_has_itself_is_kept_from_it(tmp_path: Path) -> None:
    own = "__device__ double atomicAdd(double *p, double v) {\n  *p += v;\n  return *p;\n}\n"
    outcome = shim(tmp_path, "#include <cuda_runtime.h>\n" + own)
    (obstacle,) = (o for o in outcome.project.obstacles if o.kind == "atomic")
    assert (obstacle.place.line, obstacle.message) == (2, "HIP has this itself: keep these 4 lines from it")
    assert obstacle.guard.startswith("#ifndef __HIP_PLATFORM_AMD__\n")
    assert own in obstacle.guard
