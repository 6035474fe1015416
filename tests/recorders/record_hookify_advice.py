"""Records what hookify's published engine does with rules before and after the advice of `check` is followed.

    python -m tests.recorders.record_hookify_advice --plugin FOLDER OUTPUT

Writes `hookify-advice.json` (format: tests/vectors/README.md). FOLDER is as for `record_hookify`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from tests.recorders.hookify_advice import ADVICE, Advice
from tests.recorders.record_hookify import Engine

_PATH = ".claude/hookify.rule.local.md"
_BODY = "Do not do that."


def record(engine: Engine, advice: Advice) -> dict[str, Any]:
    """One vector: both texts, and whether each call makes the rule fire, before and after."""
    calls = [*advice.fires, *advice.silent]
    texts = [_text(advice.frontmatter), _text(advice.advised)]
    before, after = (engine.answers(_PATH, text, calls, _BODY)["answers"] for text in texts)
    return {
        "name": advice.name,
        "codes": advice.codes,
        "says": advice.says,
        "before": texts[0],
        "after": texts[1],
        "calls": calls,
        "expected": [True] * len(advice.fires) + [False] * len(advice.silent),
        "fires_before": [answer != "silent" for answer in before],
        "fires_after": [answer != "silent" for answer in after],
    }


def _text(frontmatter: str) -> str:
    return f"---\nname: r\nenabled: true\n{frontmatter}---\n\n{_BODY}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--plugin", type=Path, required=True)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    engine = Engine(args.plugin.resolve())
    recorded = {
        "provenance": {
            "recorder": "tests/recorders/record_hookify_advice.py",
            "engine": "plugins/hookify of github.com/anthropics/claude-code",
            "python": sys.version.split()[0],
        },
        "cases": [record(engine, advice) for advice in ADVICE],
    }
    (args.output / "hookify-advice.json").write_text(json.dumps(recorded, indent=1) + "\n")


if __name__ == "__main__":
    main()
