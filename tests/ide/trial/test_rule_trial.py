"""Trying rules on a text: which fire, where, and what stops the others."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.built_automata import notice_builds
from tests.property_examples import examples
from ttsr_ls.errors import UsageError
from ttsr_ls.ide.trial.condition_trial import MatchedConditions, matched_conditions
from ttsr_ls.ide.trial.obstacles import Obstacle
from ttsr_ls.ide.trial.rule_trial import RuleOutcome, RuleTrial, Streaming, run_trial, stream_context
from ttsr_ls.matching.streams.resumable_search import ResumableSearch
from ttsr_ls.matching.streams.search_limits import OFFLINE, OFFLINE_IN_DELTAS
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.syntax.reader import read_rule

TEXT = stream_context(Source.TEXT, None, ())
STABLE, REFERENCE = Matching.STABLE, Matching.REFERENCE


def rule(frontmatter: str, name: str = "rule") -> Rule:
    file = read_rule(f"---\n{frontmatter}\n---\nSay so.\n", name=name, path=f"{name}.md")
    found_rule = register(file, "native").rule
    assert found_rule is not None
    return found_rule


def edit(*paths: str, tool: str = "edit") -> StreamContext:
    return stream_context(Source.TOOL, tool, paths)


def outcome(frontmatter: str, text: str, context: StreamContext = TEXT) -> RuleOutcome:
    (rule_outcome,) = run_trial([rule(frontmatter)], text, context).outcomes
    return rule_outcome


@pytest.mark.parametrize(
    ("frontmatter", "text", "context", "obstacles"),
    [
        ("condition: foo", "foo", TEXT, ()),
        ("condition: foo", "bar", TEXT, (Obstacle.CONDITION,)),
        ("condition: foo\nscope: thinking", "foo", TEXT, (Obstacle.SOURCE,)),
        ("condition: foo\nscope: thinking", "bar", TEXT, (Obstacle.SOURCE, Obstacle.CONDITION)),
        ("condition: foo\nscope: tool:write", "foo", edit("a.ts"), (Obstacle.TOOL,)),
        ("condition: foo\nscope: tool:edit(*.py)", "foo", edit("a.ts"), (Obstacle.TOOL,)),
        ("condition: foo\nscope: tool:edit(*.ts)", "foo", edit("src/a.ts"), ()),
        ("condition: foo\nscope: tool:edit(*.ts)", "foo", edit(), (Obstacle.TOOL,)),
        ("condition: foo\nglobs: '*.py'", "foo", edit("a.ts"), (Obstacle.GLOBS,)),
        ("condition: foo\nglobs: '*.py'", "foo", TEXT, (Obstacle.GLOBS,)),
        ("condition: foo\nglobs: '*.ts'\nscope: tool:write", "x", edit("b.py"), tuple(Obstacle)[1:4]),
        ("astCondition: $A as any", "foo", edit("a.ts"), (Obstacle.NO_CONDITION,)),
    ],
)
def test_obstacles_of_a_silent_rule(
    frontmatter: str, text: str, context: StreamContext, obstacles: tuple[Obstacle, ...]
) -> None:
    rule_outcome = outcome(frontmatter, text, context)
    assert rule_outcome.obstacles == obstacles
    assert bool(rule_outcome.triggers) == (not obstacles)


def test_text_has_no_paths() -> None:
    assert stream_context(Source.TEXT, "edit", ("a.ts",)) == StreamContext(Source.TEXT)


def test_matched_conditions_are_reported_outside_of_the_scope_too() -> None:
    assert outcome("condition: [foo, bar, baz]\nscope: thinking", "baz foo").matched == (0, 2)


def test_outcomes_keep_the_order_of_the_rules() -> None:
    rules = [rule("condition: b", "one"), rule("condition: a", "two"), rule("condition: z", "three")]
    trial = run_trial(rules, "a b", TEXT)
    assert [rule_outcome.rule.name for rule_outcome in trial.outcomes] == ["one", "two", "three"]
    assert [rule_outcome.rule.name for rule_outcome in trial.fired] == ["one", "two"]
    assert [rule_outcome.rule.name for rule_outcome in trial.silent] == ["three"]


@pytest.mark.parametrize(
    ("condition", "text", "matching", "chunk", "offset"),
    [
        (r"any\b", "any thing", STABLE, None, 4),
        (r"any\b", "any", STABLE, None, 3),
        (r"any\b", "anything", STABLE, 3, None),
        (r"any\b", "anything", REFERENCE, 3, 3),
        (r"any\b", "anything", REFERENCE, None, None),
        (r"any\b", "any thing", REFERENCE, None, 9),
        ("b", "😀😀b", STABLE, 1, 3),
        ("", "", STABLE, None, 0),
    ],
)
def test_a_trigger_has_the_offset_at_which_its_match_is_final(
    condition: str, text: str, matching: Matching, chunk: int | None, offset: int | None
) -> None:
    rules = [rule(f"condition: '{condition}'")] if condition else [rule("condition: '^'")]
    (rule_outcome,) = run_trial(rules, text, TEXT, Streaming(matching=matching, chunk=chunk)).outcomes
    assert [trigger.offset for trigger in rule_outcome.triggers] == ([] if offset is None else [offset])


def test_condition_that_fired_on_a_beginning_counts_as_matched() -> None:
    (rule_outcome,) = run_trial(
        [rule(r"condition: 'any\b'")], "anything", TEXT, Streaming(matching=REFERENCE, chunk=3)
    ).outcomes
    assert rule_outcome.matched == (0,)


def test_a_rule_with_many_matches_fires_once() -> None:
    (rule_outcome,) = run_trial(
        [rule("condition: a")], "a a a a", TEXT, Streaming(matching=REFERENCE, chunk=1)
    ).outcomes
    assert len(rule_outcome.triggers) == 1


DISTINCT = "".join(map(chr, range(0x4E00, 0x4E50)))
SLOW = r"'(.+)(.+)(.+)(.+)X\4\3\2\1$'"
SLOW_TEXT = f"{DISTINCT}X{DISTINCT}!"


def test_a_slow_condition_is_reported_and_another_one_still_fires() -> None:
    rule_outcome = outcome(f"condition: [{SLOW}, '!']", SLOW_TEXT)
    assert rule_outcome.slow == (0,)
    assert [trigger.condition for trigger in rule_outcome.triggers] == [1]


def test_a_slow_condition_is_reported_as_undecided_and_not_as_a_mismatch() -> None:
    rule_outcome = outcome(f"condition: {SLOW}", SLOW_TEXT)
    assert (rule_outcome.slow, rule_outcome.obstacles, rule_outcome.is_undecided) == ((0,), (Obstacle.UNDECIDED,), True)
    beside_outcome = outcome(f"condition: [{SLOW}, x]\nscope: thinking", SLOW_TEXT)
    assert beside_outcome.obstacles == (Obstacle.SOURCE, Obstacle.UNDECIDED)
    assert not beside_outcome.is_undecided


def test_a_condition_disabled_by_the_monitor_is_not_searched_again() -> None:
    tried_rule = rule("condition: [foo, bar]")
    (decided,) = matched_conditions([tried_rule], "foo bar", known_slow={tried_rule.conditions[0]})
    assert decided == MatchedConditions(matched=(1,), slow=(0,))


@pytest.mark.parametrize("matching", [STABLE, REFERENCE])
def test_searches_of_a_text_in_deltas_are_bounded_in_total(matching: Matching, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    go_on = ResumableSearch.advance

    def counted(self: ResumableSearch[Any], steps: int) -> tuple[Any] | None:
        before = self.spent
        try:
            return go_on(self, steps)
        finally:
            taken.append(self.spent - before)

    monkeypatch.setattr(ResumableSearch, "advance", counted)
    rules = [rule(rf"condition: '{letter}(.+)(.+)(.+)(.+)X\4\3\2\1$'", letter) for letter in "abcde"]
    assert OFFLINE.search * len(rules) > OFFLINE_IN_DELTAS.total + OFFLINE.end
    text = f"abcde{SLOW_TEXT}"
    trial = run_trial([*rules, rule("condition: '!'", "found")], text, TEXT, Streaming(matching=matching, chunk=10))
    assert sum(taken) <= OFFLINE_IN_DELTAS.total + OFFLINE.end
    assert [rule_outcome.rule.name for rule_outcome in trial.fired] == ["found"]
    assert [rule_outcome.obstacles for rule_outcome in trial.silent] == [(Obstacle.UNDECIDED,)] * len(rules)


@pytest.mark.parametrize("chunk", [None, 2])
def test_automaton_of_a_trial_is_built_once(chunk: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    notice_builds(monkeypatch, built.append)
    rules = [rule("condition: [foo, 'b.*r']", "one"), rule("condition: foo", "two")]
    trial = run_trial(rules, "a foo", TEXT, Streaming(chunk=chunk))
    assert [rule_outcome.matched for rule_outcome in trial.outcomes] == [(0,), (0,)]
    assert len(built) == 1


@pytest.mark.parametrize("tool", ["bash", "Bash", "todo"])
def test_a_call_of_a_pathless_tool_has_no_path(tool: str) -> None:
    assert stream_context(Source.TOOL, tool, ("a.sh",)).paths == ()
    assert stream_context(Source.TOOL, "write", ("a.sh",)).paths == ("a.sh",)


@pytest.mark.parametrize("chunk", [0, -1])
def test_a_chunk_below_one_is_a_usage_error(chunk: int) -> None:
    with pytest.raises(UsageError):
        run_trial([rule("condition: a")], "a", TEXT, Streaming(chunk=chunk))


CONDITIONS = [r"\bany\b", "done$", r"(?m)x$", "a(?!b)", "[^a]b", r"(\w)\1", "é|😀", "^a"]
RULES = [rule(f"condition: '{source}'", f"r{number}") for number, source in enumerate(CONDITIONS)]


@given(st.text("abxny done\né😀", max_size=30), st.integers(1, 8))
@examples(150)
def test_stable_result_does_not_depend_on_the_chunk(text: str, chunk: int) -> None:
    def offsets(tried: RuleTrial) -> list[list[int]]:
        return [[trigger.offset for trigger in rule_outcome.triggers] for rule_outcome in tried.outcomes]

    assert offsets(run_trial(RULES, text, TEXT, Streaming(chunk=chunk))) == offsets(run_trial(RULES, text, TEXT))
