"""Makefiles: compilers, options, libraries and paths, in variables, rules and recipes."""

from __future__ import annotations

import pytest

from hipify.model import Options

from .convert import convert, expected, found, output


def make(text: str, **context: object) -> str:
    return output("Makefile", text, **context)


def test_a_usual_makefile() -> None:
    before = """
        # builds with nvcc
        CUDA_PATH ?= /usr/local/cuda
        NVCC      = $(CUDA_PATH)/bin/nvcc
        ARCH      = -gencode arch=compute_70,code=sm_70 \\
                    -gencode arch=compute_80,code=sm_80
        NVCCFLAGS = -O3 $(ARCH) -Xcompiler -fPIC --expt-relaxed-constexpr -lineinfo
        LDFLAGS   = -L$(CUDA_PATH)/lib64 -lcudart -lcublas
        %.o: %.cu
        \t$(NVCC) $(NVCCFLAGS) -I$(CUDA_PATH)/include -c $< -o $@
        main: main.o
        \t$(NVCC) $^ -o $@ $(LDFLAGS)
        """
    assert make(before) == expected("""
        # builds with nvcc
        ROCM_PATH ?= /opt/rocm
        NVCC      = $(ROCM_PATH)/bin/hipcc
        ARCH      = --offload-arch=gfx90a
        NVCCFLAGS = -O3 $(ARCH) -fPIC -gline-tables-only
        LDFLAGS   = -L$(ROCM_PATH)/lib -lamdhip64 -lhipblas
        %.o: %.cu
        \t$(NVCC) $(NVCCFLAGS) -I$(ROCM_PATH)/include -D__HIP_PLATFORM_AMD__ -c $< -o $@
        main: main.o
        \t$(NVCC) $^ -o $@ $(LDFLAGS)
        """)


@pytest.mark.parametrize("source", ["a.cpp", "src/a.c", "$<", "$?", "$^"])
def test_the_language_stands_in_front_of_the_sources(source: str) -> None:
    text = f"a: a.cpp\n\tnvcc {source} $(FLAGS) -x cu -lcufft \\\n\t  -o $@\n"
    assert make(text) == f"a: a.cpp\n\thipcc -x hip {source} $(FLAGS) -lhipfft \\\n\t  -o $@\n"
    assert make("NVCCFLAGS = -O2 -x cu\n") == "NVCCFLAGS = -O2 -x hip\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (r"-Xcompiler \"-Wl,-rpath,$(D)/lib\"", "-Wl,-rpath,$(D)/lib"),
        (r'-Xcompiler "-O2 -pipe,-Wall" -Xcompiler "-Wall"', "-O2 -pipe -Wall -Wall"),
        (r'-Xcompiler "-DX=\"a\" -fPIC"', r"-DX=\"a\" -fPIC"),
        (r"""-Xcompiler '-DX="a"'""", r"-DX=\"a\""),
        (r"""-Xcompiler '"-fPIC"' -Xcompiler="\"-Wall,-g\"" """, "-fPIC -Wall -g "),
        (r"""-Xlinker \"-rpath,$(D)\" -Xlinker "-rpath,$(D)" """, '-Wl,-rpath,$(D) -Wl,"-rpath,$(D)" '),
        ("-Xcompiler -export-dynamic", "-rdynamic"),
    ],
)
def test_quotes_around_options_of_the_host_compiler(before: str, after: str) -> None:
    assert make(f"NVCCFLAGS = {before}\n") == f"NVCCFLAGS = {after}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("X = -a -O3 \\\n  --extended-lambda --expt-relaxed-constexpr\nall:\n\tnvcc $(X)\n",
         "X = -a -O3\nall:\n\thipcc $(X)\n"),
        ("FLAGS = --extended-lambda --expt-relaxed-constexpr\n", "FLAGS = \n"),
        ("FLAGS = --extended-lambda \\\n --expt-relaxed-constexpr \\\n -O2\n", "FLAGS =  \\\n -O2\n"),
        ("FLAGS = -O2 --extended-lambda -g # comment\n", "FLAGS = -O2 -g # comment\n"),
        ("FLAGS = -O2 --extended-lambda\r\nX = 1\r\n", "FLAGS = -O2\r\nX = 1\r\n"),
    ],
)  # fmt: skip
def test_options_beside_each_other_that_go(before: str, after: str) -> None:
    assert make(before) == after


