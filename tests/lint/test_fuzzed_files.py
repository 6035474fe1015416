"""Whatever is in a file, a check of it ends soon and without an error. `tests/lint/fuzz.py` tries 10,000."""

from __future__ import annotations

import time

from tests.lint.hostile_files import PATHS, hostile_files
from tests.processor_time import is_below
from ttsr_ls.lint.config.settings_check import check_settings
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.lint.finding import Finding, Safety
from ttsr_ls.lint.fixes.fixed_file import fix_file
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.reader import decode, read_rule
from ttsr_ls.syntax.settings_file import read_settings
from ttsr_ls.syntax.settings_locations import settings_format_of

FILES = 300
LONGEST_CHECK = 5.0
"""How much processor time, in seconds, one check may take: more than ten times that of the slowest known file."""
LONGEST_FIX = 60.0
"""And how much fixing one file, for which it is checked up to 400 times."""


def found(text: str, path: str, problems: tuple[Problem, ...] = ()) -> tuple[Finding, ...]:
    written = settings_format_of(f"/p/{path}")
    if written is not None:
        return tuple(check_settings(read_settings(text, path, written)))
    return check_file(read_rule(text, name="rule", path=path), LintContext(), problems)


def seconds_to_check(data: bytes, path: str) -> float:
    """Checks a file, and asserts that all spans of its findings lie inside it."""
    began = time.process_time()
    text, problems = decode(data)
    for finding in found(text, path, problems):
        places = [finding.span, *(edit.span for fix in finding.fixes for edit in fix.edits)]
        assert all(0 <= place.start <= place.end <= len(text) for place in places)
        assert finding.message.endswith((".", "?"))
    return time.process_time() - began


def seconds_to_fix(data: bytes, path: str) -> float:
    """Fixes a file as far as can be; doing that again changes nothing more."""
    began = time.process_time()
    text, _ = decode(data)
    file = fix_file(text, lambda text: found(text, path), frozenset(Safety))
    again = fix_file(file.text, lambda text: found(text, path), frozenset(Safety))
    assert (again.text, again.fixed) == (file.text, 0)
    return time.process_time() - began


def test_files_are_checked_within_bounds() -> None:
    files = enumerate(hostile_files(FILES, seed=1))
    assert is_below(max(seconds_to_check(data, PATHS[number % len(PATHS)]) for number, data in files), LONGEST_CHECK)


def test_hostile_files_are_fixed_within_bounds() -> None:
    files = enumerate(hostile_files(FILES // 6, seed=2))
    assert is_below(max(seconds_to_fix(data, PATHS[number % len(PATHS)]) for number, data in files), LONGEST_FIX)


def test_hostile_files_are_reproducible() -> None:
    assert list(hostile_files(20, seed=7)) == list(hostile_files(20, seed=7))
