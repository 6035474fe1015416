"""Records what rules do on streams in the reference agent: `record_demonstrations.py --bun BUN PACKAGE_FOLDER OUTPUT`.

Has `record_monitor.ts` answer the demonstrations of `tests/lint/demonstrations.py`; PACKAGE_FOLDER is an installed
`@oh-my-pi/pi-coding-agent`. Writes `demonstrations.json.gz` (format: tests/vectors/README.md).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent / "lint")]

from demonstrations import asked  # noqa: E402 - only found by the path above


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bun", type=Path, required=True)
    parser.add_argument("package", type=Path)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    with tempfile.NamedTemporaryFile("w", suffix=".json") as cases:
        json.dump([each.case for each in asked()], cases)
        cases.flush()
        recorder = HERE / "record_monitor.ts"
        subprocess.run([args.bun, recorder, args.package, args.output, cases.name], check=True)


if __name__ == "__main__":
    main()