def test_relocatable_device_code_is_linked_as_such() -> None:
    text = "CC = nvcc\n%.o: %.cu\n\t$(CC) -dc $< -o $@\nmain: a.o\n\t$(CC) a.o -o $@\nclean:\n\trm -f main\n"
    assert make(text) == (
        "CC = hipcc\n%.o: %.cu\n\t$(CC) -fgpu-rdc -c $< -o $@\n"
        "main: a.o\n\t$(CC) -fgpu-rdc --hip-link a.o -o $@\nclean:\n\trm -f main\n"
    )
    flags = "NVFLAGS = -rdc=true\nx.o: x.cu\n\tnvcc $(NVFLAGS) -c x.cu\nx: x.o\n\tnvcc x.o -o x\n"
    assert make(flags) == (
        "NVFLAGS = -fgpu-rdc\nx.o: x.cu\n\thipcc $(NVFLAGS) -c x.cu\nx: x.o\n\thipcc -fgpu-rdc --hip-link x.o -o x\n"
    )
    assert "--hip-link" not in make("x: x.cu\n\tnvcc x.cu -o x\n")
    assert "--hip-link" not in make("a.o: a.cu\n\tnvcc -dc a.cu\nx: x.o\n\tg++ x.o -o x\n")


def test_nvidia_s_samples_prefix_the_host_compiler_s_options() -> None:
    text = "ALL = $(addprefix -Xcompiler ,$(CCFLAGS))\nALL += $(addprefix -Xlinker ,$(LDFLAGS))\nx:\n\tnvcc $(ALL)\n"
    assert make(text) == "ALL = $(CCFLAGS)\nALL += $(addprefix -Xlinker ,$(LDFLAGS))\nx:\n\thipcc $(ALL)\n"


def test_architectures_in_variables() -> None:
    archs = Options(offload_arch=("gfx942",))
    assert make("ARCH = sm_60\nx:\n\tnvcc -arch=$(ARCH) x.cu\n", options=archs) == (
        "ARCH = gfx942\nx:\n\thipcc --offload-arch=$(ARCH) x.cu\n"
    )
    text = "$(foreach sm,$(SMS),$(eval GENCODE_FLAGS += -gencode arch=compute_$(sm),code=sm_$(sm)))\n"
    assert "-gencode" not in make("SMS = 70 80\n" + text + "x:\n\tnvcc $(GENCODE_FLAGS)\n", options=archs)


def test_libraries_named_without_l() -> None:
    assert make("LIBRARIES += nccl cudart\nLDFLAGS = $(LIBRARIES:%=-l%)\n") == (
        "LIBRARIES += rccl amdhip64\nLDFLAGS = $(LIBRARIES:%=-l%)\n"
    )


def test_sources_follow_their_new_names() -> None:
    context = {"renames": {"a.cu": "a.hip", "k/b.cuh": "k/b.hip.hpp"}, "suffixes": {".cu": ".hip", ".cuh": ".hip.hpp"}}
    text = """
        SRC = a.cu
        OBJ = $(SRC:.cu=.o) $(patsubst %.cu,%.o,$(wildcard *.cu))
        .SUFFIXES: .cu
        %.o: %.cu k/b.cuh
        \tnvcc -c $< -o $@
        """
    assert make(text, **context) == expected("""
        SRC = a.hip
        OBJ = $(SRC:.hip=.o) $(patsubst %.hip,%.o,$(wildcard *.hip))
        .SUFFIXES: .hip
        %.o: %.hip k/b.hip.hpp
        \thipcc -c $< -o $@
        """)


def test_a_variable_of_the_project_with_a_name_of_cuda_s_stays() -> None:
    assert make("CUDA_DIR = src/gpu\nx:\n\tcd $(CUDA_DIR) && nvcc x.cu\n") == (
        "CUDA_DIR = src/gpu\nx:\n\tcd $(CUDA_DIR) && hipcc x.cu\n"
    )


def test_what_is_lost_is_found_at_its_line() -> None:
    text = """
        FLAGS = -maxrregcount=32
        all:
        \tnvcc $(FLAGS) a.cu -lcupti
        prof:
        \tnvprof ./a
        """
    result = convert("Makefile", text)
    assert found(result) == [("HPY801", 1), ("HPY802", 3), ("HPY803", 5)]
    assert all(f.output_line == f.line for f in result.findings)


