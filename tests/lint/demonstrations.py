"""What shows that a rule misbehaves: texts, and what was recorded of the reference agent when they streamed.

Two sources: `tests/recorders/claims.jsonl`, for the examples of the pages, and the `~` lines in `published/`:

    ~ silent: edit src/a.ts: let x      the author meant it to fire there, and it does not
    ~ fires: text: Hello                it fires there, and the author did not mean that
    ~ pi silent: foo                    the same of a rule of pi-ttsr, by the engine of our own
    ~ pi unloaded · hookify · slow · dropped · ignored: KEY

In texts, `⏎` is a line end. `tests/recorders/record_demonstrations.py` has the recorded ones answered.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.lint.case_files import CaseText, name_of, read_cases
from tests.lint.finding_page import parse_page
from ttsr_ls.lint.catalogue import entry_of

HERE = Path(__file__).parent
CLAIMS = HERE.parent / "recorders" / "claims.jsonl"
PUBLISHED = HERE / "published"
_LINE = re.compile(r"~ (?P<kind>[^:]+)(?:: (?P<rest>.*))?")
WINDOWS = "(line ends of Windows)"


@dataclass(frozen=True)
class Recorded:
    """A rule on a stream. `fires` states whether it fires there, according to the demonstration."""

    about: str
    name: str
    text: str
    stream: str
    pieces: tuple[str, ...]
    fires: bool

    @property
    def case(self) -> dict[str, Any]:
        """What `record_monitor.ts` is asked."""
        rules = [{"name": self.name, "provider": "native", "text": self.text}]
        return {"about": self.about, "settings": {}, "agent": "main", "rules": rules, "events": events(self)}


@dataclass(frozen=True)
class Other:
    """A demonstration by our own engine: its kind, and the text after the colon."""

    kind: str
    rest: str


@dataclass(frozen=True)
class Published:
    """A rule file in the style of published ones, with what it does."""

    about: str
    path: str
    text: str
    recorded: tuple[Recorded, ...]
    others: tuple[Other, ...]


def events(recorded: Recorded) -> list[dict[str, Any]]:
    source, _, path = recorded.stream.partition(" ")
    if source in ("text", "thinking"):
        return [{"op": "delta", "context": {"source": source}, "text": piece} for piece in recorded.pieces]
    context = {"source": "tool", "tool": source, "paths": [path] if path else [], "key": "toolcall:1"}
    so_far = ["".join(recorded.pieces[: count + 1]) for count in range(len(recorded.pieces))]
    # The arguments of edits are decoded; those of other tools come as JSON.
    shown = so_far if path else [json.dumps({"command": text}, separators=(",", ":")) for text in so_far]
    return [{"op": "snapshot", "context": context, "text": text} for text in shown]


def claims() -> list[Recorded]:
    """Returns the bad and the good example of each page about matching a stream."""
    recordeds = []
    for number, line in enumerate(CLAIMS.read_text().splitlines()):
        claim = json.loads(line)
        page = parse_page(entry_of(claim["code"]).page)
        for kind, examples in (("bad", page.bad), ("good", page.good)):
            example = next(example for example in examples if example.path.endswith(".md"))
            about = f"claim {number}: {claim['code']}, {kind}"
            recordeds.append(
                Recorded(about, name_of(example.path), example.text, claim["stream"], tuple(claim["text"]), claim[kind])
            )
    return recordeds


def published() -> list[Published]:
    """All rule files of `published/`."""
    publisheds = []
    for document in sorted(PUBLISHED.glob("*.md")):
        text = document.read_text()
        lines = text.splitlines()
        for case in read_cases(text):
            for rule in case.texts:
                publisheds.append(_published(f"{document.stem}: {case.name}", rule, _marks(lines, rule)))
    return publisheds


def _marks(lines: list[str], rule: CaseText) -> list[re.Match[str]]:
    """The `~` lines directly below a rule."""
    number = rule.first_line
    while number < len(lines) and lines[number].startswith(("|", ">")):
        number += 1
    marks = []
    while number < len(lines) and (match := _LINE.fullmatch(lines[number])):
        marks.append(match)
        number += 1
    return marks


def _published(about: str, rule: CaseText, marks: list[re.Match[str]]) -> Published:
    text = rule.text.replace("\n", "\r\n") if WINDOWS in about else rule.text
    recorded = []
    others = []
    for number, mark in enumerate(marks):
        if mark["kind"] in ("silent", "fires"):
            stream, _, shown = mark["rest"].partition(": ")
            pieces = (shown.replace("⏎", "\n"),)
            fires = mark["kind"] == "fires"
            recorded.append(Recorded(f"{about} {number}", name_of(rule.path), text, stream, pieces, fires))
        else:
            others.append(Other(mark["kind"], (mark["rest"] or "").replace("⏎", "\n")))
    return Published(about, rule.path, text, tuple(recorded), tuple(others))


def asked() -> list[Recorded]:
    """All that the reference agent is asked."""
    return [*claims(), *(recorded for rule in published() for recorded in rule.recorded)]
