"""Real regular expressions as rule conditions, from linters, secret scanners, and grammars (`data/NOTICE.md`).

Every one is valid in the rule language. `data/NOTICE.md` says how they were selected and translated. Samples are
seeded, so that every run and every engine sees the same.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random

_FILE = Path(__file__).with_name("data") / "conditions.json"


@cache
def conditions_by_source() -> dict[str, tuple[str, ...]]:
    """All conditions by the project that they come from."""
    return {source: tuple(groups["rare"] + groups["common"]) for source, groups in _groups().items()}


def all_conditions() -> list[str]:
    """All conditions, no two alike."""
    return [condition for conditions in conditions_by_source().values() for condition in conditions]


def rare_conditions() -> list[str]:
    """The conditions that hardly any text matches, as it is with most rules."""
    return [condition for groups in _groups().values() for condition in groups["rare"]]


def real_conditions(count: int, seed: int = 1, *, rare: bool = False) -> list[str]:
    """A random sample of `count` conditions, or of `rare` ones. Raises `ValueError` if there are not so many."""
    return Random(seed).sample(rare_conditions() if rare else all_conditions(), count)


@cache
def _groups() -> dict[str, dict[str, list[str]]]:
    groups: dict[str, dict[str, list[str]]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return groups
