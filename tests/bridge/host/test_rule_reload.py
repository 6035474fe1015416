"""Rules that change while a session runs apply from the next request on, and are recorded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.bridge.host.driving import FINE, Run, ShakyLog, stream_of
from ttsr_ls import Clock, RuleReloadFailed, Session, Settings
from ttsr_ls.bridge.host.events import RulesReloaded, RulesTriggered
from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.bridge.rules.session_rules import SessionRules
from ttsr_ls.rules.settings.settings import RepeatMode
from ttsr_ls.session.history.turn_events import ConditionTooSlow, RulesLoaded, Text, TurnEnded
from ttsr_ls.session.output.wire_events import Api

NO_OLD = "---\ncondition: deprecated_module\n---\nUse new_module.\n"
NO_NEW = "---\ncondition: new_module\n---\nUse newer_module.\n"
OLD = (Text("I import deprecated_module here."),)
NEW = (Text("I import new_module here."),)


class Changing:
    """A session with the rules of a folder, and a clock that advances by two seconds at each call."""

    def __init__(self, folder: Path, log: ShakyLog, run: Run) -> None:
        self.folder = folder
        self.log = log
        self.run = run

    def write(self, name: str, text: str) -> None:
        (self.folder / f"{name}.md").write_text(text)

    @property
    def fired(self) -> list[str]:
        return [rule for event in self.run.notifications if isinstance(event, RulesTriggered) for rule in event.rules]


async def changing(folder: Path, **options: object) -> Changing:
    ticks, seconds = iter(range(1, 10**9)), iter(range(0, 10**9, 2))
    log = ShakyLog()
    clock = Clock(lambda: next(ticks), lambda: float(next(seconds)))
    given = {"rules": folder, "log": log.opened(), "clock": clock, "cwd": folder} | options
    return Changing(folder, log, Run(await Session.open(**given), log))  # type: ignore[arg-type]


@pytest.fixture
async def session(tmp_path: Path) -> AsyncIterator[Changing]:
    (tmp_path / "no-old.md").write_text(NO_OLD)
    found_changing = await changing(tmp_path)
    yield found_changing
    await found_changing.run.session.close()


async def test_a_new_rule_applies_from_the_next_request(session: Changing) -> None:
    await session.run.turn(NEW)
    assert session.fired == []
    session.write("no-new", NO_NEW)
    await session.run.turn(NEW, FINE)
    assert session.fired == ["no-new"]
    assert session.run.session.rule_names == ("no-new", "no-old")
    loaded = [[rule.name for rule in event.rules] for event in session.log.events if isinstance(event, RulesLoaded)]
    assert loaded == [["no-old"], ["no-new", "no-old"]]
    (reloaded,) = [event for event in session.run.notifications if isinstance(event, RulesReloaded)]
    assert (reloaded.rules, reloaded.changes.text) == (("no-new", "no-old"), "Rules were read again: added no-new.")
    changes = [event.changes for event in session.log.events if isinstance(event, RulesLoaded)]
    assert changes == [None, reloaded.changes]


async def test_a_removed_rule_does_not_apply_and_an_injected_one_stays_marked(session: Changing) -> None:
    await session.run.turn(OLD, FINE)
    session.write("no-old", NO_OLD.replace("new_module", "another_module"))
    await session.run.turn(OLD)  # Injected once, though the file is another now.
    assert session.fired == ["no-old"]
    (session.folder / "no-old.md").unlink()
    session.write("no-new", NO_NEW)
    await session.run.turn(OLD)
    assert session.run.session.rule_names == ("no-new",)


async def test_a_changed_condition_that_is_too_slow_again_is_reported_again(session: Changing) -> None:
    slow, distinct = r"(.+)(.+)(.+)(.+)X\4\3\2\1", "".join(map(chr, range(0x4E00, 0x4E50)))
    for end in "cd":
        session.write("slow", f"---\ncondition: '{slow}{end}'\n---\nNo.\n")
        for _ in range(2):
            await session.run.turn((Text(f"{distinct}X{distinct}{end}" + "e" * 60),))
    reported = [event.condition for event in session.log.events if isinstance(event, ConditionTooSlow)]
    assert reported == [f"{slow}c", f"{slow}d"]


async def test_problems_of_a_changed_rule_are_reported(session: Changing) -> None:
    session.write("broken", "---\ncondition: '('\n---\nNo.\n")
    await session.run.turn(FINE)
    (reloaded,) = [event for event in session.run.notifications if isinstance(event, RulesReloaded)]
    assert any("broken" in problem for problem in reloaded.problems)
    assert session.run.session.problems == reloaded.problems


async def test_unreadable_rules_leave_the_previous_ones_in_force(tmp_path: Path) -> None:
    rule = tmp_path / "no-old.md"
    rule.write_text(NO_OLD)
    session = await changing(tmp_path, rules=[rule])
    rule.unlink()
    await session.run.turn(OLD, FINE)
    assert session.fired == ["no-old"]
    assert [event for event in session.run.notifications if isinstance(event, RuleReloadFailed)]
    rule.write_text(NO_NEW)
    await session.run.turn(FINE)
    assert [event.rules for event in session.run.notifications if isinstance(event, RulesReloaded)] == [("no-old",)]
    await session.run.session.close()


async def test_changed_settings_of_a_project_apply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PI_CODING_AGENT_DIR", raising=False)
    (tmp_path / ".omp/rules").mkdir(parents=True)
    (tmp_path / ".omp/rules/no-old.md").write_text(NO_OLD)
    session = await changing(tmp_path, rules=(), project=tmp_path)
    await session.run.turn(OLD, FINE)
    (tmp_path / ".omp/config.yml").write_text("ttsr:\n  repeatMode: after-gap\n  repeatGap: 1\n")
    await session.run.turn(OLD, FINE)
    assert session.fired == ["no-old", "no-old"]
    await session.run.session.close()


async def test_rules_may_be_a_reloading_rules_object(tmp_path: Path) -> None:
    clock: Callable[[], float] = iter(range(10**6)).__next__
    rules = ReloadingRules(tmp_path, tmp_path / "home", {}, clock(), 0.0, (tmp_path,))
    settings = Settings(repeat_mode=RepeatMode.ONCE)
    session = await changing(tmp_path, rules=rules, settings=settings)
    assert session.run.session.rule_names == ()
    session.write("no-old", NO_OLD)
    await session.run.turn(OLD, FINE)
    assert session.fired == ["no-old"]
    await session.run.session.close()


@pytest.mark.parametrize("is_reading", [False, True], ids=["before", "while"])
async def test_rules_that_are_loaded_after_closing_are_not_recorded(
    session: Changing, monkeypatch: pytest.MonkeyPatch, *, is_reading: bool
) -> None:
    loop = asyncio.get_running_loop()
    reload = SessionRules.reload

    def close_and_reload(rules: SessionRules, now: float) -> None:
        asyncio.run_coroutine_threadsafe(session.run.session.close(), loop).result()
        reload(rules, now)

    async with session.run.session.turn("go") as turn:
        request = await anext(turn)
        async for _ in request.watch(stream_of(Api.ANTHROPIC, FINE)):
            pass
        session.write("no-new", NO_NEW)
        if is_reading:
            monkeypatch.setattr(SessionRules, "reload", close_and_reload)
        else:
            await session.run.session.close()
        on_record = len(session.log.events)
        with pytest.raises(StopAsyncIteration):
            await anext(turn)
        assert [type(event) for event in session.log.events[on_record:]] == [TurnEnded] * is_reading
        assert not [event for event in session.run.notifications if isinstance(event, RulesReloaded)]