@pytest.mark.parametrize(
    "text",
    ["all:\n\tgcc -O2 -c a.c -o a.o\n", "# nvcc -arch=sm_70\nX = 1\n", "all:\n\techo done\n", "", "a = \\\n"],
)
def test_what_has_nothing_to_do_with_cuda_stays(text: str) -> None:
    assert make(text) == text


def test_bytes_that_are_no_text_stay() -> None:
    from hipify.project.build_files import BuildContext
    from hipify.project.build_files import convert as convert_file

    data = b"# caf\xe9\r\nCC = nvcc\r\n"
    assert convert_file("make", data, "Makefile", BuildContext(Options())).output == b"# caf\xe9\r\nCC = hipcc\r\n"


def test_variables_for_one_folder_do_not_hold_themselves() -> None:
    text = "CUDADIR = $(CUDA_HOME)\nINC = -I$(CUDADIR)/include\n"
    assert make(text) == "ROCM_PATH ?= /opt/rocm\nINC = -I$(ROCM_PATH)/include -D__HIP_PLATFORM_AMD__\n"
    text = "CUDA_HOME ?= /usr/local/cuda\nexport CUDA_PATH := ${CUDA_HOME} # x\n"
    assert make(text) == "ROCM_PATH ?= /opt/rocm\nexport ROCM_PATH ?= /opt/rocm# x\n"


def test_a_tab_makes_no_recipe_outside_of_a_rule() -> None:
    text = "ifeq ($(A),1)\n\tLDFLAGS += -lcuda -lcublas\n\tNV = nvcc\nendif\nx: x.cu\n\tNV=1 nvcc -Xcompiler -O2 x.cu\n"
    assert make(text) == (
        "ifeq ($(A),1)\n\tLDFLAGS += -lamdhip64 -lhipblas\n\tNV = hipcc\nendif\nx: x.cu\n\tNV=1 hipcc -O2 x.cu\n"
    )


def test_recipes_in_a_define() -> None:
    text = "X = 1\ndefine RULE\n$(1).o: $(1).cu\n\t$(NVCC) -Xcompiler -fPIC -c $$< -o $$@\nendef\nY = 2\n\tLIBS = -lcufft\n"
    assert make(text) == text.replace("-Xcompiler -fPIC", "-fPIC").replace("cufft", "hipfft")
    canned = "X = 1\ndefine compile\n\t@A=1 $(NVCC) -Xcompiler -fPIC -c $<\nendef\n"
    assert make(canned) == canned.replace("-Xcompiler -fPIC", "-fPIC")


def test_options_in_a_loop() -> None:
    text = "SMS = 60 70\nGENCODE = -O2 $(foreach sm,$(SMS),-gencode arch=compute_$(sm),code=sm_$(sm)) -Xcompiler -g\n"
    assert make(text) == "SMS = 60 70\nGENCODE = -O2 $(foreach sm,$(SMS),--offload-arch=gfx90a) -g\n"
    assert make("FLAGS = $(foreach x,a b)\n") == "FLAGS = $(foreach x,a b)\n"


def test_rules_that_are_made_by_a_define() -> None:
    text = "define rule\n$(1)/%.o: $(1)/%.cu\n\t$$(NVCC) $$(FLAGS) -dc $$< -o $$@\nendef\n"
    assert make(text) == text.replace("-dc", "-fgpu-rdc -c")


@pytest.mark.parametrize(
    "recipe",
    ["if [ -x /usr/local/cuda/bin/nvcc ]; then echo yes; fi", "@which nvcc", "test -n nvcc", "command -v nvcc > log"],
)
def test_a_question_for_nvcc_is_no_command_of_it(recipe: str) -> None:
    made = make(f"a.o: a.cu\n\tnvcc -dc a.cu\nx:\n\t{recipe}\n")
    assert made.endswith(f"\t{recipe.replace('nvcc', 'hipcc').replace('/usr/local/cuda', '/opt/rocm')}\n")


@pytest.mark.parametrize("before", ["A=1 ", "if ", "( ", "{ ", "time ", "ccache ", "env A=b ", "$(Q) ", "cd x && "])
def test_what_may_stand_before_a_compiler(before: str) -> None:
    after = make(f"x:\n\t{before}nvcc -Xcompiler -fPIC a.cu; true\n")
    assert after == f"x:\n\t{before}hipcc -fPIC a.cu; true\n"


