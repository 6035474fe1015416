"""Subagents of Claude Code under `run`: their text is in the stream, and the run waits for those in the background."""

from __future__ import annotations

from typing import Any

from tests.bridge.control.played_agent import PlayedAgent, claude


def tasks(*kinds: str) -> dict[str, Any]:
    """Claude Code's list of what runs in the background."""
    listed = [{"task_id": f"t{number}", "task_type": kind} for number, kind in enumerate(kinds)]
    return {"type": "system", "subtype": "background_tasks_changed", "tasks": listed}


def answered_prompt() -> PlayedAgent:
    """The agent has answered the prompt, and its turn is over."""
    agent = claude()
    agent.start()
    agent.says({"type": "control_response", "response": {"subtype": "success", "request_id": "ttsr-1"}})
    agent.says({"type": "system", "subtype": "init", "session_id": "s", "cwd": "/home/dev/shop"})
    agent.says({"type": "assistant", "message": {"id": "m1", "content": [{"type": "text", "text": "Started."}]}})
    agent.says({"type": "result", "subtype": "success"})
    return agent


def test_the_text_of_subagents_is_requested() -> None:
    agent = claude()
    agent.start()
    (initialize,) = agent.taken()
    assert initialize["request"]["forwardSubagentText"] is True


def test_a_run_waits_for_subagents_in_the_background() -> None:
    agent = answered_prompt()
    assert agent.controller.is_over
    agent.says(tasks("local_bash", "local_agent"))
    assert not agent.controller.is_over
    agent.says(tasks("local_bash"))
    assert agent.controller.is_over
    # Claude Code may begin another turn, in which it reports the result to its model.
    assert agent.driver.pause_between_turns > 0


def test_a_run_does_not_wait_for_other_programs_in_the_background() -> None:
    agent = answered_prompt()
    agent.says(tasks("local_bash"))
    assert agent.controller.is_over
    assert agent.driver.pause_between_turns == 0
