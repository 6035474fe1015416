"""Reads the recorded answers of JavaScript engines (format: tests/vectors/README.md)."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.tree.units import to_units

VECTORS = Path(__file__).parents[1] / "vectors"
FILES = ("regex-handwritten.json.gz", "regex-generated.json.gz")


class RecordedMatch(NamedTuple):
    """The first match in `subject`, in units; None is no match."""

    subject: str
    match: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class RecordedPattern:
    """A pattern in units, and what was recorded of it."""

    category: str
    flags: Flags
    source: str
    _recorded: dict[str, Any]
    _shared_subjects: tuple[str, ...]

    @property
    def is_valid(self) -> bool:
        return self._recorded["matches"] is not None

    @property
    def matches(self) -> tuple[RecordedMatch, ...] | None:
        """Made at each call, as most tests look at few patterns; None for an invalid pattern."""
        if not self.is_valid:
            return None
        subjects = map(to_units, self._recorded["subjects"]) if "subjects" in self._recorded else self._shared_subjects
        return tuple(
            RecordedMatch(subject, None if match is None else (match[0], match[1]))
            for subject, match in zip(subjects, self._recorded["matches"], strict=True)
            if match != "?"
        )


@cache
def recorded_patterns(file: str) -> tuple[RecordedPattern, ...]:
    """The patterns of one of `FILES`, in order."""
    return tuple(_read(file))


def _read(file: str) -> Iterator[RecordedPattern]:
    vectors = json.loads(gzip.decompress((VECTORS / file).read_bytes()))
    shared = tuple(to_units(subject) for subject in vectors.get("subjects", ()))
    for pattern in vectors["patterns"]:
        yield RecordedPattern(
            pattern.get("category", "generated"),
            Flags("i" in pattern["flags"], "m" in pattern["flags"], "s" in pattern["flags"]),
            to_units(pattern["source"]),
            pattern,
            shared,
        )
