"""CMake files: CUDA's language, targets, variables and commands become those of HIP."""

from __future__ import annotations

import pytest

from hipify.model import Options

from .convert import convert, expected, found, output


def cmake(text: str, **context: object) -> str:
    return output("CMakeLists.txt", text, **context)


def test_a_usual_file() -> None:
    before = """
        cmake_minimum_required(VERSION 3.18)
        project(demo LANGUAGES CXX CUDA)
        set(CMAKE_CUDA_STANDARD 17)
        set(CMAKE_CUDA_ARCHITECTURES 70 80)
        find_package(CUDAToolkit REQUIRED)
        add_executable(demo main.cu util.cpp)
        target_compile_options(demo PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math -lineinfo>)
        target_link_libraries(demo PRIVATE CUDA::cudart CUDA::cublas)
        """
    assert cmake(before) == expected("""
        cmake_minimum_required(VERSION 3.21)
        if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)
          set(CMAKE_HIP_ARCHITECTURES "gfx90a")
        endif()
        project(demo LANGUAGES CXX HIP)
        set(CMAKE_HIP_STANDARD 17)
        set(CMAKE_HIP_ARCHITECTURES "gfx90a")
        list(APPEND CMAKE_PREFIX_PATH $ENV{ROCM_PATH} /opt/rocm)
        find_package(hip REQUIRED)
        add_executable(demo main.cu util.cpp)
        set_source_files_properties(main.cu PROPERTIES LANGUAGE HIP)
        target_compile_options(demo PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-ffast-math -gline-tables-only>)
        find_package(hipblas REQUIRED)
        target_link_libraries(demo PRIVATE hip::host roc::hipblas)
        """)


def test_findcuda() -> None:
    before = """
        project(demo CXX)
        find_package(CUDA 9.0 REQUIRED)
        list(APPEND CUDA_NVCC_FLAGS -arch=sm_60 -std=c++14)
        include_directories(${CUDA_INCLUDE_DIRS})
        cuda_add_library(gpu STATIC gpu.cu OPTIONS --use_fast_math)
        cuda_add_executable(demo main.cpp)
        target_link_libraries(demo gpu ${CUDA_LIBRARIES} ${CUDA_CUBLAS_LIBRARIES})
        cuda_add_cufft_to_target(demo)
        """
    after = cmake(before, suffixes={".cu": ".hip"}, renames={"gpu.cu": "gpu.hip"})
    assert "find_package(hip REQUIRED)" in after
    assert "list(APPEND CMAKE_HIP_FLAGS  -std=c++14)" in after or "list(APPEND CMAKE_HIP_FLAGS -std=c++14)" in after
    assert "include_directories(${hip_INCLUDE_DIRS})\nadd_compile_definitions(__HIP_PLATFORM_AMD__=1)\n" in after
    assert "add_library(gpu STATIC gpu.hip)" in after
    assert 'target_compile_options(gpu PRIVATE "$<$<COMPILE_LANGUAGE:HIP>:-ffast-math>")' in after
    assert "target_link_libraries(demo gpu hip::host roc::hipblas)" in after
    assert "target_link_libraries(demo hip::hipfft)" in after
    assert "CUDA" not in after.replace("HIP", "").replace("CUDA_", "CUDA") or "cuda_add" not in after


def test_findcuda_switches_the_language_on() -> None:
    after = cmake("project(demo CXX)\nfind_package(CUDA REQUIRED)\ncuda_add_executable(demo main.cu)\n")
    assert "enable_language(HIP)" in after


def test_device_code_that_is_linked_across_files() -> None:
    after = cmake("""
        add_library(gpu a.cpp)
        set_target_properties(gpu PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 17)
        """)
    assert after == expected("""
        add_library(gpu a.cpp)
        set_target_properties(gpu PROPERTIES HIP_STANDARD 17)
        target_compile_options(gpu PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>)
        target_link_options(gpu PRIVATE $<$<LINK_LANGUAGE:HIP>:-fgpu-rdc> $<$<LINK_LANGUAGE:HIP>:--hip-link>)
        """)


