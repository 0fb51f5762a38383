"""The rule language: what it reads, what it writes, and what it says about text that is no rule."""

from __future__ import annotations

import json

import pytest

import hipify
from hipify.errors import UsageError
from hipify.rules.language import Rule, Saying, Template, parse


def translated(tmp_path, rules: str, source: str, **options) -> tuple[str, list[str]]:
    """The HIP text of a CUDA source under a rule file, and the messages of rule findings."""
    path = tmp_path / "own.rules"
    path.write_text(rules, encoding="utf-8")
    given = hipify.Options(clang=False, rule_files=(str(path),), **options)
    result = hipify.translate_source(source, "t.cu", given)
    return result.output.decode(), [f.message for f in result.findings]


def body(tmp_path, rules: str, call: str, **options) -> str:
    """What one statement becomes."""
    text, _ = translated(tmp_path, rules, f"void f() {{\n{call}\n}}\n", **options)
    return text.partition("void f() {\n")[2].rpartition("\n}")[0]


def test_a_call_rule_holds_its_pattern_and_template():
    (rule,) = parse("call cudaX(a, b = 0, ...) => hipX($b, HIP_SYMBOL($a), ...)\n")
    assert (rule.parameters, rule.defaults, rule.rest) == (("a", "b"), ("", "0"), True)
    assert rule.template == Template(
        (("text", "hipX"),),
        ((("arg", "b"),), (("text", "HIP_SYMBOL("), ("arg", "a"), ("text", ")")), (("rest", ""),)),
    )


def test_alternatives_are_chosen_together():
    rules = parse("call cuda{A,B}x(p) => hip{a,b}x($p)\n")
    assert [(r.name, r.template.callee[0][1]) for r in rules] == [("cudaAx", "hipax"), ("cudaBx", "hipbx")]


def test_conditions_nest_and_several_when_clauses_are_joined():
    (rule,) = parse('call f(a) when roc or not target >= 7.1 when $a is "0", NULL => g($a)\n')
    assert rule.condition == (
        "and",
        ("or", ("roc",), ("not", ("target", ">=", "7.1"))),
        ("is_text", 0, "0", "NULL"),
    )


def test_a_finding_carries_its_reasons():
    (rule,) = parse('call f(a) find error HPY114 "no" why "because" fix "do" unless $a is 0\n')
    assert rule.sayings == (Saying("error", "HPY114", "no", "because", "do", ("is_text", 0, "0")),)


def test_a_rule_goes_to_json_and_back():
    text = """
    call f(a, b = 1, ...) when type(a) matches "const*" => g($b, $a, ...)  # comment
        include <hip/hip_fp16.h> find note "look" priority 3
    call h when args == 2 drop $1 add nullptr at end swap $1 $2 move $1 to 2 wrap $2 in W cast $1 to "int*" set $1 to x
    rename A => B
    macro C => D
    keep E
    header "x.h" keep
    header y.h => z.h
        when miopen
    call k leave
    """
    rules = parse(text)
    assert len(rules) == 8
    assert [Rule.from_json(json.loads(json.dumps(r.as_json()))) for r in rules] == rules


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("call f(a,b => g\n", "r:1:13: expected "),
        ("call f(a) => g($b)\n", "r:1:11: expected one of the parameters ($a), found $b"),
        ("call f(a) => g($2)\n", "r:1:11: expected $1 to $1, found $2"),
        ("foo\n", "found 'foo'"),
        ("\n\ncall f(a)\n  when target > x\n", "r:4:17: expected a version such as 7.2, found 'x'"),
        ('call f(a) find "x"\n', "expected error, note or warning, found '\"'"),
        ("rename a", "r:1:9: expected => and what to write, found the end of the file"),
        ("rename a => b c\n", "expected one name behind =>, found 'b c'"),
        ("call f(a, a)\n", "the parameter a is named twice"),
        ("call f(a = 1, b)\n", "b needs a default too"),
        ("call f(..., a)\n", "nothing may follow ... in a parameter list"),
        ("call f{a,b}{c,d,e}\n", "differ in number"),
        ("call f => g\n=> h\n", "a rule has one => only"),
        ("call f(a) => g($a)\n drop $1\n", "need a name alone behind =>"),
        ("call f leave\n=> g\n", "cannot both leave the call and rewrite it"),
        ("rename a => b\n when $1 is 0\n", "only calls have arguments"),
    ],
)
def test_a_mistake_is_named_with_its_place(text, message):
    with pytest.raises(UsageError) as caught:
        parse(text, "r")
    assert message in str(caught.value)
    assert str(caught.value).startswith("r:")


def test_arguments_that_stay_keep_their_place_comments_and_lines(tmp_path):
    rules = "call cudaThing(a, b, c) => hipThing(pre($a), LIT, $c)\n"
    call = "cudaThing(x, // first\n    y, /* kept */\n    cudaFree(z) /* third */);"
    assert (
        body(tmp_path, rules, call) == "hipThing(pre(x), // first\n     /* kept */\n    LIT, hipFree(z) /* third */);"
    )


def test_moved_arguments_take_their_comments_and_inner_edits_along(tmp_path):
    rules = "call cudaThing(a, b) => hipThing($b, $a)\n"
    call = "cudaThing(cudaMalloc(&p, 4), // memory\n    [&](int q) { return cudaFree(q); });"
    expected = "hipThing([&](int q) { return hipFree(q); },\n    hipMalloc(&p, 4) /* memory */);"
    assert body(tmp_path, rules, call) == expected


def test_rules_nest_in_each_other(tmp_path):
    rules = "call cudaSwap(a, b) => hipSwap($b, $a)\n"
    assert (
        body(tmp_path, rules, "cudaSwap(cudaSwap(1, 2), cudaSwap(3, 4));") == "hipSwap(hipSwap(4, 3), hipSwap(2, 1));"
    )


