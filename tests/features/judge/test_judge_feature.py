"""The judge feature: the questions, the warnings and how often they are repeated, and failing judges."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

import pytest

from tests.rules.rule_files import registration_of, rule_set_of
from ttsr_ls.features.judge.feature import MAX_OUTPUTS, JudgeFeature
from ttsr_ls.features.judge.judge import JudgeAnswer, NoJudgeAnswer
from ttsr_ls.features.judge.questions import FinishedOutput, QuestionRules
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import JudgeMode, RepeatMode, RepeatUnit, Settings
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import Injection, InjectionKind
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    HistoryCleared,
    InjectionCommitted,
    ModelCall,
    Output,
    StepAppended,
    Text,
    ToolCall,
    TurnCompleted,
    TurnEnded,
    TurnStarted,
    UserInput,
)
from ttsr_ls.session.hooks.contract import Ending, FollowUp, OutputContext, OutputResult, Proceed

RUDE = registration_of("question: Is it rude?", "rude", body="Be polite.")
WORDY = registration_of("question: Is it wordy?\ncondition: really", "wordy", body="Be brief.")


class _Judge:
    """Gives these answers in order, the last one repeatedly, and records the prompts."""

    def __init__(self, *answers: JudgeAnswer | NoJudgeAnswer) -> None:
        self._answers = list(answers)
        self.prompts: list[str] = []

    async def ask(self, prompt: str) -> JudgeAnswer | NoJudgeAnswer:
        self.prompts.append(prompt)
        return self._answers[min(len(self.prompts), len(self._answers)) - 1]


class _JudgedSession:
    """A judge feature with its judge, and the lines that it showed to the user."""

    def __init__(self, judge: _Judge, rules: RuleSet | None = None, settings: Settings | None = None) -> None:
        self.lines: list[str] = []
        self.judge = judge
        self.feature = JudgeFeature(
            rule_set_of(RUDE, WORDY) if rules is None else rules,
            Settings() if settings is None else settings,
            judge,
            cwd=PurePosixPath("/p"),
            home=PurePosixPath("/home/me"),
            write_line=self.lines.append,
        )

    async def end(self, *output: Output, ending: Ending = Ending.COMPLETE) -> OutputResult:
        return await self.feature.on_output_end(OutputContext("t1", 0, MAIN_AGENT, output, ending))

    def mark_injected(self, *rules: str, turn: str = "t1") -> None:
        injection = Injection(MAIN_AGENT, InjectionKind.WARNING, Role.USER, "...")
        self.feature.evolve(InjectionCommitted(turn, 1, injection, rules))


YES = JudgeAnswer('{"1": 0.9, "2": 0.9}')
NO = JudgeAnswer('{"1": 0.2, "2": 0.69}')


async def test_a_broken_rule_is_injected_as_a_warning() -> None:
    result = await _JudgedSession(_Judge(YES)).end(Text("You fool."))
    assert isinstance(result, FollowUp)
    [warning] = result.injections
    assert (warning.purpose, warning.role, warning.rules) == (InjectionKind.WARNING, Role.USER, ("rude",))
    assert warning.text.startswith('<system-reminder reason="rule_violation" rule="rude" path="rude.md">\n')
    assert warning.text.endswith("\n\nBe polite.\n</system-reminder>")


async def test_all_questions_about_an_output_are_one_request() -> None:
    session = _JudgedSession(_Judge(YES))
    result = await session.end(Text("You are really a fool."))
    assert isinstance(result, FollowUp)
    assert result.injections[0].rules == ("rude", "wordy")
    [prompt] = session.judge.prompts
    assert "1. Is it rude?\n2. Is it wordy?" in prompt


async def test_each_output_is_judged_separately() -> None:
    session = _JudgedSession(_Judge(NO, YES))
    result = await session.end(Text("Fine."), ToolCall("c", "bash", '{"command": "insult"}'))
    assert isinstance(result, FollowUp)
    assert len(session.judge.prompts) == 2
    assert "insult" in session.judge.prompts[1]
    assert result.injections[0].rules == ("rude",)


async def test_a_rule_that_two_outputs_break_is_injected_once() -> None:
    result = await _JudgedSession(_Judge(YES)).end(Text("Fool."), ToolCall("c", "bash", '{"command": "insult"}'))
    assert isinstance(result, FollowUp)
    assert result.injections[0].text.count("Be polite.") == 1


async def test_an_unbroken_rule_is_not_injected() -> None:
    session = _JudgedSession(_Judge(NO))
    assert await session.end(Text("You fool.")) == Proceed()
    assert session.lines == []


NONSENSE = {
    "": "it said nothing.",
    "garbage": "it said 'garbage'.",
    '{"1": 5}': "it said '{\"1\": 5}'.",
    '{"2": 0.9}': "it said '{\"2\": 0.9}'.",
    '{"1": 0.9': "it said '{\"1\": 0.9'.",
    "[" * 10_000: f"it said '{'[' * 80}…'.",
}


@pytest.mark.parametrize("answer", NONSENSE)
async def test_an_unusable_answer_breaks_no_rule_and_is_reported_once(answer: str) -> None:
    session = _JudgedSession(_Judge(JudgeAnswer(answer)), rule_set_of(RUDE))
    assert await session.end(Text("You fool."), ToolCall("c", "bash", '{"command": "x"}')) == Proceed()
    assert len(session.judge.prompts) == 2
    assert session.lines == [f"The judge gave no probability from 0 to 1 for rude; {NONSENSE[answer]}"]


async def test_an_unanswered_question_is_reported_and_the_others_are_judged() -> None:
    session = _JudgedSession(_Judge(JudgeAnswer('{"2": 0.9}')))
    result = await session.end(Text("You are really a fool."))
    assert isinstance(result, FollowUp)
    assert result.injections[0].rules == ("wordy",)
    assert session.lines == ["The judge gave no probability from 0 to 1 for rude; it said '{\"2\": 0.9}'."]


async def test_a_failing_judge_is_reported_to_the_user() -> None:
    session = _JudgedSession(_Judge(NoJudgeAnswer("It is gone.")))
    assert await session.end(Text("You fool.")) == Proceed()
    assert session.lines == ["It is gone."]


@pytest.mark.parametrize("ending", [Ending.FAILED, Ending.STOPPED])
async def test_an_incomplete_answer_is_not_judged(ending: Ending) -> None:
    session = _JudgedSession(_Judge(YES))
    assert await session.end(Text("You fool."), ending=ending) == Proceed()
    assert session.judge.prompts == []


@pytest.mark.parametrize("settings", [Settings(judge=JudgeMode.OFF), Settings(enabled=False)])
async def test_a_disabled_judge_is_not_asked(settings: Settings) -> None:
    session = _JudgedSession(_Judge(YES), settings=settings)
    assert await session.end(Text("You fool.")) == Proceed()
    assert session.judge.prompts == []


async def test_the_judge_is_not_asked_without_candidate_rules() -> None:
    session = _JudgedSession(_Judge(YES), rule_set_of(WORDY, registration_of("condition: fool")))
    assert await session.end(Text("You fool.")) == Proceed()
    assert session.judge.prompts == []


async def test_in_once_mode_a_rule_is_not_judged_again() -> None:
    session = _JudgedSession(_Judge(YES))
    session.feature.evolve(TurnStarted("t1", UserInput("x")))
    session.mark_injected("rude")
    assert await session.end(Text("You fool.")) == Proceed()
    session.feature.evolve(HistoryCleared())
    assert isinstance(await session.end(Text("You fool.")), FollowUp)


@pytest.mark.parametrize(("gap", "turns_needed"), [(0, 1), (1, 1), (2, 2)])
async def test_after_a_gap_of_turns_a_rule_is_judged_again_but_not_in_the_same_turn(
    gap: int, turns_needed: int
) -> None:
    settings = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=gap, repeat_unit=RepeatUnit.TURNS)
    session = _JudgedSession(_Judge(YES), settings=settings)
    session.mark_injected("rude")
    for number in range(turns_needed):
        assert await session.end(Text("You fool.")) == Proceed()
        session.feature.evolve(TurnEnded(f"t{number}", TurnCompleted()))
    assert isinstance(await session.end(Text("You fool.")), FollowUp)


async def test_after_a_gap_of_answers_a_rule_is_judged_again_but_not_in_the_same_turn() -> None:
    """The gap counts answers by default."""
    session = _JudgedSession(_Judge(YES), settings=Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=2))
    appended = StepAppended("t0", 0, ModelCall(MAIN_AGENT, "m", (), complete=True))
    session.mark_injected("rude")
    for _ in range(3):
        session.feature.evolve(appended)
    assert await session.end(Text("You fool.")) == Proceed()
    session.feature.evolve(TurnEnded("t0", TurnCompleted()))
    assert isinstance(await session.end(Text("You fool.")), FollowUp)
    session.mark_injected("rude")
    session.feature.evolve(TurnEnded("t1", TurnCompleted()))
    assert await session.end(Text("You fool.")) == Proceed()


async def test_the_number_of_judged_outputs_is_limited() -> None:
    session = _JudgedSession(_Judge(NO))
    await session.end(*(ToolCall(f"c{number}", "bash", "{}") for number in range(40)))
    assert len(session.judge.prompts) == MAX_OUTPUTS


async def test_outputs_beyond_the_limit_are_not_even_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    matched: list[str] = []
    candidates = QuestionRules.candidates

    def counted(self: QuestionRules, output: FinishedOutput, admits: Callable[[Rule], bool]) -> tuple[Rule, ...]:
        matched.append(output.text)
        return candidates(self, output, admits)

    monkeypatch.setattr(QuestionRules, "candidates", counted)
    session = _JudgedSession(_Judge(NO))
    await session.end(*(ToolCall(f"c{number}", "bash", "{}") for number in range(40)))
    assert len(matched) == MAX_OUTPUTS
