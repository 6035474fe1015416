"""A run's triggers appear while its session log grows, and are announced only while it does."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.lsp.logged_run import RULE, TARGET, WARNED, Run, trigger
from tests.lsp.talk import PATIENCE, Starter, Talk, codes, place
from ttsr_ls.lsp.runs.announcing import MOMENT
from ttsr_ls.lsp.runs.following import follow
from ttsr_ls.session.history.turn_events import (
    CallDone,
    ConditionTooSlow,
    StepUpdated,
)
from ttsr_ls.store.log.codec import Record, encode_record
from ttsr_ls.store.log.follow import LoggedEvent


@pytest.mark.parametrize("editor", ["vscode", "neovim", "pushed"])
async def test_a_trigger_is_marked_on_the_condition_and_on_the_file(start: Starter, editor: str) -> None:
    talk = await start(editor)
    target = talk.folder / "x.ts"
    target.write_text(TARGET)
    rule, file = talk.open("a.md", RULE), talk.open(str(target), TARGET, "typescript")
    await talk.pull(rule)
    Run(talk.folder, 1_000).log(trigger(talk.rules / "a.md", target))
    on_rule = await talk.push(rule, lambda one: "triggered" in codes(one.diagnostics))
    (diagnostics,) = on_rule.diagnostics
    assert place(diagnostics.range) == (3, 4, 3, 13)
    assert "“a as any;”" in diagnostics.message
    (related,) = diagnostics.related_information
    assert (related.location.uri, place(related.location.range)) == (file, (1, 12, 1, 19))
    (on_file,) = (await talk.push(file, lambda one: bool(one.diagnostics))).diagnostics
    assert (on_file.code, place(on_file.range)) == ("triggered", (1, 12, 1, 19))


async def test_a_trigger_moves_to_its_line_once_the_tool_has_written_it(vscode: Talk) -> None:
    target = vscode.folder / "x.ts"
    target.write_text("// old\n")
    file = vscode.open(str(target), "// old\n", "typescript")
    run = Run(vscode.folder, 1_000)
    run.log(trigger(vscode.rules / "a.md", target))
    (early,) = (await vscode.push(file, lambda one: bool(one.diagnostics))).diagnostics
    assert place(early.range) == (0, 0, 0, 0)
    version = vscode.change(file, "// old\n" + TARGET)
    moved = await vscode.push(
        file, lambda one: [place(diagnostic.range) for diagnostic in one.diagnostics] == [(2, 12, 2, 19)]
    )
    assert moved.version == version


async def test_a_trigger_is_placed_in_the_text_that_the_editor_has(vscode: Talk) -> None:
    target = vscode.folder / "x.ts"
    target.write_text("// on the disk\n// and more\n" + TARGET)
    file = vscode.open(str(target), "// typed\n" + TARGET, "typescript")
    Run(vscode.folder, 1_000).log(trigger(vscode.rules / "a.md", target))
    (found,) = (await vscode.push(file, lambda one: bool(one.diagnostics))).diagnostics
    assert place(found.range) == (2, 12, 2, 19)


async def test_an_announced_text_is_used_instead_of_the_disk(vscode: Talk) -> None:
    target = vscode.folder / "x.ts"
    target.write_text(TARGET)
    file = target.as_uri()
    vscode.client.protocol.notify("ttsr/didOpen", {"uri": file})
    Run(vscode.folder, 1_000).log(trigger(vscode.rules / "a.md", target))
    await vscode.push(file, lambda one: [place(diagnostic.range) for diagnostic in one.diagnostics] == [(1, 12, 1, 19)])
    vscode.client.protocol.notify("ttsr/didOpen", {"uri": file, "text": "// typed\n" + TARGET, "version": 7})
    moved = await vscode.push(
        file, lambda one: [place(diagnostic.range) for diagnostic in one.diagnostics] == [(2, 12, 2, 19)]
    )
    assert moved.version == 7
    vscode.client.protocol.notify("ttsr/didOpen", {"uri": file})
    await vscode.push(file, lambda one: [place(diagnostic.range) for diagnostic in one.diagnostics] == [(1, 12, 1, 19)])
    vscode.client.protocol.notify("ttsr/didOpen", {"uri": file, "text": "// typed\n" + TARGET, "version": 8})
    await vscode.push(file, lambda one: [place(diagnostic.range) for diagnostic in one.diagnostics] == [(2, 12, 2, 19)])
    vscode.client.protocol.notify("ttsr/didClose", {"uri": file})
    # The mark stays on the closed file, where the disk has it.
    await vscode.push(file, lambda one: [place(diagnostic.range) for diagnostic in one.diagnostics] == [(1, 12, 1, 19)])


async def test_ttsr_did_close_does_not_close_an_opened_document(vscode: Talk) -> None:
    rule = vscode.open("a.md", WARNED)
    vscode.client.protocol.notify("ttsr/didOpen", {"uri": rule, "text": RULE, "version": 9})
    vscode.client.protocol.notify("ttsr/didClose", {"uri": rule})
    assert codes((await vscode.pull(rule)).items) == ["unknown-key"]


async def test_an_announced_file_without_a_text_is_read_from_the_disk(vscode: Talk) -> None:
    target = vscode.folder / "x.ts"
    target.write_text("// old\n")
    file = target.as_uri()
    vscode.client.protocol.notify("ttsr/didOpen", {"uri": file})
    run = Run(vscode.folder, 1_000)
    run.log(trigger(vscode.rules / "a.md", target))
    (early,) = (await vscode.push(file, lambda one: bool(one.diagnostics))).diagnostics
    assert place(early.range) == (0, 0, 0, 0)
    target.write_text("// old\n" + TARGET)
    run.log(StepUpdated("t1", 1, "c1", CallDone("written")))
    await vscode.push(file, lambda one: [place(diagnostic.range) for diagnostic in one.diagnostics] == [(2, 12, 2, 19)])


@pytest.mark.parametrize("name", ["\0/x.ts", "half\ud83d.ts", "x" * 10_000])
async def test_an_invalid_path_of_a_trigger_does_not_hide_other_triggers(name: str, vscode: Talk) -> None:
    rule = vscode.open("a.md", RULE)
    await vscode.pull(rule)
    run = Run(vscode.folder, 1_000)
    run.log(trigger(vscode.rules / "a.md", Path(name)))
    run.log(trigger(vscode.rules / "a.md", None))
    await vscode.push(rule, lambda one: any("2 times" in diagnostic.message for diagnostic in one.diagnostics))
    await vscode.run("ttsr.test", {"text": ""})
    assert len(vscode.triggered) == 2


async def test_an_event_that_cannot_be_shown_does_not_end_the_following(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(folder.parent / "state"))
    seen = asyncio.Queue[int]()

    def on_event(workspace: Path, event: LoggedEvent, live: bool) -> None:
        seen.put_nowait(event.record.sequence)
        raise ValueError("nobody can show this")

    run = Run(folder, 1_000)
    stop = follow(on_event, [str(folder)])
    try:
        async with asyncio.timeout(PATIENCE):
            assert [await seen.get(), await seen.get()] == [1, 2]
            run.log(trigger(folder / "a.md", None))
            assert await seen.get() == 3
    finally:
        stop()


async def test_findings_and_triggers_are_pushed_together(pushed: Talk) -> None:
    rule = pushed.open("a.md", WARNED)
    await pushed.push(rule, lambda one: codes(one.diagnostics) == ["unknown-key"])
    Run(pushed.folder, 1_000).log(trigger(pushed.rules / "a.md", None))
    await pushed.push(rule, lambda one: codes(one.diagnostics) == ["unknown-key", "triggered"])
    version = pushed.change(rule, RULE)
    await pushed.push(rule, lambda one: one.version == version and codes(one.diagnostics) == ["triggered"])


async def test_only_triggers_are_pushed_to_a_client_that_pulls(vscode: Talk) -> None:
    rule = vscode.open("a.md", WARNED)
    await vscode.pull(rule)
    Run(vscode.folder, 1_000).log(trigger(vscode.rules / "a.md", None))
    await vscode.push(rule, lambda one: codes(one.diagnostics) == ["triggered"])
    assert codes((await vscode.pull(rule)).items) == ["unknown-key"]


async def test_a_trigger_moves_with_its_condition(vscode: Talk) -> None:
    rule = vscode.open("a.md", RULE)
    await vscode.pull(rule)
    Run(vscode.folder, 1_000).log(trigger(vscode.rules / "a.md", None))
    await vscode.push(rule, lambda one: bool(one.diagnostics))
    version = vscode.change(rule, RULE.replace("  - never\n", ""))
    moved = await vscode.push(rule, lambda one: one.version == version)
    assert place(moved.diagnostics[0].range) == (2, 4, 2, 13)


async def test_a_trigger_is_announced_by_notification_and_message(vscode: Talk) -> None:
    rule = vscode.open("a.md", RULE)
    await vscode.pull(rule)
    Run(vscode.folder, 1_000).log(trigger(vscode.rules / "a.md", vscode.folder / "x.ts"))
    await vscode.push(rule, lambda one: bool(one.diagnostics))
    await vscode.until(lambda: bool(vscode.client.messages))
    (triggered,) = vscode.triggered
    assert (triggered.rule, triggered.ruleUri, triggered.targetUri) == ("a", rule, (vscode.folder / "x.ts").as_uri())
    (message,) = vscode.client.messages
    assert message.message.startswith("TTSR: rule 'a' fired on write of x.ts: ")


async def test_messages_can_be_switched_off(start: Starter) -> None:
    talk = await start("pushed", {"notifications": "off"})
    talk.client.set_configuration({"notifications": "off"}, section="ttsr")
    rule = talk.open("a.md", RULE)
    await talk.push(rule)
    Run(talk.folder, 1_000).log(trigger(talk.rules / "a.md", None))
    await talk.push(rule, lambda one: bool(one.diagnostics))
    await talk.until(lambda: bool(talk.triggered))
    await asyncio.sleep(2 * MOMENT)  # A message comes by then.
    assert len(talk.triggered) == 1
    assert talk.client.messages == []


async def test_earlier_triggers_are_shown_but_not_announced(start: Starter, folder: Path) -> None:
    Run(folder, 1_000).log(trigger(folder / ".omp" / "rules" / "a.md", None))
    talk = await start("vscode")
    rule = talk.open("a.md", RULE)
    await talk.push(rule, lambda one: codes(one.diagnostics) == ["triggered"])
    await asyncio.sleep(2 * MOMENT)  # A message comes by then.
    assert talk.triggered == []
    assert talk.client.messages == []


async def test_the_next_run_and_the_command_remove_triggers(vscode: Talk) -> None:
    rule = vscode.open("a.md", RULE)
    await vscode.pull(rule)
    run = Run(vscode.folder, 1_000)
    run.log(trigger(vscode.rules / "a.md", None))
    await vscode.push(rule, lambda one: bool(one.diagnostics))
    Run(vscode.folder, 2_000_000)
    await vscode.push(rule, lambda one: not one.diagnostics)
    run.log(trigger(vscode.rules / "a.md", None, interrupts=True))
    await vscode.push(rule, lambda one: bool(one.diagnostics))
    await vscode.run("ttsr.clearTriggers")
    await vscode.push(rule, lambda one: not one.diagnostics)


async def test_an_editor_plugin_can_report_its_own_run(vscode: Talk) -> None:
    rule = vscode.open("a.md", RULE)
    await vscode.pull(rule)
    import json

    line = json.loads(encode_record(Record(7, 0, trigger(vscode.rules / "a.md", None))))
    for records in ([line], "nonsense", [{"v": 1}], [5]):
        vscode.client.protocol.notify("ttsr/events", {"workspace": vscode.folder.as_uri(), "records": records})
    await vscode.push(rule, lambda one: codes(one.diagnostics) == ["triggered"])


async def test_a_slow_condition_is_marked_until_the_next_run(start: Starter) -> None:
    talk = await start("pushed")
    rule = talk.open("a.md", RULE)
    run = Run(talk.folder, 1_000)
    run.log(ConditionTooSlow("main", "a", str(talk.rules / "a.md"), "as any;", 1))
    slow = await talk.push(rule, lambda one: "too-slow-condition" in codes(one.diagnostics))
    (diagnostics,) = slow.diagnostics
    assert place(diagnostics.range) == (3, 4, 3, 13)
    assert diagnostics.message.startswith("This condition of rule 'a' took too long")
    Run(talk.folder, 2_000)
    await talk.push(rule, lambda one: codes(one.diagnostics) == [])
