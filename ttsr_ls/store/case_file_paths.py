"""Maps rule files to their test files: the file of the same name in the same folder."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.rule_tests.case_file_names import SUFFIXES, rule_stem
from ttsr_ls.store.files.existence import is_file
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES


def case_file_of(rule: Path) -> Path | None:
    """Returns the test file of a rule file, None if it has none."""
    stem = name_of_rule_file(rule)
    return next((path for suffix in SUFFIXES if is_file(path := rule.with_name(stem + suffix))), None)


def rule_file_of(test: Path) -> Path | None:
    """Returns the rule file of a test file, None if there is none."""
    stem = Path(rule_stem(test.name)).name
    return next((path for suffix in RULE_SUFFIXES if is_file(path := test.with_name(stem + suffix))), None)


def name_of_rule_file(rule: Path) -> str:
    """Returns the name of a rule file without its suffix."""
    name = rule.name
    return next((name.removesuffix(suffix) for suffix in RULE_SUFFIXES if name.endswith(suffix)), name)
