"""Python builds, compile databases, Meson and Bazel."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipify.project.discover import discover
from hipify.project.settings import Selection
from hipify.project.tree import Kind

from .convert import convert, expected, found, output


def test_torch_extensions_work_by_themselves_and_are_noted() -> None:
    text = """
        from torch.utils.cpp_extension import BuildExtension, CUDAExtension
        setup(ext_modules=[CUDAExtension("x", ["x.cpp", "x.cu"], extra_compile_args={"nvcc": ["-O3"]})])
        """
    result = convert("setup.py", text)
    assert result.output.decode() == expected(text)
    assert [(f.id, f.line, f.severity.label) for f in result.findings] == [("HPY806", 2, "note")]


def test_plain_calls_of_nvcc_are_followed() -> None:
    assert output("setup.py", 'subprocess.check_call(["nvcc", "-c", "a.cu"])\nos.system("nvcc a.cu")\n') == (
        'subprocess.check_call(["hipcc", "-c", "a.cu"])\nos.system("hipcc a.cu")\n'
    )
    result = convert("build.py", 'run(["nvcc", "--expt-relaxed-constexpr", "a.cu"])\n')
    assert found(result) == [("HPY806", 1)]
    assert result.output == b'run(["hipcc", "a.cu"])\n'


def test_names_of_sources_follow_in_python() -> None:
    context = {"renames": {"csrc/a.cu": "csrc/a.hip"}, "suffixes": {".cu": ".hip"}}
    assert output("setup.py", 'sources = ["csrc/a.cu", "csrc/b.cpp"]\n', **context) == (
        'sources = ["csrc/a.hip", "csrc/b.cpp"]\n'
    )


def test_source_in_strings_is_reported() -> None:
    result = convert("k.py", 'k = cp.RawKernel(r"""extern "C" __global__ void f() {}""", "f")\n')
    assert found(result) == [("HPY807", 1)]


def test_python_that_cannot_be_read_is_reported_by_line() -> None:
    assert found(convert("setup.py", "def broken(:\n  '''\n  CUDAExtension\n")) == [("HPY805", 3)]


def test_meson_and_bazel_are_reported_with_their_lines() -> None:
    assert found(convert("meson.build", "project('x', 'cuda')\n# cuda\nexecutable('x', 'a.cu')\n")) == [
        ("HPY805", 1),
        ("HPY805", 3),
    ]
    assert found(convert("BUILD.bazel", 'cuda_library(name = "x", srcs = ["a.cu"])\n')) == [("HPY805", 1)]
    context = {"renames": {"a.cu": "a.hip"}, "suffixes": {".cu": ".hip"}}
    assert output("BUILD.bazel", 'cuda_library(srcs = ["a.cu"])\n', **context) == 'cuda_library(srcs = ["a.hip"])\n'


def test_a_compile_database_is_rewritten_for_the_output() -> None:
    entries = [
        {
            "directory": "/in/build",
            "file": "../src/a.cu",
            "output": "a.o",
            "command": "/usr/local/cuda/bin/nvcc -arch=sm_80 -I../inc -I/in/inc -c ../src/a.cu -o a.o",
        },
        {"directory": "/in", "file": "/in/b.cpp", "arguments": ["g++", "-I/usr/local/cuda/include", "-c", "b.cpp"]},
        {"directory": "/elsewhere", "file": "c.cpp", "arguments": ["g++", "-c", "c.cpp"]},
    ]
    context = {"root": "/in", "out": "/out", "renames": {"src/a.cu": "src/a.hip"}, "suffixes": {".cu": ".hip"}}
    made = json.loads(output("compile_commands.json", json.dumps(entries), **context))
    assert made == [
        {
            "directory": "/out/build",
            "file": "../src/a.hip",
            "output": "a.o",
            "command": "/opt/rocm/bin/hipcc --offload-arch=gfx90a -I../inc -I/out/inc -c ../src/a.hip -o a.o",
        },
        {
            "directory": "/out",
            "file": "/out/b.cpp",
            "arguments": ["g++", "-I/opt/rocm/include", "-D__HIP_PLATFORM_AMD__", "-c", "b.cpp"],
        },
        entries[2],
    ]


def test_a_broken_compile_database_is_copied_and_said() -> None:
    for text in ("[{", '{"a": 1}'):
        result = convert("compile_commands.json", text)
        assert result.output.decode() == text and found(result) == [("HPY803", 1)]


def test_shell_scripts_that_call_nvcc_are_translated() -> None:
    text = """
        #!/bin/sh
        # nvcc -arch=sm_70
        export PATH=/usr/local/cuda/bin:$PATH
        NVCC="nvcc"
        for f in *.cu; do nvcc -arch=sm_70 -O3 \\
          --expt-relaxed-constexpr $f -o ${f%.cu} -lcublas; done
        echo "$X" | tee log && /usr/local/cuda/bin/nvcc -ptx a.cu
        nvidia-smi
        """
    result = convert("build.sh", text)
    assert result.output.decode() == expected("""
        #!/bin/sh
        # nvcc -arch=sm_70
        export PATH=/opt/rocm/bin:$PATH
        NVCC="hipcc"
        for f in *.cu; do hipcc --offload-arch=gfx90a -O3 $f -o ${f%.cu} -lhipblas; done
        echo "$X" | tee log && /opt/rocm/bin/hipcc --offload-device-only -S a.cu
        nvidia-smi
        """)
    assert found(result) == [("HPY801", 7), ("HPY803", 8)]


def test_other_build_systems_are_reported_with_an_end() -> None:
    assert found(convert("configure.ac", "AC_INIT\nAC_PATH_PROG(NVCC, nvcc)\n")) == [("HPY805", 2)]
    many = convert("configure", "".join(f"test nvcc {n}\n" for n in range(50)))
    assert len(many.findings) == 21
    assert many.findings[-1].message == "30 more lines from here on have to do with CUDA"


def test_commands_of_nvcc_in_python_are_translated_as_a_whole() -> None:
    text = """os.system("nvcc -arch=sm_70 -o k k.cu")\nsubprocess.run(['nvcc', '-Xcompiler', '-fPIC', name, '-arch=sm_70'])\n"""
    made = convert("setup.py", text)
    assert made.output.decode() == (
        """os.system("hipcc --offload-arch=gfx90a -o k k.cu")\n"""
        """subprocess.run(['hipcc', '-fPIC', name, '-arch=sm_70'])\n"""
    )
    # What is behind a computed word is reported.
    assert found(made) == [("HPY806", 1), ("HPY806", 2), ("HPY801", 2)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('os.system(f"nvcc -o {name} k.cu")', "HPY806"),
        ('os.path.join(root, "bin", "nvcc")', "HPY806"),
        ('command = "nvcc -c %s" % name', "HPY806"),
        ('extra_compile_args={"nvcc": []}', ""),
        ('flags["nvcc"] = []', ""),
        ('os.environ.get("CUDA_PATH")', "HPY806"),
        ('include_dirs=["/usr/local/cuda/include"]', "HPY806"),
        ('libraries=["m", "cublas"]', "HPY802"),
        ('device = "cuda"; backends = ["nccl"]', ""),
    ],
)
def test_what_python_names_of_cuda_is_not_silent(line: str, expected: str) -> None:
    made = convert("setup.py", f"{line}\n# nvcc\n")
    assert found(made) == ([(expected, 1)] if expected else [])
    assert made.output.decode() == f"{line}\n# nvcc\n"


def test_fortran_is_reported_line_by_line() -> None:
    text = """
        module m  ! uses cudafor below
          use cudafor
          attributes(global) subroutine add(x)
          call add<<<grid, 64>>>(x)
          !$cuf kernel do <<<*, *>>>
          istat = cudaMalloc(p, n)
          call cuda_setup()
        end module
        """
    result = convert("m.cuf", text)
    assert result.output.decode() == expected(text)
    assert [(f.id, f.line, f.severity.label) for f in result.findings] == [
        ("HPY808", line, "error") for line in (2, 3, 4, 5, 6)
    ]


@pytest.mark.parametrize("line", ["use cufft", "attributes(host) subroutine add(x)", "call add<<<1, 64>>>(x)"])
def test_fortran_that_is_reported_is_looked_at(tmp_path: Path, line: str) -> None:
    (tmp_path / "m.f90").write_text(f"module m\n  {line}\nend module\n")
    (entry,) = discover(tmp_path, Selection()).entries
    assert entry.kind is Kind.BUILD
    assert [f.id for f in convert("m.f90", (tmp_path / "m.f90").read_text()).findings] == ["HPY808"]


def test_builds_that_name_only_sources_or_options_count(tmp_path: Path) -> None:
    texts = {
        "xmake.lua": 'target("a") add_files("a.cu") add_cugencodes("native")\n',
        "build.ninja": "build a.o: cc a.cu\n",
        "build.rs": 'fn main() { cc::Build::new().cuda(true).file("a.cu"); }\n',
        "k.cuf": "attributes(global) subroutine k()\n",
        "plain.f90": "subroutine k()  ! cuda\n",
        "sub/xmake.lua": 'target("b") add_files("b.cpp")\n',
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    entries = discover(tmp_path, Selection()).entries
    assert {e.path for e in entries if e.build} == set(list(texts)[:4])
