"""oh-my-pi under `run`: its messages of an aborted turn."""

from __future__ import annotations

from tests.bridge.control.played_agent import AGENT_END, ANSWER, answered, omp, response, text_delta, user
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.turn_events import TurnCompleted


def test_an_aborted_message_of_oh_my_pi_without_content_is_no_answer() -> None:
    """oh-my-pi 18.2 sends one where a call is aborted, before the end of the turn and the injected prompt."""
    agent = omp(ContextMode.KEEP)
    agent.start()
    agent.says({"type": "ready"})
    for _ in ("get_state", "set_subagent_subscription"):
        agent.says(response(agent.taken()[0]))
    agent.says(response(agent.taken()[0]), user("Write a.py"), ANSWER, text_delta("deprecated_module "))
    (steered,) = agent.taken()
    agent.says(answered("aborted"))
    aborted = {"role": "assistant", "content": [], "stopReason": "aborted"}
    agent.says({"type": "message_start", "message": aborted}, {"type": "message_end", "message": aborted})
    agent.says(AGENT_END, response(steered), user(steered["message"]), ANSWER, answered(), AGENT_END)
    assert [kind for kind in agent.kinds if kind.startswith("Turn")] == ["TurnStarted", "TurnEnded"]
    assert agent.controller.outcome == TurnCompleted()