def test_a_command_of_which_nothing_stays_gives_way_to_what_does_its_work() -> None:
    after = cmake("""
        if(X)
          set_target_properties(gpu PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
          set_property(TARGET gpu PROPERTY CUDA_SEPARABLE_COMPILATION OFF)
        endif()
        target_compile_features(gpu PRIVATE cxx_std_17 cuda_std_17)
        """)
    assert after == expected("""
        if(X)
          target_compile_options(gpu PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>)
          target_link_options(gpu PRIVATE $<$<LINK_LANGUAGE:HIP>:-fgpu-rdc> $<$<LINK_LANGUAGE:HIP>:--hip-link>)
        endif()
        target_compile_features(gpu PRIVATE cxx_std_17 hip_std_17)
        """)


def test_a_variable_for_architectures_follows() -> None:
    after = cmake("""
        set(CAPABILITY 86 CACHE STRING "which")
        set_target_properties(x PROPERTIES CUDA_ARCHITECTURES ${CAPABILITY})
        set(OTHER 86)
        """, options=Options(offload_arch=("gfx942", "gfx1100")))  # fmt: skip
    assert after == expected("""
        set(CAPABILITY "gfx942;gfx1100" CACHE STRING "which")
        set_target_properties(x PROPERTIES HIP_ARCHITECTURES ${CAPABILITY})
        set(OTHER 86)
        """)


def test_flags_that_are_appended() -> None:
    after = cmake('string(APPEND CMAKE_CUDA_FLAGS " -Xcompiler -Wall --cudart=static")\nstring(APPEND X " -arch=x")\n')
    assert after == 'string(APPEND CMAKE_HIP_FLAGS " -Wall ")\nstring(APPEND X " -arch=x")\n'
    assert (
        cmake("list(APPEND FLAGS ${CMAKE_CUDA_FLAGS_${TYPE}})\n") == "list(APPEND FLAGS ${CMAKE_HIP_FLAGS_${TYPE}})\n"
    )


def test_a_variable_with_options_that_only_nvcc_takes_may_be_used_in_another_file() -> None:
    text = "set(A -gencode=arch=compute_35,code=sm_35 -O2)\nlist(APPEND A --use_fast_math)\nset(B -rdcx -fPIC)\n"
    assert cmake(text) == "set(A  -O2)\nlist(APPEND A -ffast-math)\nset(B -rdcx -fPIC)\n"


def test_architectures_come_through_several_variables() -> None:
    text = """
        if(CMAKE_VERSION VERSION_LESS 3.24)
          set(FIRST "70;80")
        else()
          set(FIRST "all-major")
        endif()
        set(SECOND "${FIRST}" CACHE STRING "GPUs")
        set(CMAKE_CUDA_ARCHITECTURES ${SECOND})
        set(OTHER "70;80")
        """
    made = expected(
        text.replace('FIRST "70;80"', 'FIRST "gfx90a"').replace("all-major", "gfx90a").replace("CUDA", "HIP")
    )
    assert cmake(text) == made
    assert [f.id for f in convert("CMakeLists.txt", text).findings] == ["HPY804", "HPY804"]


