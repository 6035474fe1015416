"""The noise budget of an embedded session: silenced rules, caps, and counts of suppressed triggers."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.bridge.host.driving import FINE, OLD, SORRY, Run, ShakyLog, run_on, session_rules, stream_of
from ttsr_ls import NoiseGate, NoiseLimits, Session, Settings, Silence, TriggersSuppressed
from ttsr_ls.bridge.host.events import AnswerInterrupted, RulesTriggered
from ttsr_ls.rules.settings.settings import RepeatMode
from ttsr_ls.session.history.suppressed import SuppressedRule, Suppression
from ttsr_ls.session.history.turn_output import ToolCall
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.store.log.session_dirs import workspace_folder
from ttsr_ls.store.noise_file import StoredNoise, StoredSilence, write_noise

AGAIN = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=0)


def gate(limits: list[NoiseLimits]) -> NoiseGate:
    return NoiseGate(lambda: limits[0], lambda: 1_000)


def fired(run: Run) -> list[str]:
    return [rule for event in run.notifications if isinstance(event, RulesTriggered) for rule in event.rules]


def suppressed(run: Run) -> list[tuple[SuppressedRule, ...]]:
    suppressed = [event for event in run.notifications if isinstance(event, TriggersSuppressed)]
    assert [event for event in run.log.events if isinstance(event, TriggersSuppressed)] == suppressed
    return [event.rules for event in suppressed]


async def test_a_silenced_rule_is_not_injected_and_counted_when_the_turn_ends() -> None:
    limits = [NoiseLimits((Silence("no-old"),))]
    run = await run_on(noise_gate=gate(limits))
    await run.turn(OLD)
    assert fired(run) == []
    assert len(run.sent) == 1
    assert suppressed(run) == [(SuppressedRule("no-old", Suppression.SILENCED, 1),)]
    limits[0] = NoiseLimits()  # It holds at once.
    await run.turn(OLD, FINE)
    assert fired(run) == ["no-old"]
    assert len(suppressed(run)) == 1
    await run.session.close()


async def test_a_snoozed_rule_fires_after_the_snooze() -> None:
    run = await run_on(noise_gate=gate([NoiseLimits((Silence("no-old", until=1_000),))]))
    await run.turn(OLD, FINE)
    assert fired(run) == ["no-old"]
    await run.session.close()


async def test_caps_bound_the_triggers_of_a_turn_and_of_the_session() -> None:
    run = await run_on(settings=AGAIN, noise_gate=gate([NoiseLimits(per_turn=1, per_session=2)]))
    for _ in range(3):
        await run.turn(OLD, OLD, FINE)
    assert fired(run) == ["no-old", "no-old"]
    assert [rules[0].reason for rules in suppressed(run)] == [
        Suppression.TURN_CAP, Suppression.SESSION_CAP, Suppression.SESSION_CAP,
    ]  # fmt: skip
    await run.session.close()


async def test_matches_in_sibling_calls_count_once() -> None:
    run = await run_on(noise_gate=gate([NoiseLimits(per_turn=2)]))
    calls = [ToolCall(f"p{number}", "bash", '{"command": "git push"}') for number in range(3)]
    await run.turn((*calls, *OLD), FINE)
    assert fired(run) == ["no-push", "no-old"]
    assert suppressed(run) == []
    await run.session.close()


@pytest.mark.parametrize("change", ["rewind", "clear"])
async def test_the_cap_of_a_turn_is_reset_for_any_outcome_of_the_turn(change: str) -> None:
    run = await run_on(settings=AGAIN, noise_gate=gate([NoiseLimits(per_turn=1)]))
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, OLD)):
                pass
            await (run.session.clear() if change == "clear" else run.session.rewind(turn.id))
    await run.turn(OLD, FINE)
    assert fired(run) == ["no-old", "no-old"]
    await run.session.close()


async def test_interrupts_of_a_turn_are_bounded_by_settings_and_rules_are_still_injected() -> None:
    run = await run_on(settings=Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=0, max_interrupts=1))
    await run.turn(OLD, OLD, FINE)
    assert [type(event) for event in run.notifications].count(AnswerInterrupted) == 1
    assert fired(run) == ["no-old", "no-old"]
    assert len(run.sent) == 3
    await run.turn(OLD, FINE)
    assert [type(event) for event in run.notifications].count(AnswerInterrupted) == 2
    await run.session.close()


async def test_the_quiet_settings_of_the_folder_apply_to_an_embedded_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    until = time.time_ns() // 1_000_000 + 3_600_000
    silenced = StoredNoise((StoredSilence("no-old", until=until),))
    write_noise(workspace_folder(tmp_path / "state", tmp_path), silenced)
    log = ShakyLog()
    run = Run(await Session.open(rules=session_rules({"no-old": "condition: deprecated_module"}), log=log.opened(),
                                 cwd=tmp_path), log)  # fmt: skip
    await run.turn(OLD, SORRY)
    assert fired(run) == []
    assert len(suppressed(run)) == 1
    await run.session.close()
