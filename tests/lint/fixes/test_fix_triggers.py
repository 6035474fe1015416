"""No safe fix makes a working rule fire less: recorded rules, generated rules, and the fixes that once did."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.lint.fixes.fix_triggers import check, fired, keeps, lost, safely_fixed, texts_for, witnesses_of
from tests.lint.rule_texts import WRITTEN
from tests.recorders.fix_rule_generator import generate
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety, Severity
from ttsr_ls.lint.fixes.fixed_file import REVEALING, apply_edits, fix_file
from ttsr_ls.text import Span

TESTS = Path(__file__).parents[2]

RECORDED: list[dict[str, Any]] = json.loads(gzip.decompress((TESTS / "vectors" / "fixes.json.gz").read_bytes()))[
    "rules"
]
SAFE = frozenset((Safety.SAFE,))
GENERATED = 600
SEED = 4711


def test_reference_matching_fires_as_the_reference_agent_before_and_after_fixes() -> None:
    assert len(RECORDED) >= 150
    for rule in RECORDED:
        witnesses = witnesses_of(rule["texts"])
        assert [fired(rule["before"], witnesses), fired(rule["after"], witnesses)] == rule["fired"], rule["before"]


def test_recorded_rules_keep_the_triggers_that_the_reference_agent_had() -> None:
    for rule in RECORDED:
        witnesses = witnesses_of(rule["texts"])
        after = safely_fixed(rule["before"])
        assert not lost(rule["fired"][0], fired(after, witnesses), witnesses), (rule["before"], after)


def test_fixes_of_generated_rules_keep_their_triggers() -> None:
    changed = fired_before = 0
    for before in islice(generate(SEED, WRITTEN), GENERATED):
        after = safely_fixed(before)
        if after == before:
            continue
        changed += 1
        assert safely_fixed(after) == after, before
        witnesses = witnesses_of(texts_for((before, after)))
        had = fired(before, witnesses)
        fired_before += "1" in had
        assert not lost(had, fired(after, witnesses), witnesses), (before, after)
    assert changed > GENERATED / 4
    assert fired_before > 25


def test_each_safe_fix_of_generated_rules_keeps_the_triggers_and_its_edits_lie_apart() -> None:
    tried = 0
    for before in islice(generate(SEED + 1, WRITTEN), GENERATED // 2):
        for finding in check(before):
            for fix in finding.fixes:
                edits = sorted(fix.edits, key=lambda edit: edit.span)
                assert all(one.span.end <= other.span.start for one, other in pairwise(edits))
                if fix.safety is Safety.SAFE:
                    tried += 1
                    after = apply_edits(before, fix.edits)
                    witnesses = witnesses_of(texts_for((before, after)))
                    assert not lost(fired(before, witnesses), fired(after, witnesses), witnesses), (before, fix)
    assert tried > 60


def test_no_safe_fix_makes_a_new_error_of_a_file_that_is_read_as_it_is_written() -> None:
    for before in islice(generate(SEED + 2, WRITTEN), GENERATED // 2):
        found_findings = check(before)
        if any(finding.code in REVEALING for finding in found_findings):
            continue
        had, has = (
            Counter(finding.code for finding in findings if finding.severity is Severity.ERROR)
            for findings in (found_findings, check(safely_fixed(before)))
        )
        assert not has - had, before


@pytest.mark.parametrize(
    "frontmatter",
    [
        pytest.param("condition: foo\nCondition: bar", id="the later of two spellings wins"),
        pytest.param("condition: foo\nScope: thinking", id="a scope that was ignored"),
        pytest.param("condition: foo\nGlobs: '*.rs'", id="globs that were ignored"),
        pytest.param("condition: foo\nglobs:\n  include: ['*.rs', '*.toml']", id="globs in a map"),
        pytest.param("condition: foo\nAgents: sub", id="agents that were ignored"),
        pytest.param("condition: foo\nEnabled: false", id="a rule that was on"),
        pytest.param("condition: foo\nQuestion: Is it?", id="a question that was not asked"),
        pytest.param('condition: "(?<q>["\\x27]).*?\\k<q>"', id="quotes in a pattern"),
        pytest.param("condition: '\\Afoo'", id="a letter that is an anchor elsewhere"),
        pytest.param("condition: 'a{,3}'", id="a count that is text"),
        pytest.param("condition: '[🚀🎉]'", id="halves of characters"),
        pytest.param('condition: "a\\x2eb"', id="a point that is escaped for YAML only"),
        pytest.param("ttsrTrigger: '(?i:foo)'\nCondition: foo", id="a key that counts instead of another"),
        pytest.param("cond-ition: 'foo(?!bar)'\nttsr_trigger:'^foo'", id="a lookahead instead of another pattern"),
        pytest.param("ttsr_trigger: '^foo'\nCondition: 'foo(?!bar)'", id="a lookahead that counts instead of a key"),
        pytest.param("condition: 'a\tb'", id="a tab that is two spaces"),
        pytest.param("condition: foo\nscope: tool:mcp__a__b_c", id="the name of a tool that another agent has"),
    ],
)
def test_fix_after_which_a_rule_could_fire_less_is_not_safe(frontmatter: str) -> None:
    before = f"---\n{frontmatter}\n---\nSay so.\n"
    after = safely_fixed(before)
    witnesses = witnesses_of(
        (*texts_for((before, after)), 'a"b"c\'d', '"\'"', "aXb", "FOO", "foobar", "Afoo", "a{,3}", "a  b", "😀")
    )
    had = fired(before, witnesses)
    assert "1" in had or "mcp" in frontmatter
    assert not lost(had, fired(after, witnesses), witnesses), after
    fixes = [fix for finding in check(before) for fix in finding.fixes]
    assert all(keeps(before, apply_edits(before, fix.edits)) for fix in fixes if fix.safety is Safety.SAFE)


def test_fix_that_narrows_a_rule_is_offered_as_unsafe() -> None:
    before = "---\ncondition: foo\nScope: thinking\n---\nSay so.\n"
    assert safely_fixed(before) == before
    assert fix_file(before, check, frozenset(Safety), keeps).text == before.replace("Scope", "scope")


def test_fix_of_a_rule_that_did_not_fire_is_safe() -> None:
    assert safely_fixed("---\nCondition: foo\n---\nSay so.\n") == "---\ncondition: foo\n---\nSay so.\n"


def test_fixes_that_only_together_narrow_a_rule_are_not_applied_together() -> None:
    def found(text: str) -> tuple[Finding, ...]:
        edits = [Edit(Span(position, position + 1), "b") for position, char in enumerate(text) if char == "a"]
        return tuple(
            Finding("x", Severity.ERROR, "X.", edit.span, (Fix(f"At {edit.span.start}", (edit,), Safety.SAFE),))
            for edit in edits
        )

    assert fix_file("aa", found, SAFE).text == "bb"
    assert fix_file("aa", found, SAFE, lambda _, after: after != "bb").text in ("ab", "ba", "bb")
    asked: list[str] = []
    fix_file("aa", found, SAFE, lambda _, after: bool(asked.append(after)))
    assert asked == ["bb"]
