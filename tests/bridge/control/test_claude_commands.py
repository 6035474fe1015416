"""The output of commands of Claude Code, such as `/cost`, which no model writes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bridge.control.played_agent import PlayedAgent, claude
from ttsr_ls.bridge.control.views import ProseShown
from ttsr_ls.rules.stream import Source

COST = "Estimated cost:        $0.0000\nTotal duration (API):  0s"
INIT = {"type": "system", "subtype": "init", "session_id": "s", "cwd": "/home/dev/shop"}
SYNTHETIC = {"type": "assistant", "message": {
    "id": "4bd9e367-7998-45c8-aee9-b025c35dd27c", "model": "<synthetic>", "role": "assistant",
    "content": [{"type": "text", "text": COST}],
}}  # fmt: skip
RESULT = {"type": "result", "subtype": "success", "is_error": False, "num_turns": 0, "result": COST}


def begun() -> PlayedAgent:
    agent = claude()
    agent.start()
    agent.says({"type": "control_response", "response": {"subtype": "success", "request_id": "ttsr-1"}})
    agent.says(INIT)
    return agent


def prose(agent: PlayedAgent) -> list[str]:
    return [view.text for view in agent.seen(ProseShown) if isinstance(view, ProseShown) and view.source is Source.TEXT]


@pytest.mark.parametrize("lines", [[RESULT], [SYNTHETIC, RESULT]], ids=["result alone", "with a message"])
def test_the_output_of_a_command_is_shown_once_and_is_no_output_of_a_model(lines: list[dict[str, Any]]) -> None:
    agent = begun()
    agent.says(*lines)
    assert prose(agent) == [COST]
    assert agent.controller.is_over
    assert agent.kinds[-2:] == ["TurnStarted", "TurnEnded"]


def test_a_result_that_repeats_the_answer_of_a_model_is_not_shown_again() -> None:
    agent = begun()
    content = [{"type": "text", "text": "Done."}]
    agent.says({"type": "assistant", "message": {"id": "m1", "role": "assistant", "model": "m", "content": content}})
    agent.says({**RESULT, "result": "Done."})
    assert prose(agent) == ["Done."]


def test_a_failed_result_is_shown_as_the_failure_of_the_turn_alone() -> None:
    agent = begun()
    agent.says({**RESULT, "is_error": True, "result": "Not logged in"})
    assert prose(agent) == []