def test_an_argument_may_be_used_twice_or_not_at_all(tmp_path):
    assert (
        body(tmp_path, "call cudaT(a, b) => hipT($a, $a, $b)\n", "cudaT(x, cudaFree(y));") == "hipT(x, x, hipFree(y));"
    )
    assert body(tmp_path, "call cudaT(a, b) => hipT()\n", "cudaT(x, cudaFree(y));") == "hipT();"
    assert body(tmp_path, "call cudaT() => hipT(1, 2)\n", "cudaT();") == "hipT(1, 2);"


def test_a_call_becomes_an_expression_or_a_statement(tmp_path):
    assert (
        body(tmp_path, "call cudaT(a, b) => ($b)->run($a)\n", "x = cudaT(1, cudaFree(q));")
        == "x = (hipFree(q))->run(1);"
    )
    block = "call cudaT(a) => { one($a); two($a); }\n"
    assert body(tmp_path, block, "if (x) cudaT(1);") == "if (x) { one(1); two(1); }"
    assert body(tmp_path, block, "y = cudaT(1);") == "y = cudaT(1);"


def test_actions_count_arguments_of_the_call_as_written(tmp_path):
    rules = "call cudaT => hipT\n drop $1\n wrap $3 in W\n cast $2 to int*\n add last at end\n add first at 1\n"
    assert body(tmp_path, rules, "cudaT(a, b, c);") == "hipT(first, reinterpret_cast<int*>(b), W(c), last);"
    assert body(tmp_path, "call cudaT => hipT\n swap $1 $3\n", "cudaT(a, b, c);") == "hipT(c, b, a);"
    assert body(tmp_path, "call cudaT => hipT\n move $1 to 3\n", "cudaT(a, b, c);") == "hipT(b, c, a);"
    assert body(tmp_path, "call cudaT => hipT\n set $2 to X\n add $1 at 3\n", "cudaT(a, b, c);") == "hipT(a, X, a, c);"


def test_a_rule_chooses_by_count_value_text_type_and_target(tmp_path):
    rules = """
    call cudaT(a) => one($a)
    call cudaT(a, b) when $b == 32 => warp($a)
    call cudaT(a, b) when $b matches "cuda*" => named($a)
    call cudaT(a, b) when type(b) is Mine => typed($a)
    call cudaT(a, b) when target < 7.0 => old($a, $b)
    call cudaT(a, b) => other($a, $b)
    """
    assert body(tmp_path, rules, "cudaT(x);") == "one(x);"
    assert body(tmp_path, rules, "cudaT(x, 0x20);") == "warp(x);"
    assert body(tmp_path, rules, "cudaT(x, cudaSuccess);") == "named(x);"
    assert body(tmp_path, rules, "Mine m; cudaT(x, m);") == "Mine m; typed(x);"
    assert body(tmp_path, rules, "cudaT(x, 7);") == "other(x, 7);"
    assert body(tmp_path, rules, "cudaT(x, 7);", target="6.4") == "old(x, 7);"


def test_names_macros_and_headers_have_rules(tmp_path):
    rules = """
    rename cudaFancy => hipFancy
    macro USE_CUDA => USE_HIP
    keep cudaFree
    header my_cuda.h => my_hip.h
    header gone.h drop
    header cuda_runtime.h keep
    """
    source = (
        "#include <cuda_runtime.h>\n#include <my_cuda.h>\n#include <gone.h>\n#ifdef USE_CUDA\n"
        "int x = cudaFancy + cudaFree(0);\n#endif\n"
    )
    text, _ = translated(tmp_path, rules, source)
    assert "#include <cuda_runtime.h>\n#include <my_hip.h>\n#ifdef USE_HIP\nint x = hipFancy + cudaFree(0);\n" in text
    assert "gone.h" not in text


def test_a_rule_may_ask_for_a_header_and_say_something(tmp_path):
    rules = 'call cudaT(a) => hipT($a)\n include <hip/hip_fp16.h>\n find warning "look at $1" fix "think"\n'
    text, messages = translated(tmp_path, rules, "#include <cuda_runtime.h>\nvoid f() { cudaT(x  + 1); }\n")
    assert "#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n" in text
    assert messages == ["look at x + 1"]


def test_a_users_rules_come_before_the_built_in_ones(tmp_path):
    assert body(tmp_path, "call cudaMallocHost(p, n) => mine($p, $n)\n", "cudaMallocHost(&a, 4);") == "mine(&a, 4);"
    assert body(tmp_path, "call cudaMallocHost leave\n", "cudaMallocHost(&a, 4);") == "cudaMallocHost(&a, 4);"


def test_a_higher_priority_is_tried_first(tmp_path):
    rules = "call cudaT(a) => low($a)\ncall cudaT(a) => high($a)\n priority 5\n"
    assert body(tmp_path, rules, "cudaT(1);") == "high(1);"


def test_the_users_own_functions_are_left_alone(tmp_path):
    rules = "call cudaT(a) => hipT($a)\n"
    assert body(tmp_path, rules, "obj.cudaT(1); obj->cudaT(2); mine::cudaT(3);") == (
        "obj.cudaT(1); obj->cudaT(2); mine::cudaT(3);"
    )
    text, _ = translated(tmp_path, rules, "int cudaT(int a) { return a; }\n")
    assert text == "int cudaT(int a) { return a; }\n"


def test_a_qualified_name_is_matched_with_its_scope(tmp_path):
    rules = "call lib::make(a) => hiplib_make($a)\n"
    assert body(tmp_path, rules, "make(1);") == "make(1);"
