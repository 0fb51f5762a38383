"""Which project file an include leads to, and what follows from that."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.model import Options
from hipify.project.discover import discover
from hipify.project.includes import Includes, follow, spread_commands
from hipify.project.settings import Selection

from .trees import make


def graph(root: Path, *folders: str) -> Includes:
    return Includes(discover(root, Selection()), lambda path: folders)


def test_an_include_is_looked_for_beside_its_file_then_in_the_include_folders(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "src/a.cu": '#include "x.cuh"\n#include <y.cuh>\n#include <vector>\n',
            "src/x.cuh": "",
            "inc/x.cuh": "",
            "inc/y.cuh": "",
        },
    )
    assert [item.target for item in graph(tmp_path, "inc").of("src/a.cu")] == ["src/x.cuh", "inc/y.cuh"]


def test_a_folder_that_nobody_names_is_guessed_when_one_file_fits(tmp_path: Path) -> None:
    make(tmp_path, {"src/a.cu": '#include "lib/x.cuh"\n', "include/lib/x.cuh": '#include "lib/y.cuh"\n'})
    make(tmp_path, {"include/lib/y.cuh": ""})
    found = graph(tmp_path)
    assert [item.target for item in found.of("src/a.cu")] == ["include/lib/x.cuh"]
    assert found.guessed_folders("src/a.cu") == ("include",)
    assert found.closure("src/a.cu") == ["include/lib/x.cuh", "include/lib/y.cuh"]


def test_a_header_of_cuda_is_never_guessed_to_be_the_project_s(tmp_path: Path) -> None:
    make(tmp_path, {"a.cu": "#include <cuda_runtime.h>\n", "stubs/cuda_runtime.h": ""})
    assert graph(tmp_path).of("a.cu") == ()


@pytest.mark.parametrize(("text", "target"), [("<cuco/x.cuh>", "inc/cuco/x.cuh"), ("<raft/y.hpp>", "inc/raft/y.hpp")])
def test_a_header_that_hip_lacks_may_be_the_project_s(tmp_path: Path, text: str, target: str) -> None:
    make(tmp_path, {"src/a.cu": f"#include {text}\n", target: ""})
    found = graph(tmp_path)
    assert [item.target for item in found.of("src/a.cu")] == [target]
    assert found.guessed_folders("src/a.cu") == ("inc",)


def test_headers_that_include_each_other_change_together(tmp_path: Path) -> None:
    files = {"a.cu": '#include "b.cuh"\n', "b.cuh": '#include "c.cuh"\n', "c.cuh": '#include "b.cuh"\n', "d.cu": ""}
    make(tmp_path, files)
    before = graph(tmp_path)
    (tmp_path / "c.cuh").write_text('#include "b.cuh"\nint changed;\n')
    after = graph(tmp_path)
    changed = [name for name in files if before.digest(name) != after.digest(name)]
    assert changed == ["a.cu", "b.cuh", "c.cuh"]
    assert after.includers()["b.cuh"] == ["a.cu", "c.cuh"]


def test_renames_keep_the_way_an_include_is_written(tmp_path: Path) -> None:
    make(tmp_path, {"src/a.cu": '#include "../inc/x.cuh"\n#include "b.h"\n', "inc/x.cuh": "", "src/b.h": ""})
    names = {"src/a.cu": "src/a.hip", "inc/x.cuh": "inc/x.hip.hpp", "src/b.h": "src/b.h"}
    assert graph(tmp_path).renames("src/a.cu", names) == ((b"../inc/x.cuh", b"../inc/x.hip.hpp"),)
    assert follow("cuda/x.cuh", "inc/cuda/x.cuh", "inc/hip/x.hip.hpp") == "hip/x.hip.hpp"


def test_headers_take_the_flags_of_the_nearest_file_that_includes_them(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "a.cu": '#include "near.cuh"\n',
            "b.cu": '#include "far.cuh"\n',
            "near.cuh": '#include "far.cuh"\n',
            "far.cuh": "",
            "alone.cuh": "",
        },
    )
    tree = discover(tmp_path, Selection())
    own = {"a.cu": Options(defines=("A",)), "b.cu": Options(defines=("B",))}
    found = spread_commands(tree, Includes(tree, lambda path: ()), own.get, Options(defines=("NONE",)))
    assert {path: options.defines[0] for path, options in found.items()} == {
        "a.cu": "A", "alone.cuh": "NONE", "b.cu": "B", "far.cuh": "B", "near.cuh": "A",
    }  # fmt: skip
