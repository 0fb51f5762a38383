"""What HIP's headers ask of a build: the platform for host compilers, macros of a release."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify.model import Options
from hipify.project.build_files.needs import defines, defines_for, hosts, near
from hipify.project.discover import discover
from hipify.project.includes import Includes
from hipify.project.settings import Selection
from tests.cli.runner import command, environment
from tests.project.trees import content, convert, make

from .convert import output

PLATFORM = "-D__HIP_PLATFORM_AMD__ -I$(ROCM_PATH)/include"
WARPS = ("HIP_ENABLE_WARP_SYNC_BUILTINS",)


def test_host_sources_are_those_that_read_hip_s_headers(tmp_path: Path) -> None:
    source = make(tmp_path, {
        "own.cpp": "#include <cuda_runtime.h>\n",
        "through.c": '#include "a.h"\n',
        "a.h": '#include "b.h"\n',
        "b.h": "#include <cublas_v2.h>\n",
        "only_a_word.cpp": "// cuda\n",
        "plain.cpp": "#include <vector>\n",
        "kernel.cu": "#include <cuda_runtime.h>\n",
    })  # fmt: skip
    tree = discover(source, Selection())
    assert hosts(tree, Includes(tree, lambda path: ())) == ("own.cpp", "through.c")


def test_a_build_file_has_to_do_with_what_is_below_it() -> None:
    paths = ("a/x.cpp", "ab/y.cpp", "z.cpp")
    assert near(paths, "a", has_sources=True) == ("a/x.cpp",)
    assert near(paths, "a/build", has_sources=False) == ("a/x.cpp",)
    assert near(paths, "", has_sources=True) == near(paths, "build", has_sources=False) == paths


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        ("int x = __shfl_down_sync(m, y, 1);", "6.4", WARPS),
        ("unsigned m = __activemask();", "6.4", WARPS),
        ("#include <cooperative_groups.h>\n", "6.4", WARPS),
        ("__syncwarp();", "6.4", ()),
        ("int x = __shfl_down_sync(m, y, 1);", "7.2", ()),
        ("int x = __shfl_down_sync(m, y, 1);", "5.7", ()),
        ("#include <cusolverDn.h>\n", "5.7", ("HIPSOLVER_USE_HIPBLAS_ENUMS",)),
        ("#include <cusolverDn.h>\n", "6.4", ()),
    ],
)
def test_macros_of_a_release(tmp_path: Path, text: str, target: str, expected: tuple[str, ...]) -> None:
    make(tmp_path, {"a.cu": text})
    assert defines(discover(tmp_path, Selection()), Options(target=target)) == expected
    assert defines_for(["-c", "nowhere.cu", str(tmp_path / "a.cu")], target) == expected


@pytest.mark.parametrize(
    ("rule", "after"),
    [
        ("main.o: main.cpp\n\tg++ -c main.cpp", f"main.o: main.cpp\n\tg++ {PLATFORM} -c main.cpp"),
        ("%.o: %.cpp\n\t$(Q)$(CXX) -c $<", f"%.o: %.cpp\n\t$(Q)$(CXX) {PLATFORM} -c $<"),
        (".cpp.o:\n\tg++ -c $<", f".cpp.o:\n\tg++ {PLATFORM} -c $<"),
        ("S = main.cpp\nx: $(S)\n\t@g++ $(S) -o x", f"S = main.cpp\nx: $(S)\n\t@g++ {PLATFORM} $(S) -o x"),
        ("x: $(wildcard *.cpp)\n\tg++ $^", f"x: $(wildcard *.cpp)\n\tg++ {PLATFORM} $^"),
        ("D = .\nO/%.o: $(D)/%.cpp\n\tg++ -c $<", f"D = .\nO/%.o: $(D)/%.cpp\n\tg++ {PLATFORM} -c $<"),
        # Nothing of ours: another source, a link, hipcc itself, headers that are given already.
        ("other.o: other.cpp main.h\n\tg++ -c $<", None),
        ("x: main.o\n\tg++ main.o -o x\nmain.o: main.cpp\n\thipcc -c $<", None),
        ("S = main.cpp\nx: $(S:.cpp=.o)\n\tg++ $(S:.cpp=.o) -o x\n%.o: %.cpp\n\thipcc -c $<", None),
    ],
)  # fmt: skip
def test_make_gives_host_sources_the_platform(rule: str, after: str | None) -> None:
    before = f"# head\n{rule}\n"
    made = output("Makefile", before, hosts=("main.cpp",))
    assert made == (before if after is None else f"# head\nROCM_PATH ?= /opt/rocm\n{after}\n")


def test_headers_that_a_command_is_given_already() -> None:
    text = "F = -I$(CUDA_PATH)/include\nmain.o: main.cpp\n\tg++ $(F) -c $<\n"
    assert output("Makefile", text, hosts=("main.cpp",)) == (
        "ROCM_PATH ?= /opt/rocm\nF = -I$(ROCM_PATH)/include -D__HIP_PLATFORM_AMD__\nmain.o: main.cpp\n\tg++ $(F) -c $<\n"
    )


def test_a_root_that_the_makefile_has_is_not_set_again() -> None:
    text = "CUDA_HOME ?= /usr/local/cuda\na.o: a.c\n\tgcc -c a.c\n"
    assert output("Makefile", text, hosts=("a.c",)) == f"ROCM_PATH ?= /opt/rocm\na.o: a.c\n\tgcc {PLATFORM} -c a.c\n"


def test_sources_that_make_s_own_rules_compile() -> None:
    text = "OBJS = main.o plain.o\r\nx: $(OBJS)\r\n\tg++ $(OBJS) -o x\r\n"
    head, tail = "ROCM_PATH ?= /opt/rocm\r\n", f"CPPFLAGS += {PLATFORM}\r\n"
    assert output("Makefile", text, hosts=("main.cpp",)) == head + text + tail
    assert output("Makefile", text, hosts=("other.cpp",)) == text
    assert output("Makefile", f"CXX = nvcc\n{text}", hosts=("main.cpp",)) == f"CXX = hipcc\n{text}"


def test_make_gives_device_code_the_release_s_macros() -> None:
    text = "NVCC = nvcc\nx: a.o\n\t$(NVCC) a.o -o x\n%.o: %.cu\n\t$(NVCC) -c $<\nb: b.cpp\n\tg++ b.cpp\n"
    wanted = text.replace("NVCC = nvcc", "NVCC = hipcc").replace("$(NVCC) -c", f"$(NVCC) -D{WARPS[0]} -c")
    assert output("Makefile", text, defines=WARPS) == wanted


def test_a_prefix_before_the_compiler_hides_no_options() -> None:
    text = "a.o: a.cu\n\t$(Q)$(NVCC) -Xcompiler -fPIC -c a.cu\n"
    assert output("Makefile", text) == "a.o: a.cu\n\t$(Q)$(NVCC) -fPIC -c a.cu\n"


HEAD = """\
list(APPEND CMAKE_PREFIX_PATH $ENV{ROCM_PATH} /opt/rocm)
find_package(hip REQUIRED)
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("add_executable(e main.cpp)",
         HEAD + "add_executable(e main.cpp)\nset_property(TARGET e APPEND PROPERTY LINK_LIBRARIES hip::host)"),
        ("add_executable(e ${S})\nset(S a.cpp\n  main.cpp)\ntarget_link_libraries(e PRIVATE m)",
         HEAD + "add_executable(e ${S})\ntarget_link_libraries(e PRIVATE hip::host)\n"
         "set(S a.cpp\n  main.cpp)\ntarget_link_libraries(e PRIVATE m)"),
        ("file(GLOB S *.cpp)\nadd_library(e ${S})\ntarget_link_libraries(e m)",
         "file(GLOB S *.cpp)\n" + HEAD + "add_library(e ${S})\ntarget_link_libraries(e hip::host)\n"
         "target_link_libraries(e m)"),
        ("add_library(e)\ntarget_sources(e PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)",
         "add_library(e)\n" + HEAD + "target_sources(e PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)\n"
         "set_property(TARGET e APPEND PROPERTY LINK_LIBRARIES hip::host)"),
        # Others: no such source, no target of its own.
        ("add_executable(e other.cpp)", "add_executable(e other.cpp)"),
        ("file(GLOB S sub/*.cpp)\nadd_library(e ${S})", "file(GLOB S sub/*.cpp)\nadd_library(e ${S})"),
        ("add_library(e ALIAS main.cpp)", "add_library(e ALIAS main.cpp)"),
    ],
)  # fmt: skip
def test_cmake_links_targets_with_host_sources_to_hip(before: str, after: str) -> None:
    # The language is the file's own business here, so that HIP is required.
    head = "project(x LANGUAGES CXX CUDA)\n"
    made = output("CMakeLists.txt", f"{head}{before}\n", hosts=("main.cpp",))
    assert made.partition("project(x LANGUAGES CXX HIP)\n")[2] == f"{after}\n"


