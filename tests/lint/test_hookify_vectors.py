"""Findings agree with hookify's published engine: each broken rule has one, and no working rule has an error.

The vectors hold what a reader expects of each rule and what the engine did (`tests/recorders/record_hookify.py`).
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

from tests.lint.case_files import findings_of
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.syntax.hookify.frontmatter import read_block
from ttsr_ls.syntax.hookify.rule_file import read_hookify
from ttsr_ls.syntax.rule_file import ListValue, MapValue, ScalarValue, Value

VECTORS = json.loads(gzip.decompress((Path(__file__).parents[1] / "vectors" / "hookify.json.gz").read_bytes()))
CASES: list[dict[str, Any]] = VECTORS["cases"]


def is_broken(case: dict[str, Any]) -> bool:
    """Returns whether the engine warned, did on some call what nobody expects, or has a rule on that was switched
    off."""
    is_on_by_mistake = case["is_on"] and not case["is_meant_on"]
    return case["warned"] or case["answers"] != case["expected"] or is_on_by_mistake


def findings(case: dict[str, Any]) -> tuple[Finding, ...]:
    return _findings(f"/project/{case['path']}", case["text"])


@cache
def _findings(path: str, text: str) -> tuple[Finding, ...]:
    (found_findings,) = findings_of([(path, text)])
    return found_findings


def data(value: Value) -> object:
    """A value as hookify has it."""
    match value:
        case ScalarValue():
            return value.data
        case ListValue():
            return [data(item) for item in value.items]
        case MapValue():
            return {entry.key: data(entry.value) for entry in value.entries}


def test_vectors_are_many() -> None:
    broken = [case for case in CASES if is_broken(case)]
    assert len(CASES) >= 300
    assert len(broken) >= 150
    assert len(CASES) - len(broken) >= 150
    assert len({mistake for case in broken for mistake in case["mistakes"]}) >= 40


def read_differently(case: dict[str, Any]) -> bool:
    block = read_block(case["text"])
    entries = () if block is None else block.frontmatter.entries
    return {entry.key: data(entry.value) for entry in entries} != case["frontmatter"]


def test_frontmatter_is_read_as_the_engine_reads_it() -> None:
    assert not [case["text"] for case in CASES if read_differently(case)]


def test_broken_rule_has_a_finding() -> None:
    assert not [case["text"] for case in CASES if is_broken(case) and not findings(case)]


def test_working_rule_has_no_error() -> None:
    assert not [
        (case["text"], finding)
        for case in CASES
        if not is_broken(case)
        for finding in findings(case)
        if finding.severity is Severity.ERROR
    ]


def test_rule_without_a_mistake_has_no_finding_but_infos() -> None:
    for case in CASES:
        if not case["mistakes"] and not is_broken(case):
            assert all(finding.severity is Severity.INFO for finding in findings(case)), case["text"]


def test_spans_lie_in_the_text_and_hold_what_was_read() -> None:
    for case in CASES:
        file = read_hookify(case["text"], name="r", path="r")
        for condition in file.conditions:
            if condition.pattern_text is not None:
                runs = condition.pattern_text.runs(0, len(condition.pattern))
                assert "".join(case["text"][span.start : span.end] for _, span in runs) == condition.pattern
