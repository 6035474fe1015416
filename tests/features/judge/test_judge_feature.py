"""When rules with a question warn: what is asked, what is told, how often, and that a judge disturbs nobody."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from tests.rules.rule_files import registration_of, rule_set_of
from ttsr_ls.features.judge.feature import MAX_OUTPUTS, JudgeFeature
from ttsr_ls.features.judge.judge import JudgeAnswer, NoJudgeAnswer
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
    """Answers as it is told, and remembers what it was asked."""

    def __init__(self, *answers: JudgeAnswer | NoJudgeAnswer) -> None:
        self._answers = list(answers)
        self.prompts: list[str] = []

    async def ask(self, prompt: str) -> JudgeAnswer | NoJudgeAnswer:
        self.prompts.append(prompt)
        return self._answers[min(len(self.prompts), len(self._answers)) - 1]


class _Watched:
    """A feature with its judge and what it told people."""

    def __init__(self, judge: _Judge, rules: RuleSet | None = None, settings: Settings | None = None) -> None:
        self.told: list[str] = []
        self.judge = judge
        self.feature = JudgeFeature(
            rule_set_of(RUDE, WORDY) if rules is None else rules,
            Settings() if settings is None else settings,
            judge,
            cwd=PurePosixPath("/p"),
            home=PurePosixPath("/home/me"),
            write_line=self.told.append,
        )

    async def end(self, *output: Output, ending: Ending = Ending.COMPLETE) -> OutputResult:
        return await self.feature.on_output_end(OutputContext("t1", 0, MAIN_AGENT, output, ending))

    def warned_of(self, *rules: str, turn: str = "t1") -> None:
        injection = Injection(MAIN_AGENT, InjectionKind.WARNING, Role.USER, "...")
        self.feature.evolve(InjectionCommitted(turn, 1, injection, rules))


YES = JudgeAnswer('{"1": 0.9, "2": 0.9}')
NO = JudgeAnswer('{"1": 0.2, "2": 0.69}')


async def test_a_broken_rule_is_told_as_a_warning() -> None:
    result = await _Watched(_Judge(YES)).end(Text("You fool."))
    assert isinstance(result, FollowUp)
    [told] = result.injections
    assert (told.purpose, told.role, told.rules) == (InjectionKind.WARNING, Role.USER, ("rude",))
    assert told.text.startswith('<system-reminder reason="rule_violation" rule="rude" path="rude.md">\n')
    assert told.text.endswith("\n\nBe polite.\n</system-reminder>")


async def test_all_questions_about_an_output_are_one_request() -> None:
    watched = _Watched(_Judge(YES))
    result = await watched.end(Text("You are really a fool."))
    assert isinstance(result, FollowUp)
    assert result.injections[0].rules == ("rude", "wordy")
    [prompt] = watched.judge.prompts
    assert "1. Is it rude?\n2. Is it wordy?" in prompt


async def test_each_output_is_asked_about_by_itself() -> None:
    watched = _Watched(_Judge(NO, YES))
    result = await watched.end(Text("Fine."), ToolCall("c", "bash", '{"command": "insult"}'))
    assert isinstance(result, FollowUp)
    assert len(watched.judge.prompts) == 2
    assert "insult" in watched.judge.prompts[1]
    assert result.injections[0].rules == ("rude",)


async def test_a_rule_that_two_outputs_break_is_told_once() -> None:
    result = await _Watched(_Judge(YES)).end(Text("Fool."), ToolCall("c", "bash", '{"command": "insult"}'))
    assert isinstance(result, FollowUp)
    assert result.injections[0].text.count("Be polite.") == 1


async def test_a_no_is_not_told() -> None:
    watched = _Watched(_Judge(NO))
    assert await watched.end(Text("You fool.")) == Proceed()
    assert watched.told == []


NONSENSE = {
    "": "it said nothing.",
    "garbage": "it said 'garbage'.",
    '{"1": 5}': "it said '{\"1\": 5}'.",
    '{"2": 0.9}': "it said '{\"2\": 0.9}'.",
    '{"1": 0.9': "it said '{\"1\": 0.9'.",
    "[" * 10_000: f"it said '{'[' * 80}…'.",
}


@pytest.mark.parametrize("answer", NONSENSE)
async def test_nonsense_means_no_and_is_told_once(answer: str) -> None:
    watched = _Watched(_Judge(JudgeAnswer(answer)), rule_set_of(RUDE))
    assert await watched.end(Text("You fool."), ToolCall("c", "bash", '{"command": "x"}')) == Proceed()
    assert len(watched.judge.prompts) == 2
    assert watched.told == [f"The judge gave no probability from 0 to 1 for rude; {NONSENSE[answer]}"]


async def test_a_question_that_is_left_out_is_told_and_the_others_count() -> None:
    watched = _Watched(_Judge(JudgeAnswer('{"2": 0.9}')))
    result = await watched.end(Text("You are really a fool."))
    assert isinstance(result, FollowUp)
    assert result.injections[0].rules == ("wordy",)
    assert watched.told == ["The judge gave no probability from 0 to 1 for rude; it said '{\"2\": 0.9}'."]


async def test_a_judge_that_fails_is_told_to_a_person() -> None:
    watched = _Watched(_Judge(NoJudgeAnswer("It is gone.")))
    assert await watched.end(Text("You fool.")) == Proceed()
    assert watched.told == ["It is gone."]


@pytest.mark.parametrize("ending", [Ending.FAILED, Ending.STOPPED])
async def test_an_answer_that_is_not_complete_is_not_judged(ending: Ending) -> None:
    watched = _Watched(_Judge(YES))
    assert await watched.end(Text("You fool."), ending=ending) == Proceed()
    assert watched.judge.prompts == []


@pytest.mark.parametrize("settings", [Settings(judge=JudgeMode.OFF), Settings(enabled=False)])
async def test_switched_off_nobody_is_asked(settings: Settings) -> None:
    watched = _Watched(_Judge(YES), settings=settings)
    assert await watched.end(Text("You fool.")) == Proceed()
    assert watched.judge.prompts == []


async def test_without_candidates_nobody_is_asked() -> None:
    watched = _Watched(_Judge(YES), rule_set_of(WORDY, registration_of("condition: fool")))
    assert await watched.end(Text("You fool.")) == Proceed()
    assert watched.judge.prompts == []


async def test_once_means_once() -> None:
    watched = _Watched(_Judge(YES))
    watched.feature.evolve(TurnStarted("t1", UserInput("x")))
    watched.warned_of("rude")
    assert await watched.end(Text("You fool.")) == Proceed()
    watched.feature.evolve(HistoryCleared())
    assert isinstance(await watched.end(Text("You fool.")), FollowUp)


@pytest.mark.parametrize(("gap", "turns_needed"), [(0, 1), (1, 1), (2, 2)])
async def test_after_a_gap_but_never_twice_in_a_turn(gap: int, turns_needed: int) -> None:
    settings = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=gap, repeat_unit=RepeatUnit.TURNS)
    watched = _Watched(_Judge(YES), settings=settings)
    watched.warned_of("rude")
    for number in range(turns_needed):
        assert await watched.end(Text("You fool.")) == Proceed()
        watched.feature.evolve(TurnEnded(f"t{number}", TurnCompleted()))
    assert isinstance(await watched.end(Text("You fool.")), FollowUp)


async def test_after_a_gap_of_answers_but_never_twice_in_a_turn() -> None:
    """What the gap counts by default."""
    watched = _Watched(_Judge(YES), settings=Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=2))
    appended = StepAppended("t0", 0, ModelCall(MAIN_AGENT, "m", (), complete=True))
    watched.warned_of("rude")
    for _ in range(3):
        watched.feature.evolve(appended)
    assert await watched.end(Text("You fool.")) == Proceed()
    watched.feature.evolve(TurnEnded("t0", TurnCompleted()))
    assert isinstance(await watched.end(Text("You fool.")), FollowUp)
    watched.warned_of("rude")
    watched.feature.evolve(TurnEnded("t1", TurnCompleted()))
    assert await watched.end(Text("You fool.")) == Proceed()


async def test_there_is_a_limit_of_outputs() -> None:
    watched = _Watched(_Judge(NO))
    await watched.end(*(ToolCall(f"c{number}", "bash", "{}") for number in range(40)))
    assert len(watched.judge.prompts) == MAX_OUTPUTS
