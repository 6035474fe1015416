"""Records what rules fire on before and after their safe fixes:

    python -m tests.recorders.record_fixes --omp OMP --package FOLDER [--rules COUNT] [--seed SEED] OUTPUT

Writes `fixes.json.gz` into the folder OUTPUT (format: tests/vectors/README.md). OMP is the executable of the reference
agent, with `bun` beside it; FOLDER is its installed package `@oh-my-pi/pi-coding-agent`. Prints the rules that lost a
trigger; the status is 1 where there is one.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

from tests.lint.fixes.fix_triggers import fired, lost, safely_fixed, texts_for, witnesses_of
from tests.lint.rule_texts import WRITTEN
from tests.recorders.fix_rule_generator import generate

HERE = Path(__file__).parent
SEED = 20261122
RULES = 400


class FixedRule(msgspec.Struct, frozen=True):
    """A rule file before and after its safe fixes, and what it is tried on."""

    before: str
    after: str
    texts: tuple[str, ...]


def fixed_rules(seed: int, count: int) -> list[FixedRule]:
    """So many generated rules that have a safe fix and fire on one of their texts before it; others cannot lose one."""
    rules: list[FixedRule] = []
    for generated in generate(seed, WRITTEN):
        if len(rules) == count:
            break
        # An agent reads files, which have no halves of pairs.
        before = generated.encode("utf-8", "replace").decode().removeprefix("\ufeff")
        after = safely_fixed(before)
        if after != before:
            texts = texts_for((before, after))
            if "1" in fired(before, witnesses_of(texts)):
                rules.append(FixedRule(before, after, texts))
    return rules


def judged(omp: Path, package: Path, rules: list[FixedRule]) -> dict[str, Any]:
    """What the agent fires on."""
    asked = [
        {"files": [_data(rule.before), _data(rule.after)], "witnesses": witnesses_of(rule.texts)} for rule in rules
    ]
    script = [str(omp.parent / "bun"), str(HERE / "trigger_judge.ts"), str(package)]
    done = subprocess.run(script, input=msgspec.json.encode(asked), capture_output=True, check=True, timeout=900)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _data(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--omp", type=Path, required=True)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("--rules", type=int, default=RULES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    rules = fixed_rules(args.seed, args.rules)
    answer = judged(args.omp.absolute(), args.package.resolve(), rules)
    firing = bad = 0
    for rule, (before, after) in zip(rules, answer["rows"], strict=True):
        firing += "1" in before
        witnesses = lost(before, after, witnesses_of(rule.texts))
        if witnesses:
            bad += 1
            print(f"{rule.before!r}\n{rule.after!r}\nlost {len(witnesses)}, such as {witnesses[0]}\n")
    print(f"{len(rules)} rules with a safe fix, {firing} of them fired before it; {bad} lost a trigger")
    provenance = {
        "recorder": "tests/recorders/record_fixes.py",
        "agent": answer["agent"],
        "bun": answer["bun"],
        "seed": args.seed,
    }
    cases = [
        {"before": rule.before, "after": rule.after, "texts": rule.texts, "fired": rows}
        for rule, rows in zip(rules, answer["rows"], strict=True)
    ]
    packed = gzip.compress(msgspec.json.encode({"provenance": provenance, "rules": cases}), mtime=0)
    (args.output / "fixes.json.gz").write_bytes(packed)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
