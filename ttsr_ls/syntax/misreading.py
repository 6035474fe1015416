"""Decides whether frontmatter that is not valid YAML is still read as intended (spec F7)."""

from __future__ import annotations

from functools import lru_cache

from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile

_MAX_FIXED = 5
"""The most invalid values of a file that are fixed to find their intended form."""


def misreading_reason(file: RuleFile) -> str:
    """Returns why the fields are not read as meant, a full sentence; empty if they are."""
    failure = _failure(file)
    return "" if failure is None or is_read_as_meant(file) else failure.message


def is_read_as_meant(file: RuleFile) -> bool:
    """Returns whether the fields stay the same when each value that YAML rejects is fixed."""
    return _is_text_read_as_meant(file.text)


# A check asks this several times about a file, and reading the fixed files takes longer than all the rest of it. The
# cache is small because it keeps the texts.
@lru_cache(maxsize=4)
def _is_text_read_as_meant(text: str) -> bool:
    first = rule_file = _read(text)
    for _ in range(_MAX_FIXED):
        failure = _failure(rule_file)
        if failure is None:
            return _values(rule_file) == _values(first)
        if failure.replacement is None:
            return False
        rule_file = _read(
            rule_file.text[: failure.span.start] + failure.replacement + rule_file.text[failure.span.end :]
        )
    return False


def _read(text: str) -> RuleFile:
    return read_rule(text, name="", path="")


def fires_as_meant(file: RuleFile, problem: Problem) -> bool:
    """Returns whether the rule's trigger stays the same when the text of `problem` is fixed. Its description does not
    matter."""
    if problem.replacement is None:
        return False
    text = file.text[: problem.span.start] + problem.replacement + file.text[problem.span.end :]
    return _values(read_rule(text, name=file.name, path=file.path))[:-1] == _values(file)[:-1]


def _failure(file: RuleFile) -> Problem | None:
    return next((problem for problem in file.problems if problem.code == "yaml-degraded"), None)


def _values(file: RuleFile) -> tuple[object, ...]:
    """Returns the values of the fields of a rule, without their spans."""
    fields = file.fields
    texts = (fields.globs, fields.conditions, fields.ast_conditions, fields.agents)
    return (
        *(tuple(text.value for text in each_text) for each_text in texts),
        tuple((token.text.value, token.inferred) for token in fields.scope),
        None if fields.question is None else fields.question.value,
        (fields.enabled, fields.always_apply, fields.interrupt_mode),
        fields.description,
    )
