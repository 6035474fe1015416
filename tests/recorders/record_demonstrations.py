"""Records what rules do on streams in the reference agent.

    python -m tests.recorders.record_demonstrations --bun BUN PACKAGE_FOLDER OUTPUT

Has `record_monitor.ts` answer the demonstrations of `tests/lint/demonstrations.py`; PACKAGE_FOLDER is an installed
`@oh-my-pi/pi-coding-agent`. Writes `demonstrations.json.gz` (format: tests/vectors/README.md).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from tests.lint.demonstrations import asked

HERE = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bun", type=Path, required=True)
    parser.add_argument("package", type=Path)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    with tempfile.NamedTemporaryFile("w", suffix=".json") as cases:
        json.dump([recorded.case for recorded in asked()], cases)
        cases.flush()
        recorder = HERE / "record_monitor.ts"
        subprocess.run([args.bun, recorder, args.package, args.output, cases.name], check=True)


if __name__ == "__main__":
    main()
