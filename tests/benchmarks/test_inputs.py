"""What is measured on."""

from __future__ import annotations

from pathlib import Path

import pytest

import hipify
from benchmarks import inputs


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for name, lines in {"a-cuda/a.cu": 10, "a-cuda/sub/b.cu": 190, "a-hip/a.cu": 200, "inc/c.h": 5}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("// a line\n" * (lines - 1) + "// k<<<1, 1>>>()\n")
    (root / "a-cuda" / "data.bin").write_bytes(b"x")
    return root


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_sources_of_some_folders(tree: Path, tmp_path: Path) -> None:
    copy = inputs.copy_sources(tree, ["*-cuda", "inc"], tmp_path / "copy")
    assert names(copy) == ["a-cuda/a.cu", "a-cuda/sub/b.cu", "inc/c.h"]
    assert names(inputs.copy_sources(tree, [], tmp_path / "all")) == sorted([*names(copy), "a-hip/a.cu"])


def test_files_that_are_not_utf8_stay_behind(tree: Path, tmp_path: Path) -> None:
    (tree / "a-cuda" / "latin.h").write_bytes(b"// caf\xe9\n")
    copy, left_out = inputs.readable_copy(tree, tmp_path / "readable")
    assert left_out == 1
    assert sorted([*names(copy), "a-cuda/latin.h"]) == names(tree)


def test_the_file_nearest_to_200_lines(tree: Path) -> None:
    assert inputs.small_file(tree) == tree / "a-hip" / "a.cu"
    (tree / "a-hip" / "a.cu").write_text("// nothing is launched\n" * 200)
    assert inputs.small_file(tree) == tree / "a-cuda" / "sub" / "b.cu"
    with pytest.raises(FileNotFoundError, match=r"holds no \.cu file"):
        inputs.small_file(tree / "inc")


def test_a_few_files_from_everywhere_by_size(tmp_path: Path) -> None:
    files = [tmp_path / f"{i}" for i in range(100)]
    for i, path in enumerate(files):
        path.write_bytes(b"x" * i)
    assert [path.name for path in inputs.spread(files, 4)] == ["12", "37", "62", "87"]
    assert inputs.spread(files[:2], 5) == files[:2]


def test_the_long_file_has_its_length_and_is_translated(tmp_path: Path) -> None:
    path = inputs.long_file(tmp_path / "new", 100)
    assert path.read_bytes().count(b"\n") == 101
    done = hipify.translate_file(path)
    assert done.output.count(b"hipLaunchKernelGGL(") == 10
    assert not done.findings


def test_many_files_are_all_different(tmp_path: Path) -> None:
    files = [path for path in inputs.many_files(tmp_path, 205).rglob("*") if path.is_file()]
    assert len({path.read_bytes() for path in files}) == len(files) == 205


def test_a_project_with_texts_beside_its_sources(tree: Path, tmp_path: Path) -> None:
    files = [tree / "a-cuda" / "a.cu", tree / "a-hip" / "a.cu"]
    project = inputs.with_texts(files, tmp_path / "project")
    assert names(project) == ["part_0/a.cu", "part_0/data.txt", "part_1/a.cu", "part_1/data.txt"]
    assert (project / "part_1" / "a.cu").read_bytes() == files[1].read_bytes()
    texts = {(project / f"part_{n}" / "data.txt").read_bytes() for n in (0, 1)}
    assert len(texts) == 2
    assert min(map(len, texts)) > 50_000


def test_an_edited_file_is_another_each_time_and_the_same_code(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text("int a;")
    edited = inputs.Edited(path)
    seen = []
    for _ in range(2):
        edited.again()
        seen.append(path.read_text())
    assert seen == ["int a;\n// 1\n", "int a;\n// 2\n"]
