"""Which test file belongs to which rule file: the one of the same name in the same folder."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.rule_tests.case_file_names import SUFFIXES, rule_stem
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES


def case_file_beside(rule: Path) -> Path | None:
    """The test file of a rule file, None where it has none."""
    stem = name_of_rule_file(rule)
    return next((path for suffix in SUFFIXES if (path := rule.with_name(stem + suffix)).is_file()), None)


def rule_file_beside(test: Path) -> Path | None:
    """The rule file of a test file, None where there is none."""
    stem = Path(rule_stem(test.name)).name
    return next((path for suffix in RULE_SUFFIXES if (path := test.with_name(stem + suffix)).is_file()), None)


def name_of_rule_file(rule: Path) -> str:
    """The name of a rule file without its suffix."""
    name = rule.name
    return next((name.removesuffix(suffix) for suffix in RULE_SUFFIXES if name.endswith(suffix)), name)
