"""Long work shows its progress where the client can show it, and ends where the person cancels it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.talk import PATIENCE, Starter, Talk

MANY = 60
RULE = "---\ncondition: 'as any'\n---\nNo.\n"


def write_rules(talk: Talk, count: int, *, with_tests: bool = False) -> None:
    for number in range(count):
        (talk.rules / f"r{number}.md").write_text(RULE)
        if with_tests:
            (talk.rules / f"r{number}.test.yml").write_text("invalid:\n  - as any\n")


async def reports_of_a_first_pass(talk: Talk) -> dict[Any, list[Any]]:
    """The progress that was reported to the client until it had all findings."""
    params = types.WorkspaceDiagnosticParams([], identifier="ttsr")
    async with asyncio.timeout(PATIENCE):
        await talk.client.workspace_diagnostic_async(params)
    await talk.run("ttsr.test", {"text": ""})
    return dict(talk.client.progress_reports)


async def test_first_analysis_of_a_workspace_shows_its_progress(vscode: Talk) -> None:
    write_rules(vscode, MANY)
    ((first, *between, last),) = (await reports_of_a_first_pass(vscode)).values()
    assert (first.title, first.cancellable) == ("Checking rules", False)
    assert isinstance(last, types.WorkDoneProgressEnd)
    percentages = [report.percentage for report in between]
    assert percentages == sorted(set(percentages))
    assert all(report.message.endswith(f" of {MANY}") for report in between)
    vscode.client.progress_reports.clear()
    assert await reports_of_a_first_pass(vscode) == {}, "what is known already takes no time"


@pytest.mark.parametrize(("editor", "count"), [("vscode", 3), ("unhurried", MANY)])
async def test_no_progress_is_shown_for_short_work_or_to_other_clients(start: Starter, editor: str, count: int) -> None:
    talk = await start(editor)
    write_rules(talk, count)
    assert await reports_of_a_first_pass(talk) == {}


async def test_run_of_all_tests_shows_its_progress_and_can_be_cancelled(vscode: Talk) -> None:
    write_rules(vscode, 150, with_tests=True)
    reports: dict[Any, list[Any]] = vscode.client.progress_reports
    for token, is_cancelled in (("whole", False), ("cut", True)):
        reports[token] = []
        params = {"run": True, "workDoneToken": token}
        asked = vscode.client.protocol.send_request_async("ttsr/ruleTests", params)
        answer = asyncio.ensure_future(asked)
        while is_cancelled and not reports[token]:
            await vscode.client.wait_for_notification(types.PROGRESS)
        if is_cancelled:
            vscode.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        tested = len((await answer).rules)
        assert (tested < 150) is is_cancelled
        assert (reports[token][0].title, reports[token][0].cancellable) == ("Running the tests of rules", True)
        assert isinstance(reports[token][-1], types.WorkDoneProgressEnd)
