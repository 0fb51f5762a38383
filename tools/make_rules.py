"""Make hipify/rules/calls/roc.rules, the rules of option --roc, from tables of facts.

usage: make_rules.py --facts DIR --index tests/data/api_index.tsv [--release 7.2] OUTPUT

transforms.tsv says what a call needs beyond a rename, signature_mismatch.tsv how many arguments CUDA's function has,
the index how many the ROCm function takes. A call whose changes do not lead to that number gets a finding instead.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from hipify.rules.roc_types import own_types

Row = dict[str, str]

# Changes that the tables lack: by a part of CUDA's name, the 0-based arguments to drop and the texts to insert.
_ALSO_DROP = {"csrsm2_": (1,)}
_ALSO_INSERT = {
    "cusparseSpMV": (9, "rocsparse_spmv_stage_compute, nullptr"),
    "bsrsm2_analysis": (14, "rocsparse_solve_policy_auto"),
    "bsrmv": (12, "nullptr"),
    "csrgemm2Nnz": (1, "rocsparse_operation_none, rocsparse_operation_none"),
    "csrgemm2_bufferSizeExt": (1, "rocsparse_operation_none, rocsparse_operation_none"),
}
# Stages that the tables name wrongly: by the end of CUDA's name.
_STAGES = {"_bufferSize": "stage_buffer_size", "_analysis": "stage_preprocess"}
# The data type of the generic functions, which the name tables give in rocBLAS's spelling.
_DATA_TYPE = {"cusparseSpMV": 8, "cusparseSpMM": 9, "cusparseSpSV": 7, "cusparseSpSM": 8, "cusparseSpVV": 6}
_ALSO_SET = {"bsrsm2_analysis": (13, "rocsparse_analysis_policy_force")}
_CAST = {"InterleavedBatch": (1, {"gtsv": "rocsparse_gtsv_interleaved_alg", "gpsv": "rocsparse_gpsv_interleaved_alg"})}

# Buffer sizes that CUDA gives as int, which the tables do not say: the position of the size, by CUDA's name.
_ALSO_SIZED = {
    f"cusparse{kind}{name}_bufferSize": at
    for name, at in (("csr2gebsr", 10), ("gebsr2gebsc", 9), ("gebsr2gebsr", 13))
    for kind in "SDCZ"
}
# Arguments that CUDA takes as a pointer to const and ROCm as one to what it might write.
_UNCONST = {"cusparseSpVV_bufferSize": (4, "void*")}

# What takes more than moving arguments about.
_HAND_MADE = """
# One type for what cuSPARSE keeps in a type an algorithm, and rocBLAS's data types for compute types.
rename csr{sv2,sm2,ilu02,ic02,gemm2}Info_t => rocsparse_mat_info
    when roc
rename bsr{sv2,sm2,ilu02,ic02}Info_t => rocsparse_mat_info
    when roc
rename cublasComputeType_t => rocblas_datatype
    when roc and not includes <cublasLt.h>
rename CUBLAS_COMPUTE_{16F,32F,64F,32I} => rocblas_datatype_{f16,f32,f64,i32}_r
    when roc and not includes <cublasLt.h>
rename cusparseColorInfo_t => rocsparse_mat_info
    when roc
rename cusparseColorInfo => _rocsparse_mat_info
    when roc
rename cusparse{Create,Destroy}ColorInfo => rocsparse_{create,destroy}_mat_info
    when roc

# The result matrix is an operand of its own in rocBLAS.
call cublasGemmEx(h, ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb, beta, c, ct, ldc, compute, algo) when roc
    => rocblas_gemm_ex($h, $ta, $tb, $m, $n, $k, $alpha, $a, $at, $lda, $b, $bt, $ldb, $beta, $c, $ct, $ldc, \\
       $c, $ct, $ldc, $compute, $algo, 0, 0)
