"""compile_commands.json: what is taken from a command, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipify.compile_commands import CompilationDatabase
from hipify.errors import InputError
from hipify.model import Options


def options(folder: Path, entry: dict[str, object]) -> Options:
    (folder / "compile_commands.json").write_text(json.dumps([{"directory": str(folder), "file": "a.cu", **entry}]))
    found = CompilationDatabase.load(str(folder)).options_for(str(folder / "a.cu"), Options())
    assert found is not None
    return found


def test_a_command_in_one_text(tmp_path: Path) -> None:
    found = options(tmp_path, {"command": "nvcc -Iinc -I /abs -DA -D 'B=\"x y\"' -O2 -gencode arch=a,code=b -c a.cu"})
    assert found == Options(include_dirs=(f"{tmp_path}/inc", "/abs"), defines=("A", 'B="x y"'))


def test_a_command_in_words_with_the_options_that_clang_shares(tmp_path: Path) -> None:
    words = ["nvcc", "-isystem", "sys", "-isystem=sys2", "-std=c++17", "-UX", "-include", "pre.h", "--std=c++20"]
    assert options(tmp_path, {"arguments": words}).clang_args == (
        *("-isystem", f"{tmp_path}/sys", "-isystem", f"{tmp_path}/sys2"),
        *("-std=c++17", "-U", "X", "-include", "pre.h", "-std=c++20"),
    )


def test_response_files(tmp_path: Path) -> None:
    (tmp_path / "inc.rsp").write_text('-I"/with space"\n-DFROM_RSP\n')
    (tmp_path / "more.rsp").write_text("-DMORE @inc.rsp")
    found = options(tmp_path, {"command": "nvcc --options-file more.rsp @missing.rsp -c a.cu"})
    assert found.include_dirs == ("/with space",)
    assert found.defines == ("MORE", "FROM_RSP")


def test_a_response_file_that_names_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "loop.rsp").write_text("-DL @loop.rsp")
    assert set(options(tmp_path, {"command": "nvcc @loop.rsp"}).defines) == {"L"}


def test_the_first_command_of_a_file_counts_and_files_keep_their_order(tmp_path: Path) -> None:
    entries = [{"directory": str(tmp_path), "file": f, "command": f"nvcc -D{d}"} for f, d in ("bX", "aY", "bZ")]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    database = CompilationDatabase.load(str(tmp_path))
    assert [Path(file).name for file in database.files] == ["b", "a"]
    found = database.options_for(str(tmp_path / "b"), Options())
    assert found is not None
    assert found.defines == ("X",)
    assert database.options_for(str(tmp_path / "c"), Options()) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not valid JSON"),
        ("", "is not valid JSON"),
        ("\xff", "is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
        ("{}", "is no compilation database"),
        ("[1]", "entry 1 lacks"),
        ('[{"file": "a", "directory": "/"}]', "entry 1 lacks"),
        ('[{"file": "a", "command": "x", "directory": 1}]', "entry 1 lacks"),
        ('[{"file": "a", "command": "x \'y"}]', "entry 1: the command cannot be split"),
    ],
)
def test_a_broken_database_is_an_input_error(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "compile_commands.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=message) as error:
        CompilationDatabase.load(str(tmp_path))
    assert "\n" not in str(error.value)


def test_a_missing_database_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or directory"):
        CompilationDatabase.load(str(tmp_path))


def test_a_relative_directory_is_relative_to_the_database(tmp_path: Path) -> None:
    (tmp_path / "compile_commands.json").write_text(
        '[{"directory": "sub", "file": "a.cu", "arguments": ["nvcc", "-Iinc", "a.cu"]}]'
    )
    database = CompilationDatabase.load(str(tmp_path))
    found = database.options_for(str(tmp_path / "sub" / "a.cu"), Options())
    assert found is not None
    assert found.include_dirs == (str(tmp_path / "sub" / "inc"),)