def test_cmake_targets_that_have_hip_already() -> None:
    linked = "add_executable(e main.cpp)\ntarget_link_libraries(e CUDA::cudart)\n"
    assert output("CMakeLists.txt", linked, hosts=("main.cpp",)).count("hip::host") == 1
    included = "include_directories(${CUDA_INCLUDE_DIRS})\nadd_executable(e main.cpp)\n"
    assert "hip::host" not in output("CMakeLists.txt", included, hosts=("main.cpp",))


def test_hip_is_optional_where_cuda_was() -> None:
    made = output("CMakeLists.txt", "add_executable(e main.cpp)\n", hosts=("main.cpp",))
    assert "find_package(hip QUIET)\n" in made
    assert "LINK_LIBRARIES $<TARGET_NAME_IF_EXISTS:hip::host>)" in made


@pytest.mark.parametrize("language", ["project(x CUDA)", "enable_language(CUDA)", "find_package(CUDA REQUIRED)"])
def test_cmake_defines_the_release_s_macros_where_the_language_begins(language: str) -> None:
    line = f'add_compile_definitions("$<$<COMPILE_LANGUAGE:HIP>:{WARPS[0]}>")\n'
    assert output("CMakeLists.txt", f"{language}\n", defines=WARPS).endswith(line)
    assert WARPS[0] not in output("CMakeLists.txt", f"{language}\n")


