"""Records which rules the reference agent lists in project trees.

    python -m tests.recorders.record_discovery --omp OMP OUTPUT

Writes `discovery.json.gz` (format: tests/vectors/README.md). The trees are in `discovery_trees.py`,
`discovery_settings_trees.py`, `discovery_package_trees.py`, `discovery_layer_trees.py` and
`discovery_tree_generator.py`; each is made anew, with a home folder of its own.
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

from tests.recorders import discovery_layer_trees, discovery_package_trees, discovery_settings_trees, discovery_trees
from tests.recorders.discovery_tree_generator import generate
from tests.recorders.tree_files import make_workspace

SEED = 20251123
GENERATED = 120


def answer(omp: Path, tree: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="discovery-") as folder:
        root = Path(folder).resolve()
        make_workspace(root, tree)
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG")}
        given = {name: value.replace("{root}", str(root)) for name, value in tree["env"].items()}
        process = subprocess.run(
            [omp, "ttsr", "list", "--json"],
            cwd=root / tree["cwd"],
            env={**kept, "HOME": str(root / "home"), "NO_COLOR": "1", **given},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )
        listed = json.loads(process.stdout.replace(str(root), "{root}")) if process.returncode == 0 else None
    if listed is None:
        return {"listed": None, "builtin": 0}
    own = [rule for rule in listed if rule["provider"] != "builtin-defaults"]
    return {
        "listed": [[rule["name"], rule["provider"], rule["path"], rule["globs"]] for rule in own],
        "builtin": len(listed) - len(own),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--omp", type=Path, required=True)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    omp = args.omp.resolve()
    version = subprocess.run([omp, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    trees = [
        *discovery_trees.TREES,
        *discovery_settings_trees.TREES,
        *discovery_package_trees.TREES,
        *discovery_layer_trees.TREES,
        *generate(SEED, GENERATED),
    ]
    recorded = []
    for number, tree in enumerate(trees):
        recorded.append({**tree, **answer(omp, tree)})
        print(f"{number + 1}/{len(trees)}", tree["about"], file=sys.stderr)
    provenance = {"recorder": "tests/recorders/record_discovery.py", "agent": version, "seed": SEED}
    text = json.dumps({"provenance": provenance, "trees": recorded}, indent=1, ensure_ascii=False)
    with gzip.GzipFile(args.output / "discovery.json.gz", "wb", mtime=0) as file:
        file.write(text.encode())


if __name__ == "__main__":
    main()
