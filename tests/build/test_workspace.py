"""The private folder of a build: names that no shell can take for more, and links under the files' own names."""

from __future__ import annotations

from pathlib import Path

from hipify.build.plain import is_plain
from hipify.build.workspace import workspace
from hipify.model import Options
from hipify.pipeline import translate


def test_files_with_odd_names_are_found_by_their_own_and_lie_under_plain_ones(tmp_path: Path) -> None:
    options = Options(clang=False)
    texts = {
        "a b;c/main$.cu": b'#include "h`x`.cuh"\n#include "../more,1/m.cuh"\n',
        "a b;c/h`x`.cuh": b"cudaStream_t s;\n",
        "more,1/m.cuh": b"cudaEvent_t e;\n",
        "plain.cu": b"cudaStream_t t;\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text)
    given = [str(tmp_path / name) for name in ("a b;c/main$.cu", "plain.cu")]
    made = workspace(
        {path: translate(Path(path).read_bytes(), path, options) for path in given},
        dict.fromkeys(given, options),
        {path: [] for path in given},
    )
    try:
        assert [is_plain(str(made.place(str(tmp_path / name)))) for name in texts] == [True] * 4
        assert [made.renamed(str(tmp_path / name)) for name in texts] == [True, True, True, False]
        assert made.place(given[0]).suffix == ".cu"
        own = made.folder / "src"
        for name in texts:
            assert (own / name).resolve() == made.place(str(tmp_path / name)).resolve()
            assert b"hip" in (own / name).read_bytes() or name.endswith("main$.cu")
        beside = made.place(given[0]).parent
        assert (beside / "../more,1/m.cuh").read_bytes().endswith(b"hipEvent_t e;\n")
    finally:
        made.close()
    assert not made.folder.exists()
