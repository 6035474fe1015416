"""Reads the recorded answers of the reference agent to AST conditions (tests/recorders/record_ast.ts)."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RECORDED: dict[str, Any] = json.loads(
    gzip.decompress((Path(__file__).parents[2] / "vectors" / "ast.json.gz").read_bytes())
)["languages"]

WITHOUT_LANGUAGE = "none"
"""The group of paths without a language."""
NOT_HERE = "missing"
"""The group of paths whose language only the reference supports."""


@dataclass(frozen=True)
class Answer:
    language: str
    path: str
    pattern: str
    source: str
    matches: bool


def answers(group: str) -> Iterator[Answer]:
    """Returns all recorded answers of a group."""
    recorded = RECORDED[group]
    for path, rows in recorded["paths"].items():
        for pattern, row in zip(recorded["patterns"], rows, strict=True):
            for source, matches in zip(recorded["sources"], row, strict=True):
                if matches != "-":
                    yield Answer(group, path, pattern, source, matches == "1")


def groups() -> list[str]:
    """Returns the groups named after a grammar that both sides have."""
    return [group for group in RECORDED if group not in (WITHOUT_LANGUAGE, NOT_HERE)]
