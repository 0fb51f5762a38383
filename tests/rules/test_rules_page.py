"""Each example of docs/rules.md is what really comes out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hipify
from hipify.rules.grammar import _parser

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
EXAMPLE = re.compile(r"```rules\n(.*?)```\n```cuda\n(.*?)```\n```hip\n(.*?)```", re.DOTALL)
EXAMPLES = EXAMPLE.findall(PAGE.read_text("utf-8"))
START, END = "#include <cuda_runtime.h>\n#include <hip/hip_ext.h>\nvoid f() {\n", "}\n"


@pytest.mark.parametrize(("rules", "cuda", "hip"), EXAMPLES)
def test_an_example_of_the_page(rules, cuda, hip, tmp_path):
    path = tmp_path / "own.rules"
    path.write_text(rules)
    options = hipify.Options(clang=False, rule_files=(str(path),))
    output = hipify.translate_source(START + cuda + END, "t.cu", options).output.decode()
    assert output == START.replace("cuda_runtime.h", "hip/hip_runtime.h") + hip + END


def test_the_page_speaks_of_every_word_of_the_grammar():
    text = PAGE.read_text("utf-8")
    words = [t.pattern.value for t in _parser().terminals if t.pattern.value.isalpha()]
    assert len(EXAMPLES) > 12
    assert [w for w in words if not re.search(rf"\b{w}\b", text)] == []
