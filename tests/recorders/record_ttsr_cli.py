"""Records what the reference agent's `ttsr list` and `ttsr test` answer.

    python -m tests.recorders.record_ttsr_cli --omp OMP OUTPUT

Writes `ttsr-cli.json` (format: tests/vectors/README.md). The rule files and the arguments are in `ttsr_cli_cases.py`.
They live in a project and home folder of their own, whose path is recorded as `{root}`; the agent's rules are off.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.recorders.ttsr_cli_cases import CASES, FILES

HERE = Path(__file__).parent


def record(omp: Path) -> dict[str, Any]:
    version = subprocess.run([omp, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="ttsr-cli-") as folder:
        root = Path(folder).resolve()
        write_files(root)
        cases = []
        for number, case in enumerate(CASES):
            plain, as_json = (run(omp, root, [*case["args"], *extra], case.get("stdin")) for extra in ([], ["--json"]))
            cases.append(
                {
                    "args": case["args"],
                    **({"stdin": case["stdin"]} if "stdin" in case else {}),
                    "exit": plain.returncode,
                    "exitJson": as_json.returncode,
                    "json": answer(as_json.stdout, root),
                }
            )
            print(f"{number + 1}/{len(CASES)}", *case["args"], file=sys.stderr)
    return {
        "provenance": {"recorder": "tests/recorders/record_ttsr_cli.py", "agent": version},
        "files": FILES,
        "cases": cases,
    }


def write_files(root: Path) -> None:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def run(omp: Path, root: Path, args: list[str], stdin: str | None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(root / "home"), "NO_COLOR": "1"}
    return subprocess.run(
        [omp, "ttsr", *args],
        cwd=root / "project",
        env=environment,
        input=stdin or "",
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=60,
    )


def answer(stdout: str, root: Path) -> Any:
    """The JSON that was printed, with the folder's path made neutral; None where there is none."""
    for line in stdout.splitlines()[::-1] if not stdout.lstrip().startswith(("{", "[")) else [stdout]:
        try:
            return json.loads(line.replace(str(root), "{root}"))
        except ValueError:
            continue
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--omp", type=Path, required=True)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    recorded = record(args.omp.resolve())
    target = args.output / "ttsr-cli.json"
    target.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