call cublasGemmBatchedEx(h, ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb, beta, c, ct, ldc, count, compute, algo)
    when roc
    => rocblas_gemm_batched_ex($h, $ta, $tb, $m, $n, $k, $alpha, $a, $at, $lda, $b, $bt, $ldb, $beta, \\
       const_cast<void**>($c), $ct, $ldc, const_cast<void**>($c), $ct, $ldc, $count, $compute, $algo, 0, 0)
call cublasGemmStridedBatchedEx(
    h, ta, tb, m, n, k, alpha, a, at, lda, sa, b, bt, ldb, sb, beta, c, ct, ldc, sc, count, compute, algo)
    when roc
    => rocblas_gemm_strided_batched_ex($h, $ta, $tb, $m, $n, $k, $alpha, $a, $at, $lda, $sa, $b, $bt, $ldb, $sb, \\
       $beta, $c, $ct, $ldc, $sc, $c, $ct, $ldc, $sc, $count, $compute, $algo, 0, 0)

# What CUDA gives as a pointer that may be written through, or takes as one that may not.
call curandGetScrambleConstants32(c) when roc
    => rocrand_get_scramble_constants32(const_cast<const unsigned int**>($c))
call curandGetScrambleConstants64(c) when roc
    => rocrand_get_scramble_constants64(const_cast<const unsigned long long**>($c))

# rocSOLVER keeps its workspace in the handle.
call cusolverDn{S,D,C,Z}potrf(h, uplo, n, a, lda, work, size, info) when roc
    => rocsolver_{s,d,c,z}potrf($h, $uplo, $n, $a, $lda, $info)
