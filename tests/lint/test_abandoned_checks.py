"""A check that a host abandons at any of its checkpoints leaves nothing wrong in the caches of later checks."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import _lru_cache_wrapper

import pytest

from ttsr_ls.checkpoint import ComputationAbandoned, abandoned_if, call_at_checkpoints
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.lint.finding import Finding
from ttsr_ls.syntax.reader import read_rule

PATH = "/home/me/shop/.omp/rules/a.md"
POINTS = 12
"""The number of checkpoints of each rule at which a check is abandoned."""


def rule(*conditions: str) -> str:
    listed = "".join(f"  - '{condition}'\n" for condition in conditions)
    return f"---\ncondition:\n{listed}scope: tool:bash, text\n---\nDo not.\n"


RULES = {
    "backtracking": rule("(a+)+$", "(.*a){20}$", "(?:(x+x+)+y)$", "(?=(a+))a*b\\1{3}$"),
    "assertions": rule("\\b" * 60 + "x", "foo(?!bar)(?=baz|qux)", "(?i)end of line$"),
    "repeats": rule("(\\w+\\s*,)*\\d{1,400}", "foo|foobar|foo.*", "a|ab|abc", "word"),
}


@pytest.fixture(autouse=True)
def own_checkpoints() -> Iterator[None]:
    """Later computations of this thread call nothing at their checkpoints."""
    yield
    call_at_checkpoints(lambda: None)


def clear_caches() -> None:
    for cache in gc.get_objects():
        if isinstance(cache, _lru_cache_wrapper) and cache.__module__.startswith("ttsr_ls."):
            cache.cache_clear()


def check(text: str) -> tuple[Finding, ...]:
    return check_file(read_rule(text, name="a", path=PATH), LintContext(location=PATH))


def abandon_at(text: str, point: int) -> bool:
    """Checks a rule until a checkpoint, counted from 1; returns whether there was one."""
    passed = 0

    def is_reached() -> bool:
        nonlocal passed
        passed += 1
        return passed == point

    try:
        with abandoned_if(is_reached):
            check(text)
    except ComputationAbandoned:
        return True
    return False


def count_checkpoints(text: str) -> int:
    passed: list[None] = []
    call_at_checkpoints(lambda: passed.append(None))
    check(text)
    call_at_checkpoints(lambda: None)
    return len(passed)


@pytest.mark.parametrize("name", RULES)
def test_a_check_after_an_abandoned_one_has_all_findings(name: str) -> None:
    text = RULES[name]
    clear_caches()
    expected = check(text)
    assert expected
    clear_caches()
    count = count_checkpoints(text)
    assert count > POINTS
    for part in range(POINTS):
        clear_caches()
        assert abandon_at(text, 1 + part * (count - 1) // (POINTS - 1))
        assert check(text) == expected


@pytest.mark.parametrize("name", RULES)
def test_a_check_after_many_abandoned_ones_has_all_findings(name: str) -> None:
    text = RULES[name]
    clear_caches()
    expected = check(text)
    clear_caches()
    point, abandoned = 1, 0
    while abandon_at(text, point):
        point, abandoned = point * 2, abandoned + 1
    assert abandoned > 3
    assert check(text) == expected
