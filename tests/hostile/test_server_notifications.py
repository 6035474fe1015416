"""What a session log or a plugin tells the language server is taken over in bounded time."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from tests.hostile.hostile_cases import RULE, triggered
from tests.processor_time import processor_time_below
from ttsr_ls.lsp.features import create_server
from ttsr_ls.lsp.methods.hosting import events
from ttsr_ls.lsp.methods.hosting.events import MAX_RECORDS
from ttsr_ls.lsp.runs import trigger_view

SECONDS = 1.0
"""Of processor time; each took four times that."""


class _Discarding:
    def write(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        pass


def test_paths_of_very_many_folders_are_placed_in_bounded_time() -> None:
    with processor_time_below(SECONDS):
        for number in range(1_000):
            live = trigger_view.live_trigger(triggered("a+b", "a/" * 1_500 + f"{number}"), "/shop", "", 1)
            assert live.target_path == "/shop/" + "a/" * 1_500 + f"{number}"
            assert live.rule_path == f"/shop/{RULE}"


@pytest.mark.parametrize("record", ["", {"v": 1}, "nothing"])
async def test_records_that_are_none_are_passed_over_in_bounded_time(
    record: Any, caplog: pytest.LogCaptureFixture
) -> None:
    server = create_server()
    server.protocol.set_writer(_Discarding())
    with processor_time_below(SECONDS), caplog.at_level(logging.WARNING):
        events.handle(server, {"workspace": "file:///shop", "records": [record] * 500_000})
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})
    assert f"only the last {MAX_RECORDS}" in caplog.text
    assert len(caplog.records) < 200
