"""Hostile values in rules of hookify are checked in bounded time."""

from __future__ import annotations

import pytest

from tests.lint.case_files import findings_of
from tests.processor_time import processor_time_below

LENGTH = 30_000
MAX_SECONDS = 1.0
SHAPES = (
    "[" + "a ," * 10_000,
    "[" + " " * LENGTH,
    "/" + "a b" * 10_000,
    "a #" * 10_000,
    "'" * LENGTH,
    '"' * LENGTH,
    "\\" * LENGTH,
    '"' + "\\\\" * 15_000 + '"',
    "(" * LENGTH,
    "a|" * 15_000,
    "a:," * 10_000,
    "(a+)+" * 6_000,
    "**/" * 10_000,
    ".*" * 15_000,
    "[\\u0000-\\U0010ffff]" * 1_300,
    "\\w+" * 10_000,
)
RULES = (
    "event: bash\npattern: {}\n",
    "event: bash\nconditions:\n  - field: command\n    operator: contains\n    pattern: {}\n",
    "event: file\nconditions:\n  - field: file_path\n    operator: regex_match\n    pattern: {}\n",
    "event: bash\nconditions:\n  - {}\n",
    "enabled: {0}\naction: {0}\ntool_matcher: {0}\nevent: {0}\npattern: x\n",
)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape[:8])
@pytest.mark.parametrize("longest", [LENGTH, 3_900])
def test_hostile_value_is_checked_in_bounded_time(shape: str, longest: int) -> None:
    for rule in RULES:
        text = f"---\nname: r\n{rule.format(shape[:longest])}---\nSay so.\n"
        with processor_time_below(MAX_SECONDS, rule):
            findings_of([("/project/.claude/hookify.r.local.md", text)])


def test_many_lines_are_checked_in_bounded_time() -> None:
    for block in (
        "  x\n",
        "  x\n#\n",
        "conditions:\n  - a\n",
        "k: v\n",
        "conditions:\n  - field: command\n    pattern: x\n",
    ):
        with processor_time_below(MAX_SECONDS, block):
            text = f"---\nevent: bash\n{block * (LENGTH // len(block))}---\nSay so.\n"
            findings_of([("/project/.claude/hookify.r.local.md", text)])