def test_a_library_that_the_file_looks_for_itself_keeps_its_variable() -> None:
    text = """
        find_library(NCCL_LIBRARY NAMES nccl)
        add_library(nccl UNKNOWN IMPORTED)
        set_target_properties(nccl PROPERTIES IMPORTED_LOCATION "${NCCL_LIBRARY}")
        target_link_libraries(a PRIVATE ${NCCL_LIBRARY})
        """
    assert cmake(text) == expected(text.replace("NAMES nccl", "NAMES rccl"))
    assert "roc::rccl" in cmake("target_link_libraries(a PRIVATE ${NCCL_LIBRARY})\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (r'set(CMAKE_CUDA_FLAGS "-Xcompiler=\"-fPIC -Wall\" -O3")', 'set(CMAKE_HIP_FLAGS "-fPIC -Wall -O3")'),
        (r'set(CMAKE_CUDA_FLAGS "-Xcompiler \"-fPIC,-Wall\" -G")', 'set(CMAKE_HIP_FLAGS "-fPIC -Wall -ggdb")'),
        ("set(CMAKE_CUDA_FLAGS \"-Xcompiler '-Wall -g'\")", 'set(CMAKE_HIP_FLAGS "-Wall -g")'),
        ('set(CMAKE_CUDA_FLAGS "-O2" --keep-dir "${X}" -G)', 'set(CMAKE_HIP_FLAGS "-O2" -ggdb)'),
        ('set(CMAKE_CUDA_FLAGS -Xcompiler "-fPIC -Wall")', 'set(CMAKE_HIP_FLAGS -fPIC "-Wall")'),
        ('set(CMAKE_CUDA_FLAGS "-Xlinker" "-rpath,${X}" "-ccbin" ${CC})', 'set(CMAKE_HIP_FLAGS "-Wl,-rpath,${X}")'),
        ('set(CMAKE_CUDA_FLAGS -O2 # fast\n  "-maxrregcount" # few\n  "32")',
         "set(CMAKE_HIP_FLAGS -O2 # fast\n # few\n)"),
        (r'list(APPEND CMAKE_CUDA_FLAGS -gencode "arch=compute_70,code=\"sm_70,compute_70\"" -O2)',
         "list(APPEND CMAKE_HIP_FLAGS -O2)"),
        ('list(APPEND CMAKE_CUDA_FLAGS "-gencode" "arch=compute_70,code=sm_70")', "list(APPEND CMAKE_HIP_FLAGS)"),
        ('add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fPIC,-Wall>")',
         'add_compile_options("$<$<COMPILE_LANGUAGE:HIP>:-fPIC;-Wall>")'),
        ("add_compile_options(\"$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler '-fPIC -Wall'>\")",
         'add_compile_options("$<$<COMPILE_LANGUAGE:HIP>:SHELL:-fPIC -Wall>")'),
        (r'add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=\"-w -fPIC\">")',
         'add_compile_options("$<$<COMPILE_LANGUAGE:HIP>:-w;-fPIC>")'),
        (r'add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-G -Xcompiler="\"/wd4819 /wd4244\"">)',
         "add_compile_options($<$<COMPILE_LANGUAGE:HIP>:-ggdb >)"),
    ],
)  # fmt: skip
def test_quotes_inside_and_around_options(before: str, after: str) -> None:
    made = cmake(before + "\n")
    assert made.splitlines()[: after.count("\n") + 1] == after.splitlines()


def test_an_old_standard_is_raised_where_a_library_needs_that() -> None:
    text = "set(CMAKE_CUDA_STANDARD 14)\nset_target_properties(x PROPERTIES CUDA_STANDARD 11)\n"
    assert cmake(text) == text.replace("CUDA", "HIP")
    assert cmake(text, cxx17=True) == text.replace("CUDA", "HIP").replace("14", "17").replace("11", "17")


def test_sources_that_keep_their_names_are_said_to_be_hip() -> None:
    after = cmake("""
        aux_source_directory(src SOURCES)
        file(GLOB KERNELS kernels/*.cu)
        add_library(gpu ${SOURCES} ${KERNELS})
        """)
    assert after == expected("""
        aux_source_directory(src SOURCES)
        file(GLOB HIP_LANGUAGE_SOURCES src/*.cu)
        set_source_files_properties(${HIP_LANGUAGE_SOURCES} PROPERTIES LANGUAGE HIP)
        list(APPEND SOURCES ${HIP_LANGUAGE_SOURCES})
        file(GLOB KERNELS kernels/*.cu)
        set(HIP_LANGUAGE_SOURCES ${KERNELS})
        list(FILTER HIP_LANGUAGE_SOURCES INCLUDE REGEX "\\\\.cu$")
        set_source_files_properties(${HIP_LANGUAGE_SOURCES} PROPERTIES LANGUAGE HIP)
        add_library(gpu ${SOURCES} ${KERNELS})
        """)


