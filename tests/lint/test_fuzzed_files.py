"""Whatever is in a rule file, a check of it ends soon and without an error. `tests/lint/fuzz.py` tries 10,000."""

from __future__ import annotations

import time

from hostile_files import hostile_files

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.syntax.reader import decode, read_rule

FILES = 300
LONGEST_CHECK = 5.0
"""How much processor time, in seconds, one file may take; more than ten times what the slowest takes."""


def seconds_to_check(data: bytes) -> float:
    """Checks a file; every place of what is found must lie inside of it."""
    began = time.process_time()
    text, problems = decode(data)
    file = read_rule(text, name="rule", path=".omp/rules/rule.md")
    for finding in check_file(file, LintContext(), problems):
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
    return time.process_time() - began


def test_files_are_checked_within_bounds() -> None:
    assert max(seconds_to_check(data) for data in hostile_files(FILES, seed=1)) < LONGEST_CHECK


def test_files_are_the_same_every_time() -> None:
    assert list(hostile_files(20, seed=7)) == list(hostile_files(20, seed=7))
