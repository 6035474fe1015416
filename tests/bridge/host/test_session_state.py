"""The state of rules that a session exposes: batches, a pending abort, injected rules, and problems."""

from __future__ import annotations

from pathlib import Path

from tests.bridge.host.driving import FINE, NO_OLD, NO_SORRY, OLD, PUSH, run_on
from tests.session.hooks.trying import Trying
from ttsr_ls.bridge.host.events import RulesTriggered, SessionEvent
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.rules.settings.settings import RepeatMode, Settings
from ttsr_ls.session.history.turn_events import RulesLoaded, Text
from ttsr_ls.session.hooks.contract import Proceed
from ttsr_ls.store.log.codec import decode_record

STRICT_AND_GENTLE = {"gentle": f"{NO_OLD}\ninterruptMode: never", "strict": NO_OLD, "sorry": NO_SORRY}


async def test_all_rules_that_match_at_the_same_delta_are_one_event() -> None:
    """Seed 000, section 6: `{type: "ttsr_triggered", rules: Rule[]}`."""
    run = await run_on(rules=STRICT_AND_GENTLE)
    await run.turn(OLD, FINE)
    (batch,) = [event for event in run.notifications if isinstance(event, RulesTriggered)]
    assert batch.rules == ("gentle", "strict")
    assert [trigger.excerpt.text for trigger in batch.triggers] == ["I import deprecated_module"] * 2


async def test_batches_that_do_not_interrupt_are_one_event_each_too() -> None:
    gentle = {"one": f"{NO_OLD}\ninterruptMode: never", "two": f"{NO_OLD}\ninterruptMode: never", "sorry": NO_SORRY}
    run = await run_on(rules=gentle)
    await run.turn((Text("I import deprecated_module here, sorry."),), FINE)
    assert [event.rules for event in run.notifications if isinstance(event, RulesTriggered)] == [
        ("one", "two"),
        ("sorry",),
    ]


async def test_batches_of_two_answers_are_two_events() -> None:
    again = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=0)
    run = await run_on(rules={"a": NO_OLD, "b": NO_OLD}, settings=again)
    await run.turn(OLD, OLD, FINE)
    assert [event.rules for event in run.notifications if isinstance(event, RulesTriggered)] == [("a", "b")] * 2


async def test_an_abort_is_pending_until_the_retry_begins() -> None:
    """Seed 000, sections 3, 4 and 6."""

    def aborted(_: object) -> Proceed:
        pending.append(("aborted", run.session.is_abort_pending))
        return Proceed()

    run = await run_on(features=[Trying(aborted=aborted)])
    pending: list[tuple[str, bool]] = []

    def listener(event: SessionEvent) -> None:
        pending.append((type(event).__name__, run.session.is_abort_pending))

    run.session.on_event(listener)
    run.during_sleep = lambda: pending.append(("waiting", run.session.is_abort_pending))
    assert not run.session.is_abort_pending
    await run.turn(OLD, FINE)
    assert pending == [
        ("RulesTriggered", True),
        ("AnswerInterrupted", True),
        ("aborted", True),
        ("waiting", True),
        ("TextInjected", False),
        ("RequestRetried", False),
        ("TurnFinished", False),
    ]


async def test_no_abort_is_pending_once_the_user_stops_the_turn() -> None:
    run = await run_on()
    seen: list[bool] = []

    async def stop() -> None:
        seen.append(run.session.is_abort_pending)
        await run.session.interrupt()
        seen.append(run.session.is_abort_pending)

    run.during_sleep = stop
    await run.turn(OLD, FINE)
    assert seen == [True, False]


async def test_the_recorded_injected_rules_survive_a_restart() -> None:
    """Seed 000, section 7: getInjectedTtsrRules."""
    run = await run_on()
    assert run.session.injected_rules == ()
    await run.turn(PUSH, FINE)
    await run.turn(OLD, FINE)
    assert run.session.injected_rules == ("no-push", "no-old")
    await run.session.close()

    resumed = await run_on(log=run.log)
    assert resumed.session.injected_rules == ("no-push", "no-old")
    await resumed.session.rewind(resumed.session.turns[1].id)
    assert resumed.session.injected_rules == ("no-push",)
    await resumed.session.clear()
    assert resumed.session.injected_rules == ()


async def test_injected_rules_exclude_a_rule_that_matched_without_injection() -> None:
    run = await run_on()
    run.during_sleep = run.session.interrupt
    await run.turn(OLD, FINE)
    assert run.session.injected_rules == ()


BROKEN = {"half": "condition: ['fine', '(']", "gone": "condition: '['", "whole": "condition: x"}


async def test_a_rule_that_does_not_register_is_a_problem_of_the_session_and_recorded() -> None:
    """Seed 000, sections 1 and 9: reported, and the session starts."""
    run = await run_on(rules=BROKEN)
    assert [problem.split(" (")[0] for problem in run.session.problems] == [
        "The rule half is in part in force",
        "The rule gone is not in force",
    ]
    (loaded,) = [event for event in run.log.events if isinstance(event, RulesLoaded)]
    assert [rule.name for rule in loaded.rules] == ["half", "whole"]
    assert [(problem.rule, problem.in_force) for problem in loaded.problems] == [("half", True), ("gone", False)]
    await run.turn((Text("fine"),), FINE)
    assert run.session.injected_rules == ("half",)


async def test_a_rule_file_that_does_not_register_is_a_problem_of_the_session(tmp_path: Path) -> None:
    (tmp_path / "bad.md").write_text("---\ncondition: '('\n---\nB\n")
    async with await Session.open(rules=[tmp_path]) as session:
        (problem,) = session.problems
        assert str(tmp_path / "bad.md") in problem
        assert "This group has no end" in problem


async def test_an_ast_condition_that_does_not_parse_is_a_problem_of_the_session() -> None:
    """A rule registers without them, so the problem is the only report of them."""
    rules = {
        "half": "astCondition: ['console.log($A)', 'foo($A) bar($B) ('] \nscope: tool:write(*.ts)",
        "gone": "astCondition: 'foo($A) bar('\nscope: tool:write(*.ts)",
        "fine": "astCondition: 'foo($A)'",
    }
    run = await run_on(rules=rules)
    (loaded,) = [event for event in run.log.events if isinstance(event, RulesLoaded)]
    assert [(problem.rule, problem.in_force) for problem in loaded.problems] == [("half", True), ("gone", False)]
    assert len(run.session.problems) == 2
    assert "`foo($A) bar(` is not a single node of code" in run.session.problems[1]


def test_a_rules_record_of_an_older_version_is_read() -> None:
    event = '{"kind":"RulesLoaded","rules":[],"matching":"stable"}'
    assert decode_record(f'{{"v":1,"seq":1,"t":0,"event":{event}}}'.encode()).event == RulesLoaded((), "stable")