def test_sources_follow_their_new_names() -> None:
    context = {
        "renames": {"src/a.cu": "src/a.hip", "src/b.cuh": "src/b.hip.hpp", "cuda/c.cpp": "hip/c.cpp"},
        "suffixes": {".cu": ".hip", ".cuh": ".hip.hpp"},
    }
    text = """
        set(SOURCES src/a.cu ${CMAKE_CURRENT_SOURCE_DIR}/src/a.cu cuda/c.cpp)
        file(GLOB ALL "src/*.cu")
        set_source_files_properties(src/a.cu PROPERTIES LANGUAGE CUDA)
        install(FILES src/b.cuh DESTINATION include)
        """
    assert cmake(text, **context) == expected("""
        set(SOURCES src/a.hip ${CMAKE_CURRENT_SOURCE_DIR}/src/a.hip hip/c.cpp)
        file(GLOB ALL "src/*.hip")
        set_source_files_properties(src/a.hip PROPERTIES LANGUAGE HIP)
        install(FILES src/b.hip.hpp DESTINATION include)
        """)


def test_what_cannot_be_mapped_is_found_at_its_line() -> None:
    result = convert("CMakeLists.txt", """
        cuda_compile_ptx(PTX a.cu)
        target_link_libraries(x CUDA::cupti nvidia-ml)
        register_library("nvjpeg")
        if(CUDA_VERSION VERSION_LESS 11)
        endif()
        set(CMAKE_CUDA_STRANGE 1)
        execute_process(COMMAND nvidia-smi)
        """)  # fmt: skip
    assert found(result) == [
        ("HPY803", 1), ("HPY802", 2), ("HPY802", 2), ("HPY802", 3), ("HPY803", 4), ("HPY803", 6), ("HPY803", 7),
    ]  # fmt: skip


def test_a_file_that_is_no_cmake_is_copied_and_said() -> None:
    text = "project(x CUDA\n"
    result = convert("CMakeLists.txt", text)
    assert result.output.decode() == text
    assert found(result) == [("HPY803", 1)]


@pytest.mark.parametrize(
    "text",
    ["project(x CXX)\nadd_executable(x a.cpp)\n", "# project(x CUDA)\n", "#[[ CUDA::cudart ]]\nset(x 1)\n", ""],
)
def test_what_has_nothing_to_do_with_cuda_stays(text: str) -> None:
    assert cmake(text) == text


@pytest.mark.parametrize(
    "text",
    [
        'message("a \\" ) b")\nproject(x CUDA)\n',
        "set(x [==[ ) CUDA ]] ]==])\nproject(x CUDA)\n",
        "if((A AND B) OR (NOT C))\nendif()\nproject(x CUDA) # )\n",
        'add_definitions(-DX="a b" -D Y)\nproject(x\n  CUDA\n)\n',
    ],
)
def test_the_syntax_is_understood(text: str) -> None:
    result = convert("CMakeLists.txt", text)
    assert found(result) == []
    assert b"HIP" in result.output.replace(b"CMAKE_HIP_ARCHITECTURES", b"")


def test_findcuda_s_flags_are_a_list_and_hip_s_a_text() -> None:
    join = 'string(REPLACE ";" " " CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS}")\n'
    for before, after in (
        ("list(APPEND CUDA_NVCC_FLAGS -O3 -g)\n", f"list(APPEND CMAKE_HIP_FLAGS -O3 -g)\n{join}"),
        ('set(CUDA_NVCC_FLAGS "${CUDA_NVCC_FLAGS};-O3")\n', f'set(CMAKE_HIP_FLAGS "${{CMAKE_HIP_FLAGS}};-O3")\n{join}'),
        ("set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} -O3)\n", f"set(CMAKE_HIP_FLAGS ${{CMAKE_HIP_FLAGS}} -O3)\n{join}"),
        ('set(CUDA_NVCC_FLAGS "-O3 -g")\n', 'set(CMAKE_HIP_FLAGS "-O3 -g")\n'),
        ('string(APPEND CMAKE_CUDA_FLAGS " -O3")\n', 'string(APPEND CMAKE_HIP_FLAGS " -O3")\n'),
    ):
        assert cmake(before) == after
    assert 'CMAKE_HIP_FLAGS_DEBUG "${CMAKE_HIP_FLAGS_DEBUG}"' in cmake("list(APPEND CUDA_NVCC_FLAGS_DEBUG -G)\n")


