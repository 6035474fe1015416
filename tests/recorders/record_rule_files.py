"""Records how the reference agent reads rule files.

    python -m tests.recorders.record_rule_files --omp OMP --package FOLDER OUTPUT

Writes `rule-files.json.gz` (format: tests/vectors/README.md). OMP is its executable, with `bun` beside it; FOLDER is
its installed package `@oh-my-pi/pi-coding-agent`. All files lie in one project, and `ttsr list` tells which register.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tests.recorders.delimiter_cases import BYTES, FILES
from tests.recorders.frontmatter_cases import FRONTMATTER
from tests.recorders.rule_file_generator import generate

HERE = Path(__file__).parent
SEED = 20251122
GENERATED = 1500
LISTED = ("condition", "astCondition", "scope", "globs", "agents", "description")


def contents(seed: int, generated: int) -> list[bytes]:
    texts = [f"---\n{lines}\n---\nBody" for lines in FRONTMATTER]
    texts += [*FILES, *generate(seed, generated)]
    return [text.encode() for text in texts] + list(BYTES)


def record(omp: Path, package: Path, files: list[bytes]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="rule-files-") as folder:
        root = Path(folder).resolve()
        rules = root / "project" / ".omp" / "rules"
        agent = root / "home" / ".omp" / "agent"
        rules.mkdir(parents=True)
        agent.mkdir(parents=True)
        (agent / "config.yml").write_text("ttsr:\n  builtinRules: false\n")
        paths = [rules / f"rule-{number:05}.md" for number in range(len(files))]
        for path, data in zip(paths, files, strict=True):
            path.write_bytes(data)
        values = answers(omp, package, [str(path) for path in paths], [])
        listed = {rule["name"]: {key: rule.get(key) for key in LISTED} for rule in list_rules(omp, root)}
    return {
        "provenance": {
            "recorder": "tests/recorders/record_rule_files.py",
            "agent": values["agent"],
            "bun": values["bun"],
            "seed": SEED,
        },
        "files": [
            {
                "base64": base64.b64encode(data).decode(),
                "read": rule,
                "listed": listed.get(path.stem),
            }
            for path, data, rule in zip(paths, files, values["rules"], strict=True)
        ],
    }


def answers(omp: Path, package: Path, paths: list[str], yaml: list[str]) -> dict[str, Any]:
    """What the agent's reader makes of rule files, and its runtime of YAML texts."""
    script = [omp.parent / "bun", HERE / "rule_file_reader.ts", package]
    query = json.dumps({"paths": paths, "yaml": yaml})
    done = subprocess.run(script, input=query, capture_output=True, encoding="utf-8", check=True, timeout=600)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def list_rules(omp: Path, root: Path) -> list[dict[str, Any]]:
    environment = {**os.environ, "HOME": str(root / "home"), "NO_COLOR": "1"}
    command = [str(omp), "ttsr", "list", "--json"]
    cwd = root / "project"
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=True, timeout=600
    )
    rules: list[dict[str, Any]] = json.loads(done.stdout)
    return rules


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--omp", type=Path, required=True)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    recorded = record(args.omp.absolute(), args.package.resolve(), contents(SEED, GENERATED))
    packed = gzip.compress(json.dumps(recorded, ensure_ascii=False).encode("utf-8", "surrogatepass"), mtime=0)
    (args.output / "rule-files.json.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
