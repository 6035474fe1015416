"""Records what the reference agent's runtime makes of YAML.

    python -m tests.recorders.record_yaml --omp OMP --package FOLDER OUTPUT

Writes `yaml.json.gz` (format: tests/vectors/README.md). OMP is the agent's executable, with `bun` beside it; FOLDER is
its installed package `@oh-my-pi/pi-coding-agent`.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

from tests.recorders.record_rule_files import answers
from tests.recorders.yaml_cases import TEXTS
from tests.recorders.yaml_generator import generate

SEED = 20251123
GENERATED = 2500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--omp", type=Path, required=True)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    texts = [*TEXTS, *generate(SEED, GENERATED)]
    answer = answers(args.omp.absolute(), args.package.resolve(), [], texts)
    recorded = {
        "provenance": {"recorder": "tests/recorders/record_yaml.py", "bun": answer["bun"], "seed": SEED},
        "texts": [[text, read] for text, read in zip(texts, answer["yaml"], strict=True)],
    }
    packed = gzip.compress(json.dumps(recorded).encode(), mtime=0)
    (args.output / "yaml.json.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