def test_a_step_that_links_device_code_makes_an_empty_object() -> None:
    text = "d.o: a.o\n\tnvcc -arch=sm_70 -dlink a.o -o d.o\n"
    made = convert("Makefile", text)
    assert made.output.decode() == "d.o: a.o\n\thipcc --offload-arch=gfx90a -x c++ -c /dev/null -x none a.o -o d.o\n"
    assert found(made) == [("HPY801", 2)]


STEP = "d.o: $(OBJS)\n\t$(NVCC) -arch=sm_70 -dlink $(OBJS) -o $@\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("g++ -o p m.o $(OBJS) d.o -lcudart", "{} -o p m.o $(OBJS) d.o -lamdhip64"),
        ("@$(CXX) m.o $(OBJS) $(LINKED) -o p", "@{} m.o $(OBJS) $(LINKED) -o p"),
        ("$(CXX) $^ -o $@", "{} $^ -o $@"),
        ("g++ -shared -o libp.so $(OBJS) d.o", "{} -shared -o libp.so $(OBJS) d.o"),
        ("g++ -c m.cpp -o m.o", "g++ -c m.cpp -o m.o"),
        ("g++ -o q q.o", "g++ -o q q.o"),
        ("ar rcs libp.a $(OBJS) d.o", "ar rcs libp.a $(OBJS) d.o"),
    ],
)
def test_what_links_a_device_link_is_linked_by_hipcc(before: str, after: str) -> None:
    head = "NVCC = nvcc\nOBJS = a.o b.o\nLINKED = d.o\n"
    text = f"{head}p: m.o $(OBJS) d.o\n\t{before}\n{STEP}"
    if before.endswith("q.o"):
        text = text.replace("p: m.o $(OBJS) d.o", "q: q.o")
    line = convert("Makefile", text).output.decode().splitlines()[4]
    assert line == "\t" + after.format("$(NVCC) -fgpu-rdc --hip-link --offload-arch=gfx90a")


def test_a_linker_that_became_hipcc_is_told() -> None:
    made = convert("Makefile", f"NVCC = nvcc\nOBJS = a.o\np: d.o\n\tg++ d.o -o p\n{STEP}")
    (told,) = (finding for finding in made.findings if finding.line == 4)
    assert (told.id, told.severity.label) == ("HPY801", "note")
    assert told.message == "g++: $(NVCC) links here now, as hipcc links device code with the program"
    plain = convert("Makefile", "p: d.o\n\tg++ d.o -o p\nd.o: a.o\n\tnvcc -dlink a.o -o d.o\n").output.decode()
    assert "\thipcc -fgpu-rdc --hip-link --offload-arch=gfx90a d.o -o p\n" in plain


def test_nvcc_asked_for_its_version_is_reported() -> None:
    text = "# nvcc --version\nV := $(shell $(NVCC) --version | grep release)\nx:\n\t@nvcc -V\n"
    assert found(convert("Makefile", text)) == [("HPY803", 2), ("HPY803", 4)]
    assert found(convert("build.sh", "v=$(nvcc --version)\n")) == [("HPY803", 1)]


def test_a_makefile_that_sees_to_a_missing_folder_itself() -> None:
    text = "ifdef CUDA_PATH\nNV = $(CUDA_PATH)/bin/nvcc\nelse\nCPU = 1\nendif\n"
    assert make(text) == text.replace("CUDA_PATH", "ROCM_PATH").replace("nvcc", "hipcc")


@pytest.mark.parametrize(
    ("before", "after"), [("'a b.cu'", "'a b.hip'"), ('"a b.cu"', '"a b.hip"'), (r"a\ b.cu", r"a\ b.hip")]
)
def test_names_with_blanks(before: str, after: str) -> None:
    renames = {"a b.cu": "a b.hip"}
    assert make(f"x: y\n\tnvcc {before}\n", suffixes={".cu": ".hip"}, renames=renames) == f"x: y\n\thipcc {after}\n"


def test_options_that_only_nvcc_has_are_its_own_under_any_name() -> None:
    text = "CODE_GEN_KEPLER=-gencode arch=compute_35,code=sm_35\nX = -Xcompiler -fPIC\nY = -arch=sm_70\nZ = -archive arch=x\n"
    assert make(f"{text}x:\n\tnvcc $(CODE_GEN_$(ARCH)) x.cu\n") == (
        "CODE_GEN_KEPLER=--offload-arch=gfx90a\nX = -fPIC\nY = --offload-arch=gfx90a\nZ = -archive arch=x\n"
        "x:\n\thipcc $(CODE_GEN_$(ARCH)) x.cu\n"
    )
