"""A converted tree: what is translated, what follows renames, what is copied, and that nothing shares a place."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from hipify.errors import OutputError
from hipify.model import Options
from hipify.project.state import State, state_path

from .trees import KERNEL, Heard, content, convert, fresh, make

TREE = {
    "src/main.cu": b'#include "util.cuh"\n#include "host.h"\n' + KERNEL,
    "src/util.cuh": b"#pragma once\n__device__ inline int twice(int x) { return 2 * x; }\n",
    "src/host.h": b"#pragma once\nint host();\n",
    "src/host.cpp": b'#include "host.h"\n#include "util.cuh"\nint host() { return 1; }\n',
    "src/api.cpp": b"#include <cuda_runtime.h>\nvoid stop() { cudaDeviceReset(); }\n",
    "README.md": b"cudaMalloc is in here, and stays\n",
    "data/table.bin": bytes(range(256)),
    "run.sh": b"#!/bin/sh\n./main\n",
    "Makefile": b"main: src/main.cu src/util.cuh\n\tnvcc -arch=sm_70 -o main src/main.cu src/host.cpp -lcublas\n",
}


def test_cuda_is_translated_and_the_rest_is_copied(tmp_path: Path) -> None:
    source, out = make(tmp_path / "in", TREE), tmp_path / "out"
    (source / "run.sh").chmod(0o755)
    result = convert(source, out)
    found = content(out)
    assert set(found) == set(TREE)
    assert b"hipMalloc(&data, 64)" in found["src/main.cu"] and b"cudaMalloc" not in found["src/main.cu"]
    assert found["src/api.cpp"] == b"#include <hip/hip_runtime.h>\nvoid stop() { hipDeviceReset(); }\n"
    for same in ("README.md", "data/table.bin", "run.sh", "src/host.h", "src/host.cpp"):
        assert found[same] == TREE[same]
    assert found["Makefile"] == (
        b"main: src/main.cu src/util.cuh\n\thipcc --offload-arch=gfx90a -o main src/main.cu src/host.cpp -lhipblas\n"
    )
    assert stat.S_IMODE((out / "run.sh").stat().st_mode) == 0o755
    assert result.outcomes() == {"converted": 3, "build file": 1, "copied": 5}
    assert not result.failed and not result.conflicts


def test_references_follow_a_new_suffix(tmp_path: Path) -> None:
    source, out = make(tmp_path / "in", TREE), tmp_path / "out"
    convert(source, out, suffix=".hip")
    found = content(out)
    assert set(found) == {
        "src/main.hip", "src/util.hip.hpp", "src/host.h", "src/host.cpp", "src/api.cpp", "README.md", "data/table.bin",
        "run.sh", "Makefile",
    }  # fmt: skip
    assert found["src/main.hip"].startswith(b'#include "util.hip.hpp"\n#include "host.h"\n')
    assert found["src/host.cpp"] == b'#include "host.h"\n#include "util.hip.hpp"\nint host() { return 1; }\n'
    assert b"main: src/main.hip src/util.hip.hpp\n" in found["Makefile"]
    assert b"-o main src/main.hip src/host.cpp" in found["Makefile"]


def test_cuda_in_paths_becomes_hip_on_request(tmp_path: Path) -> None:
    tree = {
        "cuda/cuda_math.cuh": b"__device__ int one() { return 1; }\n",
        "main.cu": b'#include "cuda/cuda_math.cuh"\n' + KERNEL,
        "CMakeLists.txt": b"project(x CUDA)\nadd_executable(x main.cu cuda/cuda_math.cuh)\n",
    }
    source, out = make(tmp_path / "in", tree), tmp_path / "out"
    convert(source, out, suffix=".hip", rename_paths=True)
    found = content(out)
    assert set(found) == {"hip/hip_math.hip.hpp", "main.hip", "CMakeLists.txt"}
    assert found["main.hip"].startswith(b'#include "hip/hip_math.hip.hpp"\n')
    assert b"add_executable(x main.hip hip/hip_math.hip.hpp)" in found["CMakeLists.txt"]


def test_same_stems_get_outputs_of_their_own_and_includes_know_which(tmp_path: Path) -> None:
    tree = {
        "a.cuh": b"__device__ int from_cuh();\n",
        "a.hip.hpp": b"int theirs();\n",
        "m.cu": b'#include "a.cuh"\n#include "a.hip.hpp"\n',
    }
    source, out = make(tmp_path / "in", tree), tmp_path / "out"
    convert(source, out, suffix=".hip")
    found = content(out)
    assert found["a.hip.hpp"] == tree["a.hip.hpp"]
    other = next(name for name in found if name not in ("a.hip.hpp", "m.hip"))
    assert b"from_cuh" in found[other]
    assert found["m.hip"].endswith(f'#include "{other}"\n#include "a.hip.hpp"\n'.encode())


def test_links_are_made_anew_and_lead_to_the_output(tmp_path: Path) -> None:
    source, out = make(tmp_path / "in", {"a/real.cu": KERNEL, "b/x.txt": b"x"}), tmp_path / "out"
    (source / "b" / "link.cu").symlink_to("../a/real.cu")
    (source / "dead").symlink_to("nowhere")
    convert(source, out, suffix=".hip")
    found = content(out)
    assert found["b/link.cu"] == b"-> ../a/real.hip"
    assert (out / "b" / "link.cu").read_bytes() == found["a/real.hip"]
    assert found["dead"] == b"-> nowhere"


def test_files_can_be_linked_instead_of_copied(tmp_path: Path) -> None:
    source, out = make(tmp_path / "in", {"a.cu": KERNEL, "d.bin": b"\0\1"}), tmp_path / "out"
    convert(source, out, link_unchanged=True)
    assert (out / "d.bin").is_symlink() and (out / "d.bin").read_bytes() == b"\0\1"
    assert not (out / "a.cu").is_symlink()


def test_helper_headers_lie_beside_the_files_that_include_them(tmp_path: Path) -> None:
    code = b"#include <cuda_runtime.h>\n__global__ void k(int *p) { p[0] = __shfl_sync(0xffffffff, p[0], 3); }\n"
    source, out = make(tmp_path / "in", {"a/k.cu": code, "b/k.cu": code, "c/none.cu": b"int x;\n"}), tmp_path / "out"
    convert(source, out)
    found = content(out)
    helpers = {name for name in found if name.rpartition("/")[2].startswith("hipify")}
    assert helpers and {name.partition("/")[0] for name in helpers} == {"a", "b"}
    for name in helpers:
        assert f'"{name.rpartition("/")[2]}"'.encode() in found[f"{name[0]}/k.cu"]


def test_a_helper_header_that_the_project_has_already_serves(tmp_path: Path) -> None:
    code = b"#include <cuda_runtime.h>\n__global__ void k(int *p) { p[0] = __shfl_sync(0xffffffff, p[0], 3); }\n"
    first = make(tmp_path / "in", {"k.cu": code})
    convert(first, tmp_path / "out")
    (name,) = {name for name in content(tmp_path / "out") if name.startswith("hipify_")}
    header = content(tmp_path / "out")[name]
    again = make(tmp_path / "again", {"k.cu": code, name: header})
    convert(again, tmp_path / "second")
    assert content(tmp_path / "second") == content(tmp_path / "out")
    assert fresh(convert(again, tmp_path / "second")) == []
    other = make(tmp_path / "other", {"k.cu": code, name: header + b"// changed\n"})
    with pytest.raises(OutputError, match=f"the project's own {name} has the name of a helper header"):
        convert(other, tmp_path / "third")


def test_a_header_of_both_worlds_is_translated_once(tmp_path: Path) -> None:
    tree = {
        "both.h": b"#include <cuda_runtime.h>\ninline int n() { int d; cudaGetDevice(&d); return d; }\n",
        "x.cu": b'#include "both.h"\n',
        "y.cpp": b'#include "both.h"\n',
    }
    source, out, heard = make(tmp_path / "in", tree), tmp_path / "out", Heard()
    convert(source, out, heard)
    assert heard.files.count("both.h") == 1
    assert b"hipGetDevice(&d)" in content(out)["both.h"]
    assert content(out)["y.cpp"] == tree["y.cpp"]


def test_what_cannot_be_translated_is_kept_named_and_counted(tmp_path: Path) -> None:
    source, out = make(tmp_path / "in", {"a.cu": b"\xff\xfei\0n\0t\0", "b.cu": KERNEL}), tmp_path / "out"
    heard = Heard()
    result = convert(source, out, heard)
    assert content(out)["a.cu"] == b"\xff\xfei\0n\0t\0"
    assert result.outcomes() == {"copied": 1, "converted": 1}
    assert [note.split(":")[0] for note in result.tree.notes] == ["a.cu"]


def test_third_party_code_can_be_left_alone(tmp_path: Path) -> None:
    source = make(tmp_path / "in", {"vendor/v.cu": KERNEL, "vendor/Makefile": b"all:\n\tnvcc x.cu\n", "m.cu": KERNEL})
    convert(source, tmp_path / "copied", third_party="copy")
    found = content(tmp_path / "copied")
    assert found["vendor/v.cu"] == KERNEL and found["vendor/Makefile"] == b"all:\n\tnvcc x.cu\n"
    assert b"hipMalloc" in found["m.cu"]
    convert(source, tmp_path / "skipped", third_party="skip")
    assert set(content(tmp_path / "skipped")) == {"m.cu"}


def test_flags_come_from_the_compile_commands_of_a_file_or_of_one_that_includes_it(tmp_path: Path) -> None:
    source = make(
        tmp_path / "in",
        {
            "lib/inner.cuh": b"#ifdef LEFT\ncudaStream_t a;\n#else\ncudaEvent_t b;\n#endif\n",
            "main.cu": b"#include <inner.cuh>\n",
        },
    )
    entry = {"directory": str(source), "file": "main.cu", "arguments": ["nvcc", "-DLEFT", "-Ilib", "-c", "main.cu"]}
    (source / "compile_commands.json").write_text(json.dumps([entry]))
    out = tmp_path / "out"
    convert(source, out, options=Options(clang=False, skip_excluded=True))
    assert b"hipStream_t a;" in content(out)["lib/inner.cuh"]
    made = json.loads(content(out)["compile_commands.json"])[0]
    assert made["directory"] == str(out.resolve())
    assert made["arguments"] == ["hipcc", "-x", "hip", "-DLEFT", "-Ilib", "-c", "main.cu"]


def test_in_place_a_file_that_a_person_goes_on_with_is_translated_again(tmp_path: Path) -> None:
    kernel = "__global__ void k(int* x) { *x = __any_sync(~0u, *x); }\n"
    source = make(tmp_path, {"a.cu": kernel, "b.cu": "int f() { return cudaFree(0); }\n"})
    convert(source, source, in_place=True)
    (source / "a.cu").write_bytes((source / "a.cu").read_bytes() + b"// mine\nint g() { return cudaFree(0); }\n")
    before = content(source)
    result = convert(source, source, in_place=True, force=True)
    after = content(source)
    assert fresh(result) == ["a.cu"]
    assert after["a.cu"] == before["a.cu"].replace(b"cudaFree", b"hipFree")
    assert after["a.cu.prehip"].decode() == kernel
    assert after["a.cu.prehip.1"] == before["a.cu"]
    # The helper header is no source to be translated, and nothing is found in it.
    assert [(f.action, f.figures.findings) for f in result.files if f.path == "hipify_warp.h"] == [("left", {})]


def test_in_place_a_second_run_finds_nothing_to_do(tmp_path: Path) -> None:
    source = make(tmp_path / "in", {"a.cu": KERNEL, "h.cuh": b"", "m.cu": b'#include "h.cuh"\n', "n.txt": b"n"})
    first = convert(source, source, in_place=True, suffix=".hip")
    assert set(content(source)) == {"a.hip", "h.hip.hpp", "m.hip", "n.txt"}
    assert b"hipMalloc" in content(source)["a.hip"] and content(source)["m.hip"].endswith(b'#include "h.hip.hpp"\n')
    assert first.outcomes()["converted"] >= 2
    assert fresh(convert(source, source, in_place=True, suffix=".hip")) == []


@pytest.mark.parametrize("suffix", ["same", ".hip", ".hip.cpp"])
def test_the_state_knows_every_output(tmp_path: Path, suffix: str) -> None:
    source, out = make(tmp_path / "in", TREE), tmp_path / "out"
    convert(source, out, suffix=suffix)
    state = State(state_path(out))
    rows = state.rows()
    state.close()
    assert {row.output for row in rows.values()} == set(content(out))
    assert set(rows) == set(TREE)
