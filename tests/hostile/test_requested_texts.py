"""What an editor or a test run asks about a text, or about places of a long line, takes bounded time."""

from __future__ import annotations

from time import thread_time

from tests.hostile.hostile_cases import rule_of, texts
from tests.hostile.pathological_patterns import FAMILIES
from tests.processor_time import processor_time_below
from ttsr_ls.ide.text_trial.delta_firings import TrialMonitors
from ttsr_ls.ide.text_trial.streamed_text import TextKind, stream_context_of_kind, stream_text_of
from ttsr_ls.ide.text_trial.text_trial import DeltaStream, run_text_trial
from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.rule_tests.case_file import read_case_file
from ttsr_ls.rule_tests.case_run import CaseStatus, RuleUnderTest
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.session.rules.session_monitor import DialectMonitor
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import Encoding, LineIndex


def rule(*conditions: str) -> Rule:
    file = read_rule(rule_of(*conditions), name="rule", path="/p/.omp/rules/rule.md")
    made = register(file, "native").rule
    assert made is not None
    return made


def test_all_matches_in_a_text_are_looked_for_in_bounded_time() -> None:
    slow_rule = rule(*(FAMILIES["dotted words"](length) for length in (8_000, 32_000)))
    text = stream_text_of(texts()["src/near.txt"], stream_context_of_kind(TextKind.EDIT, None, "/p/a.ts", "/p"))
    with processor_time_below(1.2):  # It took 7 s.
        run_text_trial(RulesByDialect.from_rules([slow_rule]), text, DeltaStream(), TrialMonitors(), None, thread_time)


class CountedMonitors(TrialMonitors):
    """Counts the passes over the text in which conditions are searched for."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[Matching] = []

    def monitor(
        self, rules: RuleSet, settings: Settings, mode: Matching, search: AstSearch, *, in_deltas: bool
    ) -> DialectMonitor:
        self.made.append(mode)
        return super().monitor(rules, settings, mode, search, in_deltas=in_deltas)


def test_a_disabled_condition_is_not_searched_for_again() -> None:
    slow_rule = rule(FAMILIES["loops of words"](655))
    text = stream_text_of(texts()["src/near.txt"], stream_context_of_kind(TextKind.TEXT, None, None, "/p"))
    monitors, calls = CountedMonitors(), 0

    def clock() -> float:  # Read by each search of all matches.
        nonlocal calls
        calls += 1
        return thread_time()

    (tried,) = run_text_trial(RulesByDialect.from_rules([slow_rule]), text, DeltaStream(), monitors, None, clock).rules
    assert (tried.stable, tried.reference, tried.slow, tried.is_undecided) == (None, None, (0,), True)
    assert monitors.made == [Matching.STABLE]
    assert calls == 0


def test_after_a_few_cases_that_a_rule_takes_too_long_for_its_others_are_not_run() -> None:
    distinct = "".join(map(chr, range(0x100, 0x150)))
    file = read_case_file("valid:\n" + f"  - '{distinct}X{distinct}c'\n" * 20)
    tested = RuleUnderTest(rule(r"(.+)(.+)(.+)(.+)X\4\3\2\1c$"))
    for case in file.cases[:3]:
        assert tested.run(case).status is CaseStatus.UNDECIDED
    with processor_time_below(0.2):
        assert {tested.run(case).status for case in file.cases[3:]} == {CaseStatus.UNDECIDED}


def test_positions_in_a_long_line_take_bounded_time() -> None:
    text = "é" * 20_000
    index = LineIndex(text)
    with processor_time_below(0.3):  # It took 4 s.
        for start in range(0, len(text), 2):
            for offset in (start, start + 1, start, start + 1):
                assert index.position(offset, Encoding.UTF16).character == offset
