"""Records how the reference agent lists folders.

    python -m tests.recorders.record_listings --bun BUN --package FOLDER OUTPUT

Writes `listings.json.gz` (format: tests/vectors/README.md). FOLDER is its installed package `@oh-my-pi/pi-natives`; the
cases are in `listing_cases.py`. The home folder is empty, so that nobody's own ignore file counts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tests.recorders.listing_cases import HANDWRITTEN, generate
from tests.recorders.tree_files import make_files

HERE = Path(__file__).parent
SEED = 20251124
GENERATED = 1200
PATTERNS = {False: "*.{md,mdc}", True: "**/*.md"}


def listings(bun: Path, package: Path, cases: list[dict[str, Any]]) -> list[list[str]]:
    with tempfile.TemporaryDirectory(prefix="listings-") as folder:
        root = Path(folder).resolve()
        (root / "home").mkdir()
        asked = []
        for number, case in enumerate(cases):
            make_files(root / str(number), case["files"])
            (root / str(number) / case["folder"]).mkdir(parents=True, exist_ok=True)
            pattern = PATTERNS[case["recursive"]]
            path = str(root / str(number) / case["folder"])
            asked.append({"folder": path, "pattern": pattern, "recursive": case["recursive"]})
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG")}
        done = subprocess.run(
            [bun, HERE / "folder_lister.ts", package],
            input=json.dumps(asked),
            env={**kept, "HOME": str(root / "home")},
            capture_output=True,
            encoding="utf-8",
            check=True,
            timeout=600,
        )
        listed: list[list[str]] = json.loads(done.stdout)
        return listed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bun", type=Path, required=True)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    package = args.package.resolve()
    version = json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
    cases = [*HANDWRITTEN, *generate(SEED, GENERATED)]
    listed = listings(args.bun.absolute(), package, cases)
    provenance = {"recorder": "tests/recorders/record_listings.py", "agent": version, "seed": SEED}
    recorded = [{**case, "listed": names} for case, names in zip(cases, listed, strict=True)]
    packed = gzip.compress(json.dumps({"provenance": provenance, "cases": recorded}).encode(), mtime=0)
    (args.output / "listings.json.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
