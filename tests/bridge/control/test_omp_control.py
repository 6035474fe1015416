"""The controller with oh-my-pi: how it interrupts, and how long a run with subagents lasts."""

from __future__ import annotations

from typing import Any

from tests.bridge.control.played_agent import (
    AGENT_END,
    ANSWER,
    PlayedAgent,
    answered,
    omp,
    response,
    text_delta,
    user,
)
from ttsr_ls.bridge.control.views import AgentLimit
from ttsr_ls.rules.settings.settings import ContextMode


def test_oh_my_pi_keeps_with_one_message_and_discards_with_a_branch() -> None:
    def interrupted(context: ContextMode) -> tuple[PlayedAgent, list[dict[str, Any]]]:
        agent = omp(context)
        agent.start()
        agent.says({"type": "ready"})
        for _ in ("get_state", "set_subagent_subscription"):
            agent.says(response(agent.taken()[0]))
        agent.says(response(agent.taken()[0]), user("Write a.py"), ANSWER, text_delta("deprecated_module "))
        return agent, agent.taken()

    _, sent = interrupted(ContextMode.KEEP)
    assert [item["type"] for item in sent] == ["abort_and_prompt"]
    agent, (abort,) = interrupted(ContextMode.DISCARD)
    agent.says(answered("aborted"), AGENT_END, response(abort))
    (asked,) = agent.taken()
    agent.says(response(asked, messages=[{"entryId": "e1", "text": "Write a.py"}]))
    (branch,) = agent.taken()
    assert (branch["type"], branch["entryId"]) == ("branch", "e1")
    agent.says(response(branch))
    (prompt,) = agent.taken()
    # The branch removed the prompt, too.
    assert prompt["message"].startswith("Write a.py\n\n<system-interrupt")


def test_a_run_of_oh_my_pi_lasts_until_it_answered_the_results_of_its_subagents() -> None:
    def lifecycle(status: str) -> dict[str, Any]:
        return {"type": "subagent_lifecycle", "payload": {"id": "One", "agent": "task", "status": status}}

    result = {"type": "message_start", "message": {"role": "custom", "customType": "async-result", "content": "Done."}}
    agent = omp(ContextMode.DISCARD)
    agent.start()
    agent.says({"type": "ready"})
    for _ in ("get_state", "set_subagent_subscription", "prompt"):
        agent.says(response(agent.taken()[0]))
    agent.says({"type": "agent_start"}, user("Write a.py"), ANSWER, answered(), AGENT_END)
    assert agent.controller.is_over
    agent.says(lifecycle("started"))  # It may start after the end of the answer that asked for it.
    assert not agent.controller.is_over
    agent.says(lifecycle("completed"), {"type": "agent_start"}, result)
    assert not agent.controller.is_over
    agent.says(ANSWER)
    assert not agent.controller.is_over
    agent.says(answered(), AGENT_END)
    assert agent.controller.is_over


def test_an_oh_my_pi_that_does_not_report_subagents_runs_with_a_limit() -> None:
    agent = omp(ContextMode.DISCARD)
    agent.start()
    agent.says({"type": "ready"})
    agent.says(response(agent.taken()[0]))
    (asked,) = agent.taken()
    refused = f"Unknown command: {asked['type']}"
    agent.says({"type": "response", "command": asked["type"], "success": False, "error": refused})
    assert agent.controller.failure is None
    assert [item["type"] for item in agent.taken()] == ["prompt"]
    (limit,) = agent.seen(AgentLimit)
    assert isinstance(limit, AgentLimit)
    assert "subagents" in limit.message
