"""The driver of opencode sends the prompt when the configured models are loaded."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import pytest

from ttsr_ls.bridge.control.correction import supported_mode
from ttsr_ls.bridge.control.driver import HttpCall, PlanStep
from ttsr_ls.bridge.control.drivers.opencode import OpencodeDriver
from ttsr_ls.rules.settings.settings import ContextMode


def started() -> tuple[OpencodeDriver, PlanStep, str]:
    """A driver with a session, its step that waits for models, and the key of that step's request."""
    driver = OpencodeDriver(PurePosixPath("/home/dev/a shop"), "0")
    session, models = driver.start()
    (call,) = session.make()
    assert isinstance(call, HttpCall)
    assert session.is_answered({"http": call.key, "status": 200, "body": {"data": {"id": "s"}}})
    (asked,) = models.make()
    assert isinstance(asked, HttpCall)
    assert asked.path == "/api/model?location%5Bdirectory%5D=%2Fhome%2Fdev%2Fa%20shop"
    return driver, models, asked.key


def answer(key: str, *models: dict[str, Any], status: int = 200) -> dict[str, Any]:
    return {"http": key, "status": status, "body": {"data": list(models)}}


def plugin(name: str) -> dict[str, Any]:
    return {"type": "plugin.added", "data": {"id": name}}


CATALOG = {"type": "catalog.updated", "data": {}}


def test_the_prompt_waits_for_the_configured_models() -> None:
    driver, models, key = started()
    answers = []
    for message in (answer(key), plugin("models-dev"), CATALOG, plugin("config-provider"), CATALOG):
        driver.receive(message)
        answers.append(models.is_answered(message))
    assert answers == [False, False, False, False, True]


@pytest.mark.parametrize(("listed", "status"), [([{"id": "m"}], 200), ([], 404)])
def test_a_version_without_plugin_events_gets_the_prompt_at_once(listed: list[dict[str, Any]], status: int) -> None:
    _, models, key = started()
    assert models.is_answered(answer(key, *listed, status=status))


def test_an_agent_without_a_usable_model_is_a_failure_with_the_reason() -> None:
    driver, _, _ = started()
    prompt = driver.prompt("go")
    (sent,) = prompt.make()
    assert isinstance(sent, HttpCall)
    waiting = driver.receive({"http": sent.key, "status": 200, "body": {"data": {}}})
    while waiting:
        (wait,) = waiting
        assert isinstance(wait, HttpCall)
        waiting = driver.receive({"http": wait.key, "status": 204, "body": {}})
    assert driver.idle_reason is not None
    assert "found no model that it can use" in driver.idle_reason


def test_an_answer_with_a_call_that_may_run_is_not_taken_back() -> None:
    """opencode runs a complete call while the answer goes on. Without the answer, its model would not know of it."""
    driver, _, _ = started()

    def mode() -> ContextMode:
        may_run = driver.has_permitted_call
        return supported_mode(ContextMode.DISCARD, driver.capabilities, is_fresh=False, may_run=may_run)

    step: dict[str, Any] = {"type": "session.next.step.started", "data": {"sessionID": "s"}}
    driver.receive(step)
    assert mode() is ContextMode.DISCARD
    driver.receive({"type": "session.next.tool.called", "data": {"sessionID": "s", "callID": "c"}})
    assert mode() is ContextMode.KEEP
    driver.receive(step)
    assert mode() is ContextMode.DISCARD
