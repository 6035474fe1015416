"""The real conditions and texts that the engine is measured and compared with."""

import re
from pathlib import Path

import pytest

import benchmarks
from benchmarks.real_conditions import all_conditions, conditions_by_source, rare_conditions, real_conditions
from benchmarks.real_texts import KINDS, PARTS, real_text
from benchmarks.rule_sets import rule_set
from ttsr_ls.rules.condition import compile_condition

NOTICE = (Path(benchmarks.__file__).parent / "data" / "NOTICE.md").read_text(encoding="utf-8")


def test_there_are_thousands_of_conditions_and_all_are_valid() -> None:
    conditions = all_conditions()
    assert len(set(conditions)) == len(conditions) > 2_000
    for condition in conditions:
        compile_condition(condition)


def test_the_notice_names_each_source_with_its_number_of_conditions() -> None:
    rows = re.findall(r"^\| .*? \| \S+ \| (\d+) \| .* \| (\S+) \| .*\|$", NOTICE, re.MULTILINE)
    assert [int(count) for count, _ in rows] == [len(listed) for listed in conditions_by_source().values()]
    assert {licence for _, licence in rows} == {"MIT", "Apache-2.0", "BSD-3-Clause"}


def test_samples_are_the_same_in_each_run() -> None:
    assert real_conditions(100) == real_conditions(100) != real_conditions(100, seed=2)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_two_different_texts(kind: str) -> None:
    parts = [real_text(kind, part) for part in range(PARTS)]
    assert min(map(len, parts)) > 40_000
    assert len({part[:1_000] for part in parts}) == PARTS


def test_each_condition_can_be_that_of_a_rule_file() -> None:
    assert [rule.condition_texts for rule in rule_set(all_conditions()).rules] == [
        (condition,) for condition in all_conditions()
    ]


def test_rare_conditions_are_a_part_of_all() -> None:
    assert 2_000 < len(rare_conditions()) < len(all_conditions())
    assert set(real_conditions(1_000, rare=True)) <= set(rare_conditions()) < set(all_conditions())
