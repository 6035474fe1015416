"""Where the turns of a session behind the proxy begin and end, when messages come beside the results of calls."""

from __future__ import annotations

import json

import pytest

from tests.bridge.proxy.anthropic_model import Block, sse, text, write
from tests.bridge.proxy.openai_models import ResponsesClient, ResponsesModel
from tests.bridge.proxy.proxied import NO_OLD, Proxied
from ttsr_ls.bridge.proxy.wires import RESPONSES
from ttsr_ls.session.history.turn_events import StepUpdated, TurnEnded, TurnStarted, UserInput

NOTICE = '<subagent_notification>\n{"agent_path":"a1","status":{"completed":"Finished it."}}\n</subagent_notification>'
"""As Codex 0.169.0 sends it."""


class Worked:
    """A Codex whose model gives these answers; a message is said behind the results of each answer."""

    def __init__(self, answers: list[list[Block]], said: list[str]) -> None:
        self.proxied = Proxied({"no_old": NO_OLD}, wire=RESPONSES)
        client, model = ResponsesClient("Go"), ResponsesModel(answers)
        for message in (*said, ""):
            client.take(self.proxied.ask(client.request(), lambda body: sse(model.answer(json.loads(body)))))
            if message:
                client.say(message)

    @property
    def turns(self) -> list[str]:
        """What the log has of turns and of results, in short."""
        shown = []
        for event in self.proxied.log.events:
            if isinstance(event, TurnStarted):
                assert isinstance(event.trigger, UserInput)
                shown.append(event.trigger.text)
            elif isinstance(event, TurnEnded | StepUpdated):
                shown.append(type(event.outcome if isinstance(event, TurnEnded) else event.state).__name__)
        return shown


def test_a_notice_about_a_subagent_belongs_to_the_open_turn() -> None:
    worked = Worked([[write("x = 1\n")], [text("It is over.")]], [NOTICE])
    assert worked.turns == ["Go", "CallDone", "TurnCompleted"]


def test_a_notice_about_a_subagent_begins_a_turn_where_none_is_open() -> None:
    worked = Worked([[text("I wait.")], [text("It is over.")]], [NOTICE])
    assert worked.turns == ["Go", "TurnCompleted", NOTICE, "TurnCompleted"]


@pytest.mark.parametrize("prompt", ["Use tabs.", f"What is {NOTICE}?"])
def test_a_prompt_beside_a_result_ends_the_turn_of_the_call_with_its_result(prompt: str) -> None:
    worked = Worked([[write("x = 1\n")], [text("It is over.")]], [prompt])
    assert worked.turns == ["Go", "CallDone", "TurnCancelled", prompt, "TurnCompleted"]
