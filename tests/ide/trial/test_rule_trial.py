"""Trying rules on a text: which fire, where, and what stops the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property_examples import examples
from ttsr_ls.errors import UsageError
from ttsr_ls.esregex.automaton.automaton import AnyAutomaton
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.ide.trial.condition_trial import MatchedConditions, matched_conditions
from ttsr_ls.ide.trial.obstacles import Obstacle
from ttsr_ls.ide.trial.rule_trial import RuleOutcome, RuleTrial, Streaming, run_trial, stream_context
from ttsr_ls.matching.streams.exact_verifier import Question
from ttsr_ls.matching.streams.search_limits import OFFLINE, OFFLINE_IN_PIECES
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.syntax.reader import read_rule

TEXT = stream_context(Source.TEXT, None, ())
STABLE, REFERENCE = Matching.STABLE, Matching.REFERENCE


def rule(frontmatter: str, name: str = "rule") -> Rule:
    file = read_rule(f"---\n{frontmatter}\n---\nSay so.\n", name=name, path=f"{name}.md")
    found = register(file, "native").rule
    assert found is not None
    return found


def edit(*paths: str, tool: str = "edit") -> StreamContext:
    return stream_context(Source.TOOL, tool, paths)


def outcome(frontmatter: str, text: str, context: StreamContext = TEXT) -> RuleOutcome:
    (only,) = run_trial([rule(frontmatter)], text, context).outcomes
    return only


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
def test_obstacles(frontmatter: str, text: str, context: StreamContext, obstacles: tuple[Obstacle, ...]) -> None:
    found = outcome(frontmatter, text, context)
    assert found.obstacles == obstacles
    assert bool(found.triggers) == (not obstacles)


def test_text_has_no_paths() -> None:
    assert stream_context(Source.TEXT, "edit", ("a.ts",)) == StreamContext(Source.TEXT)


def test_matched_conditions_are_told_whatever_the_scope_says() -> None:
    assert outcome("condition: [foo, bar, baz]\nscope: thinking", "baz foo").matched == (0, 2)


def test_outcomes_keep_the_order_of_the_rules() -> None:
    rules = [rule("condition: b", "one"), rule("condition: a", "two"), rule("condition: z", "three")]
    tried = run_trial(rules, "a b", TEXT)
    assert [each.rule.name for each in tried.outcomes] == ["one", "two", "three"]
    assert [each.rule.name for each in tried.fired] == ["one", "two"]
    assert [each.rule.name for each in tried.silent] == ["three"]


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
def test_offset(condition: str, text: str, matching: Matching, chunk: int | None, offset: int | None) -> None:
    rules = [rule(f"condition: '{condition}'")] if condition else [rule("condition: '^'")]
    (found,) = run_trial(rules, text, TEXT, Streaming(matching=matching, chunk=chunk)).outcomes
    assert [trigger.offset for trigger in found.triggers] == ([] if offset is None else [offset])


def test_condition_that_fired_on_a_beginning_counts_as_matched() -> None:
    (found,) = run_trial(
        [rule(r"condition: 'any\b'")], "anything", TEXT, Streaming(matching=REFERENCE, chunk=3)
    ).outcomes
    assert found.matched == (0,)


def test_rule_fires_once_however_often_it_matches() -> None:
    (found,) = run_trial([rule("condition: a")], "a a a a", TEXT, Streaming(matching=REFERENCE, chunk=1)).outcomes
    assert len(found.triggers) == 1


DISTINCT = "".join(map(chr, range(0x4E00, 0x4E50)))
SLOW = r"'(.+)(.+)(.+)(.+)X\4\3\2\1$'"
SLOW_TEXT = f"{DISTINCT}X{DISTINCT}!"


def test_slow_condition_is_told_and_another_one_still_fires() -> None:
    found = outcome(f"condition: [{SLOW}, '!']", SLOW_TEXT)
    assert found.slow == (0,)
    assert [trigger.condition for trigger in found.triggers] == [1]


def test_slow_condition_is_not_decided_and_never_called_a_mismatch() -> None:
    found = outcome(f"condition: {SLOW}", SLOW_TEXT)
    assert (found.slow, found.obstacles, found.is_undecided) == ((0,), (Obstacle.UNDECIDED,), True)
    beside = outcome(f"condition: [{SLOW}, x]\nscope: thinking", SLOW_TEXT)
    assert beside.obstacles == (Obstacle.SOURCE, Obstacle.UNDECIDED)
    assert not beside.is_undecided


def test_a_condition_that_the_monitor_gave_up_is_not_searched_a_second_time() -> None:
    tried = rule("condition: [foo, bar]")
    (decided,) = matched_conditions([tried], "foo bar", known_slow={tried.conditions[0]})
    assert decided == MatchedConditions(matched=(1,), slow=(0,))


@pytest.mark.parametrize("matching", [STABLE, REFERENCE])
def test_searches_of_a_text_in_pieces_are_bounded_in_total(matching: Matching, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    go_on = Question.advance

    def counted(self: Question[Any], steps: int) -> tuple[Any] | None:
        before = self.spent
        try:
            return go_on(self, steps)
        finally:
            taken.append(self.spent - before)

    monkeypatch.setattr(Question, "advance", counted)
    rules = [rule(rf"condition: '{letter}(.+)(.+)(.+)(.+)X\4\3\2\1$'", letter) for letter in "abcdefghij"]
    text = f"abcdefghij{SLOW_TEXT}"
    tried = run_trial([*rules, rule("condition: '!'", "found")], text, TEXT, Streaming(matching=matching, chunk=10))
    assert sum(taken) <= OFFLINE_IN_PIECES.total + OFFLINE.end
    assert [each.rule.name for each in tried.fired] == ["found"]
    assert [each.obstacles for each in tried.silent] == [(Obstacle.UNDECIDED,)] * len(rules)


@pytest.mark.parametrize("chunk", [None, 2])
def test_automaton_of_a_trial_is_built_once(chunk: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    build = UnionAutomaton.build

    def counted(patterns: Sequence[Pattern], limits: Limits) -> AnyAutomaton:
        built.append(len(patterns))
        return build(patterns, limits)

    monkeypatch.setattr(UnionAutomaton, "build", counted)
    rules = [rule("condition: [foo, 'b.*r']", "one"), rule("condition: foo", "two")]
    tried = run_trial(rules, "a foo", TEXT, Streaming(chunk=chunk))
    assert [each.matched for each in tried.outcomes] == [(0,), (0,)]
    assert len(built) == 1


@pytest.mark.parametrize("tool", ["bash", "Bash", "todo"])
def test_call_of_a_tool_without_paths_has_none(tool: str) -> None:
    assert stream_context(Source.TOOL, tool, ("a.sh",)).paths == ()
    assert stream_context(Source.TOOL, "write", ("a.sh",)).paths == ("a.sh",)


@pytest.mark.parametrize("chunk", [0, -1])
def test_chunk_below_one_is_misuse(chunk: int) -> None:
    with pytest.raises(UsageError):
        run_trial([rule("condition: a")], "a", TEXT, Streaming(chunk=chunk))


CONDITIONS = [r"\bany\b", "done$", r"(?m)x$", "a(?!b)", "[^a]b", r"(\w)\1", "é|😀", "^a"]


@given(st.text("abxny done\né😀", max_size=30), st.integers(1, 8))
@examples(150)
def test_stable_result_does_not_depend_on_the_chunk(text: str, chunk: int) -> None:
    rules = [rule(f"condition: '{source}'", f"r{number}") for number, source in enumerate(CONDITIONS)]

    def offsets(tried: RuleTrial) -> list[list[int]]:
        return [[trigger.offset for trigger in each.triggers] for each in tried.outcomes]

    assert offsets(run_trial(rules, text, TEXT, Streaming(chunk=chunk))) == offsets(run_trial(rules, text, TEXT))