def test_properties_that_are_asked_for() -> None:
    text = "get_target_property(A t CUDA_ARCHITECTURES)\nset_target_properties(u PROPERTIES CUDA_ARCHITECTURES ${A})\n"
    made = convert("CMakeLists.txt", text)
    assert made.output.decode() == text.replace("CUDA_", "HIP_")
    assert not found(made)
    lost = convert("CMakeLists.txt", "get_property(A TARGET t PROPERTY CUDA_SEPARABLE_COMPILATION)\n")
    assert found(lost) == [("HPY803", 1)]


def test_architectures_in_a_list_that_nobody_quoted() -> None:
    text = "set_target_properties(t PROPERTIES CUDA_ARCHITECTURES 60 61 70 CUDA_STANDARD 17)\n"
    assert cmake(text) == 'set_target_properties(t PROPERTIES HIP_ARCHITECTURES "gfx90a" HIP_STANDARD 17)\n'


def test_an_interface_library_has_nothing_to_compile() -> None:
    text = (
        "add_library(t INTERFACE)\nset_target_properties(t PROPERTIES CXX_STANDARD 11 CUDA_SEPARABLE_COMPILATION ON)\n"
    )
    assert cmake(text) == "add_library(t INTERFACE)\nset_target_properties(t PROPERTIES CXX_STANDARD 11)\n"


def test_options_in_variables_of_the_file_s_own() -> None:
    before = """
        set(WARN -Wall)
        set(CUDA_FLAGS
          --expt-extended-lambda # always
          --use_fast_math
          --ptxas-options -v
          $<$<CXX_COMPILER_ID:GNU>:-O3>)
        list(APPEND MORE --generate-line-info ${DEEP})
        string(APPEND DEEP "-Xcompiler -fPIC")
        set(HOST --use_fast_math)
        target_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${CUDA_FLAGS}> $<$<COMPILE_LANGUAGE:CXX>:${HOST}>)
        set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} ${MORE}")
        """
    assert cmake(before) == expected("""
        set(WARN -Wall)
        set(CUDA_FLAGS
           # always
          -ffast-math
          -Rpass-analysis=kernel-resource-usage
          $<$<CXX_COMPILER_ID:GNU>:-O3>)
        list(APPEND MORE -gline-tables-only ${DEEP})
        string(APPEND DEEP "-fPIC")
        set(HOST --use_fast_math)
        target_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:HIP>:${CUDA_FLAGS}> $<$<COMPILE_LANGUAGE:CXX>:${HOST}>)
        set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} ${MORE}")
        """)


def test_commands_that_select_nvidia_s_gpus_select_none() -> None:
    text = (
        "  cuda_select_nvcc_arch_flags(FLAGS Auto)\nlist(APPEND CUDA_NVCC_FLAGS ${FLAGS})\ncuda_build_clean_target()\n"
    )
    made = convert("CMakeLists.txt", f"if(X)\n{text}endif()\n")
    assert made.output.decode().startswith(
        'if(X)\n  set(FLAGS "")\n  set(FLAGS_readable "")\nlist(APPEND CMAKE_HIP_FLAGS'
    )
    assert b"clean" not in made.output
    assert [(f.id, f.line) for f in made.findings] == [("HPY804", 2), ("HPY801", 4)]


