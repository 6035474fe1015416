"""Reads the recorded answers of JavaScript engines (format: tests/vectors/README.md)."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.tree.units import to_units

VECTORS = Path(__file__).parents[1] / "vectors"
FILES = ("regex-handwritten.json.gz", "regex-generated.json.gz")


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """The first match in `subject`, in units; None is no match."""

    subject: str
    match: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class RecordedPattern:
    """A pattern in units, and its recorded matches; None for an invalid pattern."""

    category: str
    flags: Flags
    source: str
    matches: tuple[RecordedMatch, ...] | None


@cache
def recorded_patterns(file: str) -> tuple[RecordedPattern, ...]:
    """The patterns of one of `FILES`, in order."""
    return tuple(_read(file))


def _read(file: str) -> Iterator[RecordedPattern]:
    vectors = json.loads(gzip.decompress((VECTORS / file).read_bytes()))
    shared = [to_units(subject) for subject in vectors.get("subjects", ())]
    for pattern in vectors["patterns"]:
        subjects = [to_units(subject) for subject in pattern["subjects"]] if "subjects" in pattern else shared
        matches = None
        if pattern["matches"] is not None:
            matches = tuple(
                RecordedMatch(subject, None if match is None else (match[0], match[1]))
                for subject, match in zip(subjects, pattern["matches"], strict=True)
                if match != "?"
            )
        yield RecordedPattern(
            pattern.get("category", "generated"),
            Flags("i" in pattern["flags"], "m" in pattern["flags"], "s" in pattern["flags"]),
            to_units(pattern["source"]),
            matches,
        )
