"""Many costly conditions of one file are matched in bounded time, in streams and in the commands that try rules."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from tests.hostile.pathological_patterns import FAMILIES
from tests.processor_time import is_below
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.features.judge.questions import FinishedOutput, QuestionRules
from ttsr_ls.ide.trial.condition_trial import MatchedConditions, matched_conditions
from ttsr_ls.matching.ast.search import NoAstSearch
from ttsr_ls.matching.monitor.file_scan import FileScan
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.exact_verifier import BudgetExhausted, ExactVerifier
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.syntax.reader import read_rule

SECONDS = 1.5
"""Of processor time on a busy machine; each case took more than that on an idle one."""
TEXT = "a" * 2_000 + "\n" + "ab" * 1_000 + "\n" + "a b  " * 400 + "\n"
SLOW = [f"(?:a|aa|a{{{number}}})*(?:a|b)[!?]" for number in range(3, 33)]


def took(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def many_of(family: str, count: int = 30) -> list[str]:
    return [f"x{number}{FAMILIES[family](655)}" for number in range(count)]


def rule_of(conditions: list[str], question: str = "") -> Rule:
    listed = "".join(f"  - '{condition}'\n" for condition in conditions)
    rule = register(read_rule(f"---\ncondition:\n{listed}{question}---\nSay so.\n", name="r", path="r.md"), "p").rule
    assert rule is not None
    return rule


@pytest.mark.parametrize(
    "family",
    [
        *("nested counts", "counts of words", "one loop of many optionals", "counted alternations", "blanks around"),
        "lookaheads between loops",
    ],
)
def test_an_automaton_of_many_is_built_in_bounded_time(family: str) -> None:
    patterns = [compile_condition(source).pattern for source in many_of(family, 60)]
    assert is_below(took(lambda: UnionAutomaton.build(patterns)), SECONDS)


def test_approximations_of_many_conditions_find_what_they_match() -> None:
    conditions = [compile_condition(source) for source in [*many_of("nested counts", 60), "(?:ab{1,40}c?){2,90}!"]]
    stream = AutomatonMatcher(conditions).open()
    stream.append("ab" * 10 + "c!")
    match = stream.final_match(60)
    assert match is not None
    assert match.offset == 22


@pytest.mark.parametrize("family", ["loops over everything", "everything, then a word"])
def test_a_text_is_streamed_in_bounded_time(family: str) -> None:
    stream = AutomatonMatcher([compile_condition(source) for source in many_of(family)]).open()
    stream.append("")
    assert is_below(took(lambda: stream.append(TEXT)), SECONDS)


def test_a_delta_is_matched_in_bounded_time_where_each_unit_ends_a_part_of_many_conditions() -> None:
    stream = AutomatonMatcher([compile_condition(f"zz{part}") for part in many_of("loops over everything")]).open()
    stream.append("a" * 16)
    seconds = min(took(lambda: stream.append("a" * 16)) for _ in range(5))
    assert is_below(seconds, 0.02)  # It took 0.05 s.


def test_conditions_are_tried_in_bounded_time() -> None:
    rules = [rule_of(SLOW)]
    decided: list[MatchedConditions] = []
    assert is_below(took(lambda: decided.extend(matched_conditions(rules, TEXT))), SECONDS)
    assert decided == [MatchedConditions()]


@pytest.mark.parametrize(
    ("family", "length"), [("negative lookaheads of loops", 300), ("references, ignoring case", 2_000)]
)
def test_a_condition_whose_steps_are_costly_is_tried_in_bounded_time(family: str, length: int) -> None:
    rules = [rule_of([FAMILIES[family](length)])]
    assert is_below(took(lambda: matched_conditions(rules, TEXT)), 2 * SECONDS)  # It took 9 s.


def test_slow_conditions_do_not_take_the_time_of_others() -> None:
    rules = [rule_of([*SLOW, "b  a"]), rule_of(["ab+"])]
    decided = matched_conditions(rules, TEXT)
    assert decided[0].matched == (len(SLOW),)
    assert decided[1].matched == (0,)
    assert not decided[1].slow


def test_a_file_is_scanned_in_bounded_time() -> None:
    rules = [rule_of(SLOW)]
    scan = FileScan(rules, NoAstSearch(), time.thread_time)
    text = TEXT + "a?a! b?b!"  # Without what conditions require they are not even tried.
    assert is_below(took(lambda: scan.scan([0], text, ("a.ts",))), 2 * SECONDS)


def test_the_filters_of_questions_are_tried_in_bounded_time() -> None:
    rules = QuestionRules([rule_of(SLOW, "question: Is it?\n")], NoAstSearch())
    output = FinishedOutput(StreamContext(Source.TEXT), TEXT)
    assert is_below(took(lambda: rules.candidates(output, lambda rule: True)), SECONDS)


def ready(verifier: ExactVerifier) -> int:
    """For how many conditions the search for final matches is ready."""
    return sum(searches.planning.is_done for searches in verifier._searches.values())


def test_searches_are_made_ready_over_several_deltas() -> None:
    conditions = [compile_condition(source) for source in many_of("loops of words")]
    verifier = ExactVerifier(conditions)
    verifier.deltas += 1

    def ask_all() -> None:
        for number in range(len(conditions)):
            with suppress(BudgetExhausted):
                verifier.final_of(number)

    assert is_below(took(ask_all), 0.1)
    assert ready(verifier) < len(conditions)
    # Each takes several deltas.
    for _ in range(20 * len(conditions)):
        verifier.deltas += 1
        ask_all()
    assert ready(verifier) == len(conditions)


def test_few_searches_are_prepared() -> None:
    conditions = [compile_condition(source) for source in many_of("loops of words", 100)]
    verifier = ExactVerifier(conditions)
    verifier.prepare(range(100))
    assert 20 <= ready(verifier) <= 31