"""
_BY_HAND = ("cublasGemm", "cusolverDn")


@dataclass
class Change:
    """All that one call needs."""

    name: str
    target: str
    arity: int = 0
    takes: int = 0
    rows: list[Row] = field(default_factory=list)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--release", default="7.2")
    args = parser.parse_args()
    changes = collect(args.facts, args.index, args.release)
    parts = ["# Made by tools/make_rules.py: calls of the roc libraries (option --roc) that need more than a rename."]
    parts.append(_HAND_MADE.rstrip())
    parts += [rule(change) for change in changes if not change.name.startswith(_BY_HAND)]
    args.output.write_text("\n".join(parts) + "\n", encoding="utf-8")
    wrong = [c.name for c in changes if not c.name.startswith(_BY_HAND) and " leave" in rule(c)]
    print(f"{len(changes)} calls, {len(wrong)} without a right form: {', '.join(wrong)}", file=sys.stderr)
    return 0


def collect(facts: Path, index: Path, release: str) -> list[Change]:
    """The calls that change, in the order of the tables."""
    counts = {row["name"]: row[release] for row in _rows(index)}
    found: dict[str, Change] = {}
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in _rows(facts / "transforms.tsv"):
        if row["scope"] == "call_arg" and row["target"] == "roc":
            found.setdefault(row["cuda_name"], Change(row["cuda_name"], row["target_name"]))
            grouped[row["cuda_name"]].append(row)
    for row in _rows(facts / "signature_mismatch.tsv"):
        if row["target_side"] != "roc" or row["domain"] == "cudnn":
            continue
        change = found.setdefault(row["cuda_name"], Change(row["cuda_name"], row["hip_name"]))
        change.arity = max(int(n) for n in row["cuda_arities"].split(","))
    for name in _ALSO_SIZED:
        stem = name[8:].partition("_")[0]
        found.setdefault(name, Change(name, f"rocsparse_{stem[0].lower()}{stem[1:]}_buffer_size"))
    out = []
    for name, change in found.items():
        taken = counts.get(change.target, "")
        if taken.isdigit():
            change.takes, change.rows = int(taken), grouped[name]
            out.append(change)
    return out


def _rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def rule(change: Change) -> str:
    """The text of one rule."""
    sizes = [int(r["arg_index"]) for r in change.rows if r["action"] == "cast_size_t_ptr"]
    if sizes or change.name in _ALSO_SIZED:
        return _size_rule(change, sizes[0] if sizes else _ALSO_SIZED[change.name])
    actions, count = _actions(change)
    if count != change.takes:
        return (
            f"call {change.name} when roc leave\n"
            f'    find error HPY114 "{change.name}: {change.target} takes {change.takes} arguments, '
            'and what to pass cannot be told from this call"'
        )
    return "\n    ".join(
        [f"call {change.name} when roc and args == {_cuda_arity(change)} => {change.target}", *actions]
    )


def _cuda_arity(change: Change) -> int:
    if change.arity:
        return change.arity
    inserted = sum(len(r["value"].split(", ")) if r["action"] == "insert_const" else 1 for r in _inserts(change))
    removed = sum(1 for r in change.rows if r["action"] == "remove_arg")
    also = sum(len(places) for part, places in _ALSO_DROP.items() if part in change.name)
    return change.takes - inserted + removed + also


def _inserts(change: Change) -> list[Row]:
    return [r for r in change.rows if r["action"] in ("insert_const", "insert_copy_of_arg")]


def _actions(change: Change) -> tuple[list[str], int]:
    """The actions, and how many arguments the call has behind them. Positions count the arguments of CUDA's call."""
    arity = _cuda_arity(change)
    slots: list[int | None] = list(range(arity))
    out: list[str] = []

    def insert(text: str, at: int) -> None:
        place = slots.index(at) if at in slots else len(slots)
        for offset, part in enumerate(text.split(", ")):
            slots.insert(place + offset, None)
            out.append(f"add {part} at {place + offset + 1}")

    drops = [int(r["arg_index"]) for r in change.rows if r["action"] == "remove_arg"]
    drops += [at for part, places in _ALSO_DROP.items() if part in change.name for at in places]
    for at in sorted(drops):
        slots.remove(at)
        out.append(f"drop ${at + 1}")
    for row in change.rows:
        at = int(row["arg_index"])
        if change.name == "cusparseSpMV":
            break  # the tables hold a part of what it needs
        if row["action"] == "replace_with_const":
            out.append(f"set ${at + 1} to {_stage(change, row['value'])}")
        elif row["action"] == "insert_const":
            insert(_stage(change, row["value"]), at)
        elif row["action"] == "insert_copy_of_arg":
            insert(f"${at + 1}", int(row["dest"]))
    for part, (at, text) in _ALSO_INSERT.items():
        if change.name.endswith(part) and len(slots) != change.takes:
            insert(text, at)
    out += [f"set ${at + 1} to {text}" for part, (at, text) in _ALSO_SET.items() if part in change.name]
    if change.name in _UNCONST:
        at, kind = _UNCONST[change.name]
        out.append(f'wrap ${at + 1} in "const_cast<{kind}>"')
    data_type = _DATA_TYPE.get(change.name.partition("_")[0])
    if data_type is not None:
        out.append(f"cast ${data_type} to rocsparse_datatype")
    for part, (at, types) in _CAST.items():
        if part in change.name:
            out += [f"cast ${at + 1} to {kind}" for word, kind in types.items() if word in change.name]
    return out, len(slots)


def _stage(change: Change, value: str) -> str:
    for end, stage in _STAGES.items():
        if change.name.endswith(end):
            return value.replace("stage_compute", stage)
    return value


def _size_rule(change: Change, last: int) -> str:
    """A buffer size that CUDA gives as int and ROCm as size_t."""
    names = [f"a{n}" for n in range(1, last + 1)]
    own = own_types(change.target.encode())
    casts = [f"reinterpret_cast<{own[at]}>(${n})" if at in own else f"${n}" for at, n in enumerate(names)]
    passed = ", ".join(casts)
    return (
        f"call {change.name}({', '.join(names)}, size) when roc\n"
        f"    => [&] {{ size_t hipify_size = 0; const auto hipify_status = {change.target}({passed}, &hipify_size); "
        "*($size) = static_cast<int>(hipify_size); return hipify_status; }()"
    )


if __name__ == "__main__":
    sys.exit(main())
