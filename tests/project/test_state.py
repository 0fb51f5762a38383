"""The state file: rows go in and out unchanged, announcements outlive a kill, and docs/state.md describes it."""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path

import pytest

from hipify.cli.commands.convert import add_arguments
from hipify.cli.parser import Parser
from hipify.errors import InputError, OutputError
from hipify.project import state
from hipify.project.reports import StoredResults
from hipify.project.state import Row, State, compress, pack, state_path, unpack

from .trees import KERNEL, convert, make, settings

DOCS = Path(__file__).parents[2] / "docs"


def row(name: str, **given: object) -> Row:
    return Row(name, f"{name}.out", "converted", "k", "s", "g", "w", **given)  # type: ignore[arg-type]


@pytest.fixture
def opened(tmp_path: Path) -> State:
    return State(state_path(tmp_path))


def test_rows_come_back_as_they_were(opened: State) -> None:
    whole = row(os.fsdecode(b"caf\xe9.cu"), base=compress(b"text\xff"), record=pack({"a": [1]}), conflict=1)
    opened.finish([whole, row("b")])
    light = opened.rows()
    assert set(light) == {whole.input, "b"} and light[whole.input].base is None
    found = opened.whole(whole.input)
    assert found == whole and found.base_text == b"text\xff"
    assert found.record is not None and unpack(found.record) == {"a": [1]}
    opened.forget([whole.input])
    assert set(opened.rows()) == {"b"}


def test_what_was_announced_is_there_after_a_kill(opened: State) -> None:
    opened.announce([row("a"), row("b")])
    opened.close()
    again = State(opened.path)
    assert [found.input for found in again.pending()] == ["a", "b"]
    again.finish([row("a")])
    assert again.pending() == [] and set(again.rows()) == {"a"}


def test_nobody_else_can_open_it_meanwhile(opened: State) -> None:
    opened.set_about({"source": "/x"})
    with pytest.raises(OutputError, match="another run of hipify-py"):
        State(opened.path)
    opened.close()
    assert State(opened.path).about() == {"source": "/x"}


@pytest.mark.parametrize("data", [b"\0", compress(b"[]"), compress(b"{")])
def test_a_record_that_cannot_be_read_is_said(data: bytes) -> None:
    with pytest.raises(InputError, match="the state file is broken"):
        unpack(data)


def test_the_page_describes_the_file(opened: State) -> None:
    page = (DOCS / "state.md").read_text("utf-8")
    assert f"**version {state.VERSION}**" in page
    described = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert described == list(Row._fields)
    opened.close()
    with sqlite3.connect(opened.path) as database:
        columns = [column[1] for column in database.execute("PRAGMA table_info(files)")]
        assert columns == described == [column[1] for column in database.execute("PRAGMA table_info(pending)")]
        assert database.execute("PRAGMA user_version").fetchone() == (state.VERSION,)
        assert f"{database.execute('PRAGMA application_id').fetchone()[0]:#x}" in page
    database.close()


def test_the_page_of_the_command_names_options_that_exist() -> None:
    parser = Parser("convert", "")
    add_arguments(parser)
    page = (DOCS / "convert.md").read_text("utf-8")
    named = {name for name in re.findall(r"`(--[a-z-]+)", page) if name != "--hip-link"}
    assert named and named <= set(parser.named)


def test_stored_results_keep_no_more_than_there_is_room_for(tmp_path: Path) -> None:
    source = make(tmp_path / "in", {f"{name}.cu": KERNEL for name in "abc"})
    convert(source, tmp_path / "out")
    asked = settings(source, tmp_path / "out")
    stored = State(state_path(tmp_path / "out"), reading=True)
    for room, kept in ((0, 0), (1, 0), (1 << 20, 3)):
        results = StoredResults(stored, asked, room)
        assert [file.path.rpartition("/")[2] for file in results] == ["a.cu", "b.cu", "c.cu"]
        assert len(results._kept) == kept
        assert (results[0] is results[0]) == bool(kept)
    stored.close()