def test_the_standard_of_cxx_is_hip_s_too() -> None:
    text = "project(x CUDA)\nset(CMAKE_CXX_STANDARD 11)\nset_target_properties(t PROPERTIES CXX_STANDARD 14 FOLDER f)\n"
    made = cmake(text, cxx17=True)
    assert "set(CMAKE_CXX_STANDARD 11)\nset(CMAKE_HIP_STANDARD 17)\n" in made
    assert "PROPERTIES CXX_STANDARD 14 HIP_STANDARD 17 FOLDER f)" in made
    assert "HIP_STANDARD" not in cmake(text)
    own = f"{text}set(CMAKE_CUDA_STANDARD 14)\nset_target_properties(t PROPERTIES CXX_STANDARD 14 CUDA_STANDARD 20)\n"
    made = cmake(own, cxx17=True)
    assert made.count("set(CMAKE_HIP_STANDARD 17)") == 1 and "CXX_STANDARD 14 HIP_STANDARD 20" in made


@pytest.mark.parametrize(
    ("before", "after", "finding"),
    [
        ("add_custom_command(OUTPUT k.o COMMAND nvcc ARGS -c -arch=sm_70 k.cu DEPENDS k.cu)",
         "add_custom_command(OUTPUT k.o COMMAND hipcc ARGS -c --offload-arch=gfx90a k.cu DEPENDS k.cu)", ""),
        ("add_custom_target(x COMMAND ${CMAKE_CUDA_COMPILER} -ptx k.cu -o k.ptx COMMAND true)",
         "add_custom_target(x COMMAND hipcc --offload-device-only -S k.cu -o k.ptx COMMAND true)", "HPY801"),
        ("execute_process(COMMAND ${CUDA_NVCC_EXECUTABLE} -Xcompiler -fPIC a.cu OUTPUT_VARIABLE v)",
         "execute_process(COMMAND hipcc -fPIC a.cu OUTPUT_VARIABLE v)", ""),
        ('if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")', 'if(CMAKE_HIP_COMPILER_ID STREQUAL "Clang")', ""),
        ("if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)", "if(CMAKE_HIP_COMPILER_VERSION VERSION_LESS 12)", "HPY803"),
        ("list(APPEND CMAKE_CUDA_ARCHITECTURES ${a})", "", ""),
        ("find_path(I cuda_runtime.h HINTS $ENV{CUDA_HOME}/include $ENV{CUDA_PATH}/lib64)",
         "find_path(I hip/hip_runtime.h HINTS $ENV{ROCM_PATH}/include $ENV{ROCM_PATH}/lib)", ""),
        ("FetchContent_Declare(cccl GIT_REPOSITORY https://x/NVIDIA/cccl.git)",
         "FetchContent_Declare(cccl GIT_REPOSITORY https://x/NVIDIA/cccl.git)", "HPY803"),
        ("FetchContent_Declare(fmt GIT_REPOSITORY https://x/fmtlib/fmt.git) # not cuda",
         "FetchContent_Declare(fmt GIT_REPOSITORY https://x/fmtlib/fmt.git) # not cuda", ""),
    ],
)  # fmt: skip
def test_commands_packages_and_questions(before: str, after: str, finding: str) -> None:
    made = convert("CMakeLists.txt", f"{before}\n")
    lines = made.output.decode().splitlines()
    assert lines[0] == after
    assert found(made) == ([(finding, 1)] if finding else [])


def test_names_with_blanks() -> None:
    text = 'add_executable(e "a b.cu" c.cu)\n'
    assert cmake(text).endswith('set_source_files_properties("a b.cu" c.cu PROPERTIES LANGUAGE HIP)\n')
    renames = {"a b.cu": "a b.hip", "c.cu": "c.hip"}
    assert cmake(text, suffixes={".cu": ".hip"}, renames=renames) == 'add_executable(e "a b.hip" c.hip)\n'


def test_a_device_link_among_options_is_left_out_and_said() -> None:
    made = convert("CMakeLists.txt", "target_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-rdc=true -dlink>)\n")
    assert made.output == b"target_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc >)\n"
    assert found(made) == [("HPY801", 1)]
