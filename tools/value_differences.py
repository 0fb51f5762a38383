"""Write hipify/shim/values.tsv: the constants whose number on HIP is another than CUDA's.

    tools/value_differences.py CUDA_INCLUDE ROCM_INCLUDE

Both sets of headers are compiled by the host's C++ compiler, and what the constants are is printed by the program.
Constants that either side's headers lack are left out.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hipify.rules.library import Library, map_name  # noqa: E402
from hipify.rules.target import Target  # noqa: E402

OUT = ROOT / "hipify" / "shim" / "values.tsv"
CUDA = ("cuda.h", "cuda_runtime_api.h")
HIP = ("hip/hip_runtime_api.h", "hip/driver_types.h")
_LIBRARIES = ("runtime", "driver")
_ERROR = re.compile(r"^[^:]*:(\d+):\d+: (?:fatal )?error", re.MULTILINE)
_COMPILER = "clang++-22"


def constants() -> dict[str, str]:
    """CUDA's constants and HIP's, by the tables."""
    library, target = Library.default(), Target((7, 2))
    found = {}
    for name in (name for table in _LIBRARIES for name in library.library(table)):
        api = library.get(name)
        if api is not None and api.kind in ("enum_constant", "macro") and not api.name.endswith(")"):
            mapped = map_name(api, target).name
            if mapped:
                found[api.name] = mapped
    return found


def values(names: list[str], headers: tuple[str, ...], flags: list[str]) -> dict[str, int]:
    """What the constants are that the headers have."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "values.cpp", Path(folder) / "values"
        while True:
            head = [*(f"#include <{header}>" for header in headers), "#include <cstdio>", "int main() {"]
            lines = [f'std::printf("{name} %lld\\n", static_cast<long long>({name}));' for name in names]
            source.write_text("\n".join([*head, *lines, "}\n"]))
            command = [_COMPILER, "-std=c++17", "-w", "-ferror-limit=0", *flags, str(source), "-o", str(program)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if not done.returncode:
                break
            bad = {int(number) - len(head) - 1 for number in _ERROR.findall(done.stderr)}
            if not bad & set(range(len(names))):
                sys.exit(done.stderr[:2000])
            names = [name for number, name in enumerate(names) if number not in bad]
        printed = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    return {name: int(value) for name, value in (line.split() for line in printed.splitlines())}


def main() -> None:
    """Write the table."""
    cuda_include, rocm_include = sys.argv[1:]
    pairs = constants()
    cuda = values(sorted(pairs), CUDA, ["-I", cuda_include])
    hip = values(sorted(set(pairs.values())), HIP, ["-D__HIP_PLATFORM_AMD__=1", "-I", rocm_include])
    rows = [
        f"{name}\t{new}\t{cuda[name]}\t{hip[new]}"
        for name, new in sorted(pairs.items())
        if name in cuda and new in hip and cuda[name] != hip[new]
    ]
    OUT.write_text("\n".join(["name\thip\tcuda_value\thip_value", *rows]) + "\n")
    print(f"{len(rows)} of {len(pairs)} differ; compared {sum(n in cuda and m in hip for n, m in pairs.items())}")


if __name__ == "__main__":
    main()
