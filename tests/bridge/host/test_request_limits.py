"""Retries by rules, features, judges, and tools are limited, for the main agent and subagents."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from tests.bridge.host.driving import FINE, NO_OLD, NO_SORRY, OLD, SORRY, Run, ShakyLog, run_on, stream_of
from tests.bridge.wire.provider_answers import Part
from ttsr_ls.bridge.host.events import LimitReached
from ttsr_ls.features.judge.feature import JudgeFeature
from ttsr_ls.features.judge.judge import JudgeAnswer
from ttsr_ls.features.tasks.feature import TaskFeature
from ttsr_ls.features.tasks.reminding import ReminderPolicy
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import ContextMode, RepeatMode, Settings
from ttsr_ls.session.history.request_limits import DEFAULT_LIMITS, LimitKind, RequestLimitReached, RequestLimits
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import Injection, InjectionKind, TurnCompleted, TurnFailed
from ttsr_ls.session.history.turn_events import Text, ToolCall
from ttsr_ls.session.hooks.contract import (
    AbortedContext,
    AbortedResult,
    DeltaContext,
    DeltaResult,
    Feature,
    FollowUp,
    Interrupt,
    OutputContext,
    OutputResult,
    PendingInjection,
    Proceed,
    Resume,
)
from ttsr_ls.session.rules.rules_by_dialect import compose
from ttsr_ls.store.log.codec import Record, decode_record, encode_record
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.reader import read_rule

AGENTS = pytest.mark.parametrize("agent", ["main", "task"])
MORE = PendingInjection(InjectionKind.NOTE, Role.USER, "go on")
ALWAYS = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=0)


class FollowingUp(Feature):
    """Follows up on every answer."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        return FollowUp((MORE,))


class Interrupting(Feature):
    """Interrupts every answer, and resumes the turn."""

    def __init__(self, name: str) -> None:
        self.name = name

    def on_delta(self, context: DeltaContext) -> DeltaResult:
        return Interrupt((), ContextMode.DISCARD)

    async def on_aborted(self, context: AbortedContext) -> AbortedResult:
        return Resume((MORE,), 0)


class Yes:
    """A judge that finds every rule broken by every answer."""

    def __init__(self) -> None:
        self.asked = 0

    async def ask(self, prompt: str) -> JudgeAnswer:
        self.asked += 1
        return JudgeAnswer('{"1": 1.0}')


def judge(yes: Yes) -> list[JudgeFeature]:
    text = "---\nquestion: Is it rude?\nagents: [main, task]\n---\nBe polite.\n"
    rules = RuleSet.build([register(read_rule(text, name="rude", path="/w/rude.md"), "extra")], Settings())
    return [JudgeFeature(rules, Settings(), yes, cwd=PurePosixPath("/w"), home=PurePosixPath("/h"), write_line=print)]


def reached(run: Run) -> list[tuple[LimitKind, int, str | None]]:
    """The limits that were reported, which must be those on record."""
    reached_limits = [item.event for item in run.notifications if isinstance(item, LimitReached)]
    assert reached_limits == [event for event in run.log.events if isinstance(event, RequestLimitReached)]
    for event in reached_limits:
        assert decode_record(encode_record(Record(1, 0, event)).rstrip(b"\n")).event == event
    return [(event.limit, event.requests, event.feature) for event in reached_limits]


def injected(run: Run) -> list[str]:
    return [
        step.content.text for turn in run.session.turns for step in turn.steps if isinstance(step.content, Injection)
    ]


