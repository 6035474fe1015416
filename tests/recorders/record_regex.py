"""Records what JavaScript engines make of patterns.

    python -m tests.recorders.record_regex --jsc BUN --v8 NODE OUTPUT_FOLDER

Writes `regex-handwritten.json.gz` and `regex-generated.json.gz` (format: tests/vectors/README.md). What JavaScriptCore
answers is taken as right, since the reference agent runs on it. Where V8 answers otherwise, ECMA-262 decides: each such
difference needs an entry in `regex_decisions.json` that fits its source and says who is right and why. What has none is
printed, and recorded as not known.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.recorders.regex_engines import UNDECIDED, Answer, Engine
from tests.recorders.regex_generator import SEED, generate

HERE = Path(__file__).parent
GENERATED = 20_000


@dataclass(frozen=True, slots=True)
class Question:
    """A pattern and what it is to be matched against; `category` is None for generated ones."""

    category: str | None
    flags: str
    source: str
    subjects: tuple[str, ...]


def handwritten(subjects: tuple[str, ...]) -> Iterator[Question]:
    """The patterns of `regex_patterns`, each once under the same flags."""
    seen = set()
    for path in sorted((HERE / "regex_patterns").glob("*.txt")):
        category, flags = "", ""
        for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n"):
            if line.startswith("=== "):
                category, _, flags = line.removeprefix("=== ").partition(" /")
                continue
            source = json.loads(line.removeprefix("json:")) if line.startswith("json:") else line
            if (flags, source) not in seen:
                seen.add((flags, source))
                yield Question(category, flags, source, subjects)


def read_subjects() -> tuple[str, ...]:
    lines = (HERE / "regex_subjects.txt").read_text(encoding="utf-8").split("\n")
    return tuple(dict.fromkeys(json.loads(line) for line in lines if line))


class Recorder:
    """Asks both engines, and settles where they differ."""

    def __init__(self, jsc: Engine, v8: Engine) -> None:
        self._jsc, self._v8 = jsc, v8
        self._decisions: list[dict[str, Any]] = json.loads((HERE / "regex_decisions.json").read_text(encoding="utf-8"))
        self.unsettled: list[dict[str, Any]] = []

    def record(self, questions: Iterable[Question]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The patterns with the right answers, and the differences between the engines."""
        patterns, differences = [], []
        for number, question in enumerate(questions):
            if number % 500 == 0:
                print(number, file=sys.stderr)
            subjects = list(question.subjects)
            jsc = self._jsc.matches(question.source, question.flags, subjects)
            v8 = self._v8.matches(question.source, question.flags, subjects)
            pattern: dict[str, Any] = {"source": question.source, "flags": question.flags}
            if question.category is None:
                pattern["subjects"] = subjects
            else:
                pattern["category"] = question.category
            if (jsc is None) != (v8 is None):
                valid = {"jsc": jsc is not None, "v8": v8 is not None}
                decision = self._decide(question, None, valid)
                differences.append({"pattern": number, "valid": valid} | decision)
                if decision["right"] == "v8":
                    jsc = v8
            elif jsc is not None and v8 is not None:
                for place, (ours, theirs) in enumerate(zip(jsc, v8, strict=True)):
                    if UNDECIDED in (ours, theirs):
                        jsc[place] = UNDECIDED
                    elif ours != theirs:
                        match = {"jsc": ours, "v8": theirs}
                        decision = self._decide(question, subjects[place], match)
                        differences.append({"pattern": number, "subject": place, "match": match} | decision)
                        jsc[place] = self._right(decision["right"], ours, theirs)
            pattern["matches"] = jsc
            patterns.append(pattern)
        return patterns, differences

    def _right(self, who: str, jsc: Answer, v8: Answer) -> Answer:
        return {"jsc": jsc, "v8": v8, "unsettled": UNDECIDED}[who]

    def _decide(self, question: Question, subject: str | None, answers: dict[str, Any]) -> dict[str, str]:
        about = "match" if subject is not None else "validity"
        for decision in self._decisions:
            if decision["about"] == about and re.search(decision["source"], question.source, re.DOTALL):
                return {"right": decision["right"], "why": decision["why"]}
        asked = {"about": about, "flags": question.flags, "source": question.source, "subject": subject}
        self.unsettled.append(asked | {"answers": answers})
        return {"right": "unsettled", "why": "unsettled"}


def write(path: Path, head: dict[str, Any], patterns: list[dict[str, Any]], differences: list[dict[str, Any]]) -> None:
    """One pattern a line, and no time in the archive's header, so that equal answers make equal files."""
    lines = ",\n".join(json.dumps(pattern, separators=(",", ":")) for pattern in patterns)
    tail = json.dumps(differences, indent=1)
    text = f'{json.dumps(head)[:-1]},\n"patterns": [\n{lines}\n],\n"differences": {tail}\n}}\n'
    json.loads(text)
    path.write_bytes(gzip.compress(text.encode("ascii"), compresslevel=9, mtime=0))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--jsc", required=True, help="bun's executable")
    arguments.add_argument("--v8", required=True, help="node's executable")
    arguments.add_argument("--count", type=int, default=GENERATED, help="how many patterns to generate")
    arguments.add_argument("output", type=Path)
    options = arguments.parse_args()
    with Engine(options.jsc, 4, 3) as jsc, Engine(options.v8, 4, 3) as v8:
        jsc_versions, v8_versions = jsc.versions(), v8.versions()
        provenance = {
            "recorder": "tests/recorders/record_regex.py",
            "jsc": f"bun {jsc_versions['bun']}, WebKit {jsc_versions['webkit']}",
            "v8": f"node {v8_versions['node']}, V8 {v8_versions['v8']}",
        }
        recorder = Recorder(jsc, v8)
        subjects = read_subjects()
        patterns, differences = recorder.record(handwritten(subjects))
        head: dict[str, Any] = {"provenance": provenance, "subjects": subjects}
        write(options.output / "regex-handwritten.json.gz", head, patterns, differences)
        questions = (Question(None, made.flags, made.source, made.subjects) for made in generate(SEED, options.count))
        patterns, differences = recorder.record(questions)
        head = {"provenance": provenance | {"seed": SEED, "generator": "tests/recorders/regex_generator.py"}}
        write(options.output / "regex-generated.json.gz", head, patterns, differences)
    json.dump(recorder.unsettled, sys.stdout, indent=1)
    return 1 if recorder.unsettled else 0


if __name__ == "__main__":
    sys.exit(main())
