"""Records what the reference agent's `ttsr scan --json` finds in project trees.

    python -m tests.recorders.record_scan --omp OMP OUTPUT

Writes `scan.json.gz` (format: tests/vectors/README.md). The trees are those of `scan_tree_generator.py`; each is made
anew, with an empty home folder.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.recorders.scan_tree_generator import generate
from tests.recorders.tree_files import make_files

SEED = 20251121
GENERATED = 120


def answer(omp: Path, tree: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="scan-") as folder:
        root = Path(folder).resolve()
        (root / "home").mkdir()
        make_files(root, tree["files"])
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG")}
        process = subprocess.run(
            [omp, "ttsr", "scan", "--json", *tree["args"]],
            cwd=root / "p",
            env={**kept, "HOME": str(root / "home"), "NO_COLOR": "1"},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=120,
        )
    report = json.loads(process.stdout)
    if "error" in report:
        return {"found": None, "summary": None}
    found = {
        file["filePath"]: [
            [match["name"], match["matched"]["regex"], match["matched"]["ast"]] for match in file["matches"]
        ]
        for file in report["files"]
    }
    return {"found": found, "summary": report["summary"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--omp", type=Path, required=True)
    parser.add_argument("--trees", type=int, default=GENERATED)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    omp = args.omp.resolve()
    version = subprocess.run([omp, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    recorded = []
    for number, tree in enumerate(generate(SEED, args.trees)):
        recorded.append({**tree, **answer(omp, tree)})
        print(f"{number + 1}/{args.trees}", *tree["args"], file=sys.stderr)
    provenance = {"recorder": "tests/recorders/record_scan.py", "agent": version, "seed": SEED}
    text = json.dumps({"provenance": provenance, "trees": recorded}, indent=1, ensure_ascii=False)
    with gzip.GzipFile(args.output / "scan.json.gz", "wb", mtime=0) as file:
        file.write(text.encode())


if __name__ == "__main__":
    main()
