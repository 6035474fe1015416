"""Records what hookify and the reference agent do with a rule before and after its conversion.

    python -m tests.recorders.record_hookify_conversions --plugin FOLDER --omp OMP OUTPUT

Writes `hookify-conversions.json.gz` (format: tests/vectors/README.md). FOLDER is a checkout of the plugin (see
`record_hookify.py`), OMP the agent's executable.
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

from tests.recorders.hookify_conversions import rules
from tests.recorders.hookify_rules import Call
from tests.recorders.record_hookify import Engine
from ttsr_ls.convert.conversion import convert
from ttsr_ls.convert.portable_rule import ConversionError
from ttsr_ls.syntax.dialects.table import HOOKIFY, OMP

PATH = ".claude/hookify.r.local.md"


def converted(text: str) -> tuple[str | None, str | None]:
    """The text for the reference agent, or why there is none."""
    try:
        return convert(text, name="r", path=PATH, source=HOOKIFY, target=OMP).text, None
    except ConversionError as error:
        return None, str(error)


def triggered(omp: Path, folder: Path, call: Call) -> set[str]:
    """The names of the rules of a project that the reference agent fires on a call."""
    tool, given = call["tool_name"].lower(), call["tool_input"]
    if tool == "bash":
        args, snippet = (
            ["--tool", "bash"],
            json.dumps({"command": given["command"]}, separators=(",", ":"), ensure_ascii=False),
        )
    else:
        args, snippet = ["--tool", tool, "--path", given["file_path"]], given.get("new_string", given.get("content"))
    done = subprocess.run(
        [omp, "ttsr", "test", "--file", "-", "--source", "tool", *args, "--json"],
        input=snippet.encode(), cwd=folder, env={**os.environ, "HOME": str(folder / "home")}, capture_output=True,
        check=False, timeout=60,
    )  # fmt: skip
    return {rule["name"] for rule in json.loads(done.stdout)["triggered"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--plugin", type=Path, required=True)
    parser.add_argument("--omp", type=Path, required=True)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    engine = Engine(args.plugin.resolve())
    cases: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".omp/rules").mkdir(parents=True)
        for number, (text, calls) in enumerate(rules()):
            new, refusal = converted(text)
            answers = engine.answers(PATH, text, calls, "Do not.")["answers"]
            cases.append({"text": text, "converted": new, "refusal": refusal, "calls": calls, "hookify": answers})
            if new is not None:
                (folder / f".omp/rules/r{number}.md").write_text(new)
        fired: dict[str, set[str]] = {}
        for call in {json.dumps(call): call for case in cases for call in case["calls"]}.values():
            fired[json.dumps(call)] = triggered(args.omp, folder, call)
            print(len(fired), json.dumps(call), file=sys.stderr)
        for number, case in enumerate(cases):
            case["omp"] = [f"r{number}" in fired[json.dumps(call)] for call in case["calls"]]
    version = subprocess.run([args.omp, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    provenance = {"recorder": "tests/recorders/record_hookify_conversions.py", "agent": version}
    recorded = json.dumps({"provenance": provenance, "cases": cases})
    (args.output / "hookify-conversions.json.gz").write_bytes(gzip.compress(recorded.encode(), mtime=0))


if __name__ == "__main__":
    main()
