"""Hooks that are cancelled before they begin."""

from __future__ import annotations

import asyncio
import gc
import warnings

import pytest

from ttsr_ls.bridge.host.hooks.pending_hooks import HooksStopped, PendingHooks, within_time_limit
from ttsr_ls.session.hooks.contract import Feature


async def test_a_hook_that_is_stopped_before_it_begins_leaves_nothing_behind() -> None:
    hooks = PendingHooks()
    called: list[str] = []

    async def on_turn_end() -> None:
        called.append("hook")

    answer = asyncio.create_task(hooks.answer(within_time_limit(Feature(), "on_turn_end", on_turn_end)))
    await asyncio.sleep(0)
    hooks.stop()
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        with pytest.raises(HooksStopped):
            await answer
        gc.collect()
    assert (called, found) == ([], [])
