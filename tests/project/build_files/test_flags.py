"""nvcc's options and CUDA's libraries, and what they are for hipcc."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from hipify.project.build_files.flags import LOST, OPTIONS, UNKNOWN_LIBRARY, translate_command
from tests.cli.runner import command, environment


def hip(text: str, **how: object) -> str:
    return shlex.join(translate_command(shlex.split(text), **how)[0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("nvcc", "hipcc"),
    [
        ("nvcc -arch=sm_70 a.cu", "hipcc --offload-arch=gfx90a a.cu"),
        ("nvcc -arch sm_70 -o a a.cu", "hipcc --offload-arch=gfx90a -o a a.cu"),
        ("nvcc -arch=native a.cu", "hipcc --offload-arch=native a.cu"),
        ("nvcc -gencode arch=compute_70,code=sm_70 -gencode=arch=compute_80,code=[sm_80,compute_80] a.cu",
         "hipcc --offload-arch=gfx90a a.cu"),
        ("nvcc -O3 -std=c++17 --use_fast_math -lineinfo a.cu", "hipcc -O3 -std=c++17 -ffast-math -gline-tables-only a.cu"),
        ("nvcc -Xcompiler -fPIC,-Wall --compiler-options=-fopenmp a.cu", "hipcc -fPIC -Wall -fopenmp a.cu"),
        ("nvcc -Xcompiler '\"-fPIC\"' a.cu", "hipcc -fPIC a.cu"),
        ("nvcc -Xcompiler '-O2 -fopenmp' a.cu", "hipcc -O2 -fopenmp a.cu"),
        ("nvcc -Xcompiler '\"-Wl,-rpath,/x\"' -Xcompiler -fPIC,-Wl,-z,now a.o", "hipcc -Wl,-rpath,/x -fPIC -Wl,-z,now a.o"),
        ("nvcc -Xcompiler -export-dynamic a.o", "hipcc -rdynamic a.o"),
        ("nvcc -Xlinker -rpath,/x a.o", "hipcc -Wl,-rpath,/x a.o"),
        ("nvcc -Xptxas -v a.cu", "hipcc -Rpass-analysis=kernel-resource-usage a.cu"),
        ("nvcc -rdc=true -dc a.cu", "hipcc -fgpu-rdc -fgpu-rdc -c a.cu"),
        ("nvcc -dc a.cu -o a.o", "hipcc -fgpu-rdc -c a.cu -o a.o"),
        ("nvcc --expt-extended-lambda --expt-relaxed-constexpr a.cu", "hipcc a.cu"),
        ("nvcc -ccbin g++-11 -m64 -x cu a.c", "hipcc -x hip a.c"),
        ("nvcc a.cpp -O2 -x cu -o a", "hipcc -x hip a.cpp -O2 -o a"),
        ("nvcc -x cu a.cpp -o a", "hipcc -x hip a.cpp -o a"),
        ("nvcc -I/usr/local/cuda/include a.cpp", "hipcc -I/opt/rocm/include -D__HIP_PLATFORM_AMD__ a.cpp"),
        ("nvcc -L/usr/local/cuda-12.4/lib64 a.o -lcudart -lcublas -lcublasXt",
         "hipcc -L/opt/rocm/lib a.o -lamdhip64 -lhipblas"),
        ("nvcc a.o -lcudadevrt -lcufft -lcurand -lcusparse -lcusolver -lnccl -lnvrtc -lcudnn",
         "hipcc a.o -lhipfft -lhiprand -lhipsparse -lhipsolver -lrccl -lhiprtc -lMIOpen"),
        ("nvcc -fmad=false -ftz=true -prec-div=false a.cu",
         "hipcc -ffp-contract=off -fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt a.cu"),
        ("nvcc -G -g -pg a.cu", "hipcc -ggdb -g -pg a.cu"),
        ("nvcc -Werror all-warnings -w a.cu", "hipcc -Werror -w a.cu"),
        ("nvcc --default-stream per-thread a.cu", "hipcc -fgpu-default-stream=per-thread a.cu"),
        ("nvcc -shared -o a.so -cudart shared a.cu", "hipcc -shared -o a.so a.cu"),
        ("/usr/local/cuda/bin/nvcc a.cu", "/opt/rocm/bin/hipcc a.cu"),
        ("ccache nvcc a.cu", "ccache hipcc a.cu"),
        ("nvcc -DX=1 -UY -Iinc --include-path=more -include a.h a.cu",
         "hipcc -DX=1 -UY -Iinc -Imore -include a.h a.cu"),
        ("nvcc -MD -MF a.d -MT a.o -c a.cu", "hipcc -MD -MF a.d -MT a.o -c a.cu"),
        ("nvcc -Wall -funroll-loops --unknown a.cu", "hipcc -Wall -funroll-loops --unknown a.cu"),
        ("nvcc -time=x.csv -threads 4 --split-compile 2 a.cu", "hipcc a.cu"),
    ],
)  # fmt: skip
def test_a_command(nvcc: str, hipcc: str) -> None:
    assert hip(nvcc) == hipcc


def test_the_gpus_can_be_chosen() -> None:
    assert hip("nvcc -arch=sm_80 a.cu", archs=("gfx942", "gfx1100")) == (
        "hipcc --offload-arch=gfx942 --offload-arch=gfx1100 a.cu"
    )


def test_roc_libraries_on_request() -> None:
    assert hip("nvcc a.o -lcublas -lcufft", roc=True) == "hipcc a.o -lrocblas -lrocfft"


@pytest.mark.parametrize("old", ["c++98", "c++11", "gnu++14", "c++0x"])
def test_an_old_standard_is_raised_where_a_library_needs_that(old: str) -> None:
    assert hip(f"nvcc -std={old} a.cu") == f"hipcc -std={old} a.cu"
    assert hip(f"nvcc -std={old} a.cu", cxx17=True) == f"hipcc -std={old.partition('+')[0]}++17 a.cu"
    assert hip("nvcc -std=c++20 a.cu", cxx17=True) == "hipcc -std=c++20 a.cu"


@pytest.mark.parametrize(
    ("nvcc", "level", "word"),
    [
        ("nvcc -maxrregcount=32 a.cu", LOST, "__launch_bounds__"),
        ("nvcc -ptx a.cu", LOST, "PTX"),
        ("nvcc -dlink a.o b.o -o c.o", LOST, "--hip-link"),
        ("nvcc -Xptxas -dlcm=ca a.cu", LOST, "-dlcm=ca"),
        ("nvcc -m32 a.cu", LOST, "32-bit"),
        ("nvcc a.o -lnvidia-ml", UNKNOWN_LIBRARY, "amd_smi"),
        ("nvcc a.o -lnppig", UNKNOWN_LIBRARY, "RPP"),
    ],
)
def test_what_is_lost_is_said(nvcc: str, level: str, word: str) -> None:
    changes = translate_command(shlex.split(nvcc))[1]
    assert [change.level for change in changes if word in change.why] == [level]


def test_every_option_of_the_table_has_one_meaning() -> None:
    names = [name for option in OPTIONS for name in option.names]
    assert len(set(names)) == len(names)
    assert all(name.startswith("-") for name in names)


def test_the_subcommand_prints_the_command(tmp_path: Path) -> None:
    words = command("flags", "--offload-arch", "gfx942", "--", "nvcc", "-arch=sm_70", "a b.cu", "-lcublas")
    done = subprocess.run(words, env=environment(), capture_output=True, cwd=tmp_path)
    assert done.stdout == b"hipcc --offload-arch=gfx942 'a b.cu' -lhipblas\n"
    assert done.returncode == 0 and b"note: -arch sm_70: now gfx942" in done.stderr
    done = subprocess.run(
        command("flags", "--", "-lnvjpeg", "x.cu"), env=environment(), capture_output=True, cwd=tmp_path
    )
    assert (done.stdout, done.returncode) == (b"hipcc -lnvjpeg x.cu\n", 1)
    assert b"rocJPEG" in done.stderr
    done = subprocess.run(command("flags"), env=environment(), capture_output=True, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1
