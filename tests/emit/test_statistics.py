"""The figures of hipify-clang's statistics."""

from __future__ import annotations

from hipify.emit.statistics import Statistics, as_csv, as_text, total
from hipify.model import Edit, Translation

from .examples import translation


def test_the_figures_of_one_file() -> None:
    assert Statistics.of(translation()).rows() == [
        ("CONVERTED refs count", "2"),
        ("UNCONVERTED refs count", "1"),
        ("CONVERSION %", "66.7"),
        ("REPLACED bytes", "22"),
        ("TOTAL bytes", "67"),
        ("CHANGED lines of code", "2"),
        ("TOTAL lines of code", "5"),
        ("CODE CHANGED (in bytes) %", "32.8"),
        ("CODE CHANGED (in lines) %", "40.0"),
        ("TIME ELAPSED s", "0.25"),
    ]


def test_an_edit_over_lines_touches_each_of_them_once() -> None:
    data = b"a\nb\nc\nd"
    edits = (Edit(0, 0, b"x"), Edit(2, 6, b""), Edit(6, 6, b"y"))
    figures = Statistics.of(Translation("a", data, b"", edits, (), ()))
    assert figures.changed_lines == 4
    assert figures.total_lines == 4


def test_an_empty_file_divides_nothing_by_nothing() -> None:
    rows = dict(Statistics.of(Translation("a", b"", b"", (), (), ())).rows())
    assert rows["CONVERSION %"] == "100.0"
    assert rows["CODE CHANGED (in lines) %"] == "0.0"
    assert rows["TOTAL lines of code"] == "0"


def test_the_total_adds_up() -> None:
    figures = total([Statistics.of(translation("a.cu")), Statistics.of(translation("b.cu"))])
    assert figures.converted.by_name == {"cuda_runtime.h": 2, "cudaFree": 2}
    assert figures.unconverted.by_library == {"driver": 2}
    assert (figures.total_bytes, figures.seconds, figures.files, figures.converted_files) == (134, 0.5, 2, 2)


def test_text_names_type_api_and_name_of_both_kinds() -> None:
    text = as_text([Statistics.of(translation())])
    assert "[HIPIFY] info: file 'a.cu' statistics:\n  CONVERTED refs count: 2\n" in text
    assert "[HIPIFY] info: CONVERTED refs by type:\n  function: 1\n  include: 1\n" in text
    assert "[HIPIFY] info: UNCONVERTED refs by API:\n  driver: 1\n" in text
    assert "[HIPIFY] info: UNCONVERTED refs by names:\n  cudaFoo: 1\n" in text
    assert "TOTAL statistics" not in text


def test_text_of_several_files_ends_with_the_total() -> None:
    text = as_text([Statistics.of(translation("a.cu")), Statistics.of(translation("b.cu"))])
    assert text.index("file 'a.cu'") < text.index("file 'b.cu'") < text.index("TOTAL statistics:")
    assert "  CONVERTED files: 2\n  PROCESSED files: 2\n" in text


def test_csv_has_two_fields_a_line() -> None:
    lines = as_csv([Statistics.of(translation())]).splitlines()
    assert "CONVERTED refs count;2" in lines
    assert lines[lines.index("UNCONVERTED CUDA ref name;Count") + 1] == "cudaFoo;1"
    assert all(line.count(";") == 1 for line in lines if line and not line.endswith("statistics:"))