def test_a_compile_database_says_both(tmp_path: Path) -> None:
    entries = [
        {"directory": "/src", "file": "a.cu", "arguments": ["ccache", "nvcc", "-c", "a.cu"]},
        {"directory": "/src/sub", "file": "../main.cpp", "command": "g++ -c ../main.cpp"},
        {"directory": "/src", "file": "/src/other.cpp", "arguments": ["g++", "-c", "/src/other.cpp"]},
        {"directory": "/src", "file": "main.cpp", "arguments": ["ccache", "g++", "-I/usr/local/cuda/include"]},
    ]
    where = {"root": "/src", "out": "/out", "hosts": ("main.cpp",), "defines": WARPS}
    made = json.loads(output("compile_commands.json", json.dumps(entries), **where))
    assert made[0]["arguments"] == ["ccache", "hipcc", "-x", "hip", f"-D{WARPS[0]}", "-c", "a.cu"]
    assert made[1]["command"] == "g++ -D__HIP_PLATFORM_AMD__ -I/opt/rocm/include -c ../main.cpp"
    assert made[2]["arguments"] == ["g++", "-c", "/out/other.cpp"]
    assert made[3]["arguments"] == ["ccache", "g++", "-I/opt/rocm/include", "-D__HIP_PLATFORM_AMD__"]


def test_flags_reads_the_sources_that_it_is_shown(tmp_path: Path) -> None:
    make(tmp_path, {"a.cu": "int x = __any_sync(m, y);"})
    for target, expected in (("6.4", f"hipcc -D{WARPS[0]} -c a.cu\n"), ("7.2", "hipcc -c a.cu\n")):
        words = command("flags", "--target", target, "--", "nvcc", "-c", "a.cu")
        done = subprocess.run(words, env=environment(), capture_output=True, cwd=tmp_path, text=True, check=True)
        assert done.stdout == expected


def test_a_conversion_finds_out_by_itself(tmp_path: Path) -> None:
    source = make(tmp_path / "src", {
        "Makefile": "x: k.o main.o\n\tnvcc k.o main.o -o x\nk.o: k.cu\n\tnvcc -c k.cu\nmain.o: main.cpp\n\tg++ -c main.cpp\n",
        "k.cu": "__global__ void k(int* x) { *x = __any_sync(~0u, *x); }\n",
        "main.cpp": '#include "h.h"\n',
        "h.h": "#include <cuda_runtime.h>\n",
    })  # fmt: skip
    convert(source, tmp_path / "out", options=Options(clang=False, target="6.4", warp="native"))
    assert content(tmp_path / "out")["Makefile"].decode() == (
        "ROCM_PATH ?= /opt/rocm\nx: k.o main.o\n\thipcc k.o main.o -o x\n"
        f"k.o: k.cu\n\thipcc -D{WARPS[0]} -c k.cu\nmain.o: main.cpp\n\tg++ {PLATFORM} -c main.cpp\n"
    )
    # A header that no longer reads CUDA's changes what the makefile must say.
    (source / "h.h").write_text("\n")
    convert(source, tmp_path / "out", options=Options(clang=False, target="6.4", warp="native"))
    assert "main.o: main.cpp\n\tg++ -c main.cpp\n" in content(tmp_path / "out")["Makefile"].decode()


def test_what_make_runs_is_what_a_compiler_takes(tmp_path: Path) -> None:
    """The converted makefile's commands, run with a compiler that only shows its arguments."""
    assert shutil.which("make")
    text = "S = sub/main.cpp\nx: $(S:.cpp=.o)\nsub/%.o: sub/%.cpp\n\tg++ -c $< -o $@\n"
    make(tmp_path, {"sub/main.cpp": "", "Makefile": output("Makefile", text, hosts=("sub/main.cpp",))})
    # Under `make test` this make would be a part of that one.
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKELEVEL", "MAKEFLAGS", "MFLAGS")
    }
    done = subprocess.run(
        ["make", "-n", "ROCM_PATH=/r"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "g++ -D__HIP_PLATFORM_AMD__ -I/r/include -c sub/main.cpp -o sub/main.o\n"


def test_folders_of_a_compile_database_may_be_relative_to_it() -> None:
    entries = [{"directory": ".", "file": "../a.cu", "arguments": ["nvcc", "-c", "../a.cu"]}]
    where = {"root": "/src", "out": "/out", "folder": "build", "renames": {"a.cu": "a.hip"}}
    made = json.loads(output("compile_commands.json", json.dumps(entries), **where))
    assert made == [{"directory": ".", "file": "../a.hip", "arguments": ["hipcc", "-c", "../a.hip"]}]
