"""Verdicts on results, and the page and chart that are made from them."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from benchmarks import page, peers, targets
from benchmarks.targets import verdicts


@pytest.fixture
def results() -> dict[str, Any]:
    committed: dict[str, Any] = json.loads((page.RESULTS / "speed.json").read_text())
    return committed


def verdict(results: dict[str, Any], text: str) -> targets.Verdict:
    (found,) = (verdict for verdict in verdicts(results) if verdict.target.text == text)
    return found


def test_the_page_and_the_chart_show_the_committed_results(results: dict[str, Any]) -> None:
    assert (page.DOCS / "performance.md").read_text() == page.page(results)
    assert (page.DOCS / page.CHART).read_text() == page.chart(results)


def test_the_chart_is_an_image_with_a_bar_for_each_row(results: dict[str, Any]) -> None:
    root = ElementTree.fromstring(page.chart(results))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    single = [name for name in results["single"]["rows"] if "python -c" not in name]
    peers_here = [peer for peer, why in results["batch"]["about"]["peers"].items() if not why]
    batch = ["hipify-py", "hipify-py --no-clang", "libclang alone", *peers_here]
    for name in set(single + batch):
        assert words.count(name) == (name in single) + (name in batch)
    assert sum(element.get("height") == "18" for element in root.iter()) == len(single) + len(batch)


def test_a_promise_that_is_kept_and_one_that_is_not(results: dict[str, Any]) -> None:
    rows = results["single"]["rows"]
    rows["hipify-perl"] = rows["hipify-py"] | {"cpu": 2.1}
    rows["hipify-py"]["cpu"] = 0.1
    kept = verdict(results, "one file of 200 lines, of hipify-perl's time")
    assert kept.measured == pytest.approx(0.1 / 2.1)
    assert kept.holds
    rows["hipify-perl"]["cpu"] = 1.9
    broken = verdict(results, "one file of 200 lines, of hipify-perl's time")
    assert broken.holds is False
    assert page.holds(broken) == "**no**"
    assert "FAILS  one file of 200 lines, of hipify-perl's time" in page.text(results)


def test_at_least(results: dict[str, Any]) -> None:
    rows = results["batch"]["rows"]
    rows["hipify-py --no-clang, 1 core"]["cpu"], rows["hipify_torch"] = 2.0, {"cpu": 3.0}
    found = verdict(results, "batch, `--no-clang`, done anew, throughput of hipify_torch")
    assert (found.measured, found.holds) == (1.5, True)
    rows["hipify_torch"]["cpu"] = 1.0
    assert verdict(results, "batch, `--no-clang`, done anew, throughput of hipify_torch").holds is False


def test_what_was_not_measured_is_said(results: dict[str, Any]) -> None:
    results["single"]["rows"].pop("hipify-clang", None)
    found = verdict(results, "one file of 200 lines, of hipify-clang's time")
    assert (found.measured, found.holds) == (None, None)
    assert page.measured(found) == "not measured here"


def test_growth_of_memory() -> None:
    def grown(last: float) -> float:
        series = [
            [float(i), 10.0 if i < 20 else 100.0 + i % 2 if i < 60 else last if i < 75 else 300.0] for i in range(100)
        ]
        return targets.growth({"flat": {"workers": series}})

    assert grown(101.0) == 1.0
    assert grown(121.2) == pytest.approx(1.2)


def test_figures() -> None:
    assert [page.number(value) for value in (0, 0.0529, 1.0, 76.66, 1234.5, 0.00012)] == [
        "0", "0.0529", "1.00", "76.7", "1,234", "0.000120",
    ]  # fmt: skip


def test_bars_grow_with_the_logarithm() -> None:
    short, middle, long = page.bars({"hipify-py": 1.0, "b": 10.0, "c": 100.0})
    assert middle.length - short.length == pytest.approx(long.length - middle.length, abs=0.2)
    assert 0 < short.length < middle.length < long.length == 420
    assert short.colour != middle.colour == long.colour


def test_peers_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HIPIFY_CLANG", raising=False)
    monkeypatch.setenv("HIPIFY_PERL", "/nowhere/hipify-perl")
    monkeypatch.setenv("HIPIFY_TORCH", __file__)
    assert peers.state() == {
        "hipify-perl": "left out: HIPIFY_PERL=/nowhere/hipify-perl is no file",
        "hipify-clang": "left out: HIPIFY_CLANG is not set",
        "hipify_torch": "",
    }
    assert peers.on_files(peers.PERL, [page.ROOT]) == peers.on_files(peers.CLANG, []) == []