@AGENTS
@pytest.mark.parametrize("rule", [NO_OLD, NO_SORRY], ids=["interrupts", "deferred"])
async def test_a_rule_only_reports_after_the_retry_limit(rule: str, agent: str) -> None:
    run = await run_on(rules={"r": rule}, settings=ALWAYS, agent=agent)
    for number in (1, 2):
        await run.turn(*[OLD if rule is NO_OLD else SORRY] * 200)
        assert run.session.turns[-1].state == TurnCompleted()
        assert len(run.sent) == number * (DEFAULT_LIMITS.retries_per_feature + 1)
        assert reached(run) == [(LimitKind.RETRIES_PER_FEATURE, 20, "ttsr")] * number
        assert run.kinds()[-2:] == ["RulesTriggered", "TurnFinished"]


@AGENTS
async def test_a_rule_of_pi_with_huge_max_firings_is_bounded_by_the_retry_limit(agent: str) -> None:
    text = "---\ntrigger: deprecated_module\nmaxFirings: 100000\ncooldown: 0\n---\nBody.\n"
    rule = register_pi(read_pi_rule(text, name="old", path="/w/old.md"))
    run = await run_on(rules=compose([rule], Settings(), agent), agent=agent)
    await run.turn(*[OLD] * 200)
    assert len(run.sent) == DEFAULT_LIMITS.retries_per_feature + 1
    assert reached(run) == [(LimitKind.RETRIES_PER_FEATURE, 20, "ttsr")]
    assert run.kinds()[-2:] == ["RulesTriggered", "TurnFinished"]


@AGENTS
@pytest.mark.parametrize("kind", [FollowingUp, Interrupting])
async def test_a_feature_is_bounded_by_its_own_limit_of_retries(kind: type[FollowingUp], agent: str) -> None:
    run = await run_on(rules={}, features=[kind("a")], agent=agent)
    await run.turn()
    assert len(run.sent) == DEFAULT_LIMITS.retries_per_feature + 1
    assert reached(run) == [(LimitKind.RETRIES_PER_FEATURE, 20, "a")]
    assert run.session.turns[-1].state == TurnCompleted()


class Echo(Feature):
    """Follows up on answers that the other feature caused, and never on its own."""

    def __init__(self, name: str, other: int) -> None:
        self.name = name
        self._other = other
        self._answers = 0

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        self._answers += 1
        return FollowUp((MORE,)) if self._answers % 2 == self._other else Proceed()


@AGENTS
async def test_two_features_that_trigger_each_other_are_bounded_by_the_common_limit(agent: str) -> None:
    run = await run_on(rules={}, features=[Echo("a", 0), Echo("b", 1)], agent=agent, limits=RequestLimits(retries=15))
    await run.turn()
    assert len(run.sent) == 16
    assert reached(run) == [(LimitKind.RETRIES, 15, None)]
    assert run.session.turns[-1].state == TurnCompleted()


async def test_features_that_follow_up_on_the_same_answer_share_one_request() -> None:
    run = await run_on(rules={}, features=[FollowingUp("a"), FollowingUp("b"), FollowingUp("c")])
    await run.turn()
    assert len(run.sent) == DEFAULT_LIMITS.retries_per_feature + 1
    assert [name for _, _, name in reached(run)] == ["a", "b", "c"]


async def test_one_feature_cannot_use_up_the_retries_of_the_rules() -> None:
    run = await run_on(features=[FollowingUp("a")])
    await run.turn(*[(Text("Fine."),)] * 20, OLD)
    assert "AnswerInterrupted" in run.kinds()


@AGENTS
async def test_the_judge_warns_of_a_rule_once_a_turn(agent: str) -> None:
    yes = Yes()
    run = await run_on(rules={}, features=judge(yes), agent=agent)
    await run.turn(*[(Text("Fool."),)] * 30)
    assert len(run.sent) == 2
    assert run.kinds().count("WarningInjected") == 1
    await run.turn(*[(Text("Fool."),)] * 30)
    assert run.kinds().count("WarningInjected") == 1
    assert yes.asked == 1


