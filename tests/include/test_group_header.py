"""The votes of hipify_cooperative_groups.h, each lane a thread of the host, against their definitions."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
HEADERS = HERE.parents[1] / "hipify" / "include"
LANES = 8

PROGRAM = r"""
#include "hipify_cooperative_groups.h"

#include <barrier>
#include <cstdio>
#include <thread>
#include <vector>

thread_local unsigned lane;
static long long values[lanes];
static std::barrier step(lanes);

long long exchange(long long mine, unsigned other) {
    values[lane] = mine;
    step.arrive_and_wait();
    const long long got = values[other];
    step.arrive_and_wait();
    return got;
}

namespace cg = cooperative_groups;

template <class Group>
static void vote(const Group& group, int input, unsigned long long (&out)[6]) {
    int same = 7;
    out[0] = cg::hipify_ballot(group, input & 1);
    out[1] = cg::hipify_any(group, input & 1);
    out[2] = cg::hipify_all(group, input & 1);
    out[3] = cg::hipify_match_any(group, input);
    out[4] = cg::hipify_match_all(group, input, same);
    out[5] = same;
}

int main(int, char** words) {
    unsigned long long results[lanes][6];
    std::vector<std::thread> running;
    for (unsigned i = 0; i < lanes; ++i) {
        running.emplace_back([&, i] {
            lane = i;
            const int input = words[1][i] - '0';
#ifdef TILE
            vote(cg::hipify_tiled_partition<TILE>(cg::this_thread_block()), input, results[i]);
#else
            vote(cg::coalesced_group(), input, results[i]);
#endif
        });
    }
    for (auto& thread : running) thread.join();
    for (auto& row : results) {
        for (auto number : row) std::printf("%llu ", number);
        std::printf("\n");
    }
}
"""


def expected(inputs: list[int], size: int) -> list[list[int]]:
    """What each lane gets, by the definitions."""
    rows = []
    for lane in range(LANES):
        group = inputs[lane // size * size :][:size]
        odd = [value & 1 for value in group]
        same = len(set(group)) == 1
        rows.append(
            [
                sum(bit << rank for rank, bit in enumerate(odd)),
                int(any(odd)),
                int(all(odd)),
                sum(1 << rank for rank, value in enumerate(group) if value == inputs[lane]),
                (1 << size) - 1 if same else 0,
                int(same),
            ]
        )
    return rows


@pytest.mark.parametrize("size", [2, 4, 8, 0])
def test_votes_are_their_definitions(tmp_path: Path, size: int) -> None:
    compiler = next((c for c in ("g++", "clang++", "c++") if shutil.which(c)), "g++")
    (tmp_path / "votes.cpp").write_text(PROGRAM)
    command = [compiler, "-std=c++20", "-O1", "-pthread", "-I", str(HERE / "group_stub"), "-I", str(HEADERS)]
    command += [f"-DTILE={size}"] if size else []
    made = [*command, str(tmp_path / "votes.cpp"), "-o", str(tmp_path / "votes")]
    subprocess.run(made, check=True, capture_output=True)
    chosen = random.Random(size)
    cases = [[0] * LANES, [1] * LANES, [3] * LANES, [*range(LANES)]]
    cases += [[chosen.randrange(3) for _ in range(LANES)] for _ in range(12)]
    for inputs in cases:
        words = [str(tmp_path / "votes"), "".join(map(str, inputs))]
        done = subprocess.run(words, check=True, capture_output=True, text=True, timeout=60)
        assert [[int(n) for n in line.split()] for line in done.stdout.splitlines()] == expected(inputs, size or LANES)