@AGENTS
async def test_the_judge_remembers_its_warning_when_the_session_is_resumed(agent: str) -> None:
    log = ShakyLog()
    run = await run_on(log, rules={}, features=judge(Yes()), agent=agent)
    await run.turn((Text("Fool."),))
    again = await run_on(ShakyLog(log.events), rules={}, features=judge(Yes()), agent=agent)
    await again.turn((Text("Fool."),))
    assert "WarningInjected" in run.kinds()
    assert "WarningInjected" not in again.kinds()


async def test_the_judge_is_not_asked_once_its_feature_may_not_retry() -> None:
    yes = Yes()
    run = await run_on(rules={}, features=[FollowingUp("a"), *judge(yes)], limits=RequestLimits(retries=0))
    await run.turn((Text("Fool."),))
    assert (yes.asked, len(run.sent)) == (0, 1)


@AGENTS
async def test_limits_hold_after_the_session_is_resumed(agent: str) -> None:
    log = ShakyLog()
    await (await run_on(log, rules={}, features=[FollowingUp("a")], agent=agent)).turn()
    resumed = ShakyLog(log.events)
    run = await run_on(resumed, rules={}, features=[FollowingUp("a")], agent=agent)
    await run.turn()
    assert len(run.sent) == DEFAULT_LIMITS.retries_per_feature + 1
    assert len([event for event in resumed.events if isinstance(event, RequestLimitReached)]) == 2


async def test_a_crash_during_retries_resets_their_count() -> None:
    log = ShakyLog()
    await (await run_on(log, rules={}, features=[FollowingUp("a")])).turn()
    for cut in range(1, len(log.events), 7):
        run = await run_on(ShakyLog(log.events[:cut]), rules={}, features=[FollowingUp("a")])
        await run.turn()
        assert len(run.sent) == DEFAULT_LIMITS.retries_per_feature + 1


async def test_a_deferred_rule_is_injected_with_the_next_request_once_the_limit_is_reached() -> None:
    run = await run_on(rules={"r": NO_SORRY}, features=[FollowingUp("a")], limits=RequestLimits(retries=1))
    await run.turn(SORRY)
    first = len(run.sent)
    await run.turn()
    assert first == 2
    assert len([text for text in injected(run) if "Body of r." in text]) == 1


@AGENTS
async def test_endless_tool_calls_are_bounded_by_the_limit_of_requests(agent: str) -> None:
    run = await run_on(rules={}, agent=agent, limits=RequestLimits(requests=7))
    await run.turn(*[(ToolCall(f"c{number}", "bash", '{"command": "ls"}'),) for number in range(50)])
    assert len(run.sent) == 7
    assert reached(run) == [(LimitKind.REQUESTS, 7, None)]
    assert run.session.turns[-1].state == TurnFailed("The model was asked 7 times in this turn, which is the limit.")


async def test_a_limit_is_reported_while_the_log_fails() -> None:
    run = await run_on(ShakyLog(breaks_at=10), rules={}, limits=RequestLimits(requests=3))
    await run.turn(*[(ToolCall(f"c{number}", "bash", "{}"),) for number in range(50)])
    assert len([item for item in run.notifications if isinstance(item, LimitReached)]) == 1


@AGENTS
async def test_tasks_remind_the_agent_of_the_session(agent: str) -> None:
    create = ToolCall("c1", "TaskCreate", '{"subject": "a", "description": ""}')
    run = await run_on(rules={}, features=[TaskFeature(ReminderPolicy(after=3, cooldown=3))], agent=agent)
    async with run.session.turn("go") as turn:
        script: list[tuple[Part, ...]] = [(create,), *[(ToolCall(f"b{n}", "bash", "{}"),) for n in range(8)]]
        async for request in turn:
            parts = script.pop(0) if script else FINE
            async for _ in request.watch(stream_of(run.session._api, parts)):
                pass
            for call in request.calls:
                if request.has_tool(call):
                    await request.run(call)
                else:
                    await request.result(call.id, "fine")
    assert len([text for text in injected(run) if "1. [pending] a" in text]) == 3
