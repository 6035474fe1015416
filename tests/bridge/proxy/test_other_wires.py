"""Exchanges of OpenAI's APIs and Gemini's: what the client gets, and what the model sees in this and later requests."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, Block, plain, sse, text, thinking, write
from tests.bridge.proxy.chat_model import ChatClient, ChatModel, GeminiClient, GeminiModel, data_sse, gemini_sse
from tests.bridge.proxy.openai_models import ResponsesClient, ResponsesModel
from tests.bridge.proxy.proxied import NO_DONE, NO_OLD, Proxied, by_bytes
from ttsr_ls.bridge.proxy.wires import ANTHROPIC, CHAT, GEMINI, RESPONSES, ProxyWire
from ttsr_ls.rules.settings.settings import ContextMode, Settings
from ttsr_ls.session.hooks.contract import Feature

OLD, NEW = write("import deprecated_module\n"), write("import new_module\n")
Client = ResponsesClient | ChatClient | GeminiClient
Model = ResponsesModel | ChatModel | GeminiModel
WIRES: dict[str, tuple[ProxyWire, type[Client], type[Model], Callable[[Sequence[dict[str, Any]]], bytes]]] = {
    "responses": (RESPONSES, ResponsesClient, ResponsesModel, sse),
    "chat": (CHAT, ChatClient, ChatModel, data_sse),
    "gemini": (GEMINI, GeminiClient, GeminiModel, gemini_sse),
}


class StreamClient(AnthropicClient):
    """Takes answers as they come from the wire."""

    def take(self, message: Any) -> bool:
        return super().take(read_message(message))


EVERY: dict[str, Any] = {**WIRES, "anthropic": (ANTHROPIC, StreamClient, AnthropicModel, sse)}
ALL = pytest.mark.parametrize("name", WIRES)


class Worked:
    """A client that worked until an answer called no tool, with a model that validates each request."""

    def __init__(
        self, name: str, rules: dict[str, str], answers: list[list[Block]], *features: Feature, **settings: Any
    ) -> None:
        wire, make_client, make_model, self.encode = EVERY[name]
        self.proxied = Proxied(rules, Settings(**settings), wire=wire, features=features)
        self.client, self.model = make_client(), make_model(answers)
        self.go_on()

    def go_on(self, prompt: str | None = None, answers: Sequence[list[Block]] = ()) -> None:
        if prompt is not None:
            self.client.say(prompt)
            self.model.answers = [*self.model.answers, *answers]
        while self.client.take(self.proxied.ask(self.client.request(), self._answer, by_bytes)):
            pass
        assert len(self.model.requests) == len(self.model.answers)

    def _answer(self, body: bytes) -> bytes:
        return self.encode(self.model.answer(json.loads(body)))

    def seen(self, number: int) -> str:
        """All that the model saw in a request."""
        request = self.model.requests[number]
        return json.dumps(plain(request.get("input") or request.get("messages") or request.get("contents")))


@ALL
@pytest.mark.parametrize("size", [1, 40, 100_000])
def test_an_answer_without_triggers_is_forwarded_byte_for_byte(name: str, size: int) -> None:
    wire, make_client, make_model, encode = WIRES[name]
    proxied = Proxied({"no_old": NO_OLD, "no_done": NO_DONE}, wire=wire)
    client = make_client()
    blocks = [thinking("Let me see."), text("I write it. " * 60), NEW]
    answer = encode(make_model([blocks]).answer(json.loads(client.request())))
    assert proxied.ask(client.request(), lambda _: answer, lambda data: by_bytes(data, size)) == answer
    assert proxied.sent == [client.request()]


@ALL
def test_a_call_that_breaks_a_rule_never_reaches_the_client(name: str) -> None:
    worked = Worked(name, {"no_old": NO_OLD}, [[thinking("Old."), OLD], [thinking("New."), NEW], [text("Written.")]])
    assert worked.client.files == {"/home/dev/shop/a.py": "import new_module\n"}
    assert "deprecated_module" not in worked.client.request().decode()
    assert [worked.seen(number).count("Use new_module.") for number in range(3)] == [0, 1, 1]
    # What the model saw of the conversation is the beginning of what it sees next.
    assert worked.seen(2).startswith(worked.seen(1)[:-1])


@ALL
def test_discarded_text_is_removed_from_later_requests(name: str) -> None:
    long = "I looked at every file of the project. " * 3
    worked = Worked(name, {"no_done": NO_DONE}, [[text(f"{long}It is all done.")], [text("I ran the tests.")]])
    shown = worked.client.request().decode()
    assert "I looked at" in shown
    assert "all done" not in shown
    worked.go_on("And now?", [[text("Nothing.")]])
    assert "I looked at" not in worked.seen(2)
    assert "I ran the tests." in worked.seen(2)
    assert worked.seen(2).count("Say what you ran.") == 1
    assert worked.seen(2).startswith(worked.seen(1)[:-1])


@ALL
def test_discarded_text_is_removed_from_an_answer_that_keeps_its_call(name: str) -> None:
    answers = [[text("First I look at the modules that are there."), OLD], [text("Sure."), NEW], [text("Written.")]]
    worked = Worked(name, {"no_old": NO_OLD}, answers)
    assert worked.client.files == {"/home/dev/shop/a.py": "import new_module\n"}
    assert "First I look" not in worked.seen(2)
    assert "Sure." in worked.seen(2)
    assert worked.seen(2).count("Use new_module.") == 1


@ALL
def test_a_reminder_in_a_result_stays_in_later_requests(name: str) -> None:
    rule = NO_OLD.replace("---\nUse", "interruptMode: never\n---\nUse")
    worked = Worked(name, {"no_old": rule}, [[OLD], [NEW], [text("Written.")]])
    assert [worked.seen(number).count("Use new_module.") for number in range(3)] == [0, 1, 1]
    assert worked.seen(2).startswith(worked.seen(1)[:-1])


@ALL
def test_a_rule_that_does_not_interrupt_prose_is_injected_after_the_answer(name: str) -> None:
    rule = NO_DONE.replace("scope: text", "scope: text\ninterruptMode: never")
    continues = name == "responses"
    answers = [[text("It is all done.")], [text("I ran the tests.")]]
    worked = Worked(name, {"no_done": rule}, answers[: 1 + continues])
    worked.go_on("And now?", [[text("Nothing.")]])
    assert worked.seen(len(worked.model.answers) - 1).count("Say what you ran.") == 1
    assert "all done" in worked.seen(len(worked.model.answers) - 1)


def test_responses_keep_the_interrupted_text_for_the_model() -> None:
    answers = [[thinking("Hm."), text("It is all done. Really.")], [text("I ran the tests.")]]
    worked = Worked("responses", {"no_done": NO_DONE}, answers, context_mode=ContextMode.KEEP)
    assert "all done" in worked.seen(1)
    worked.go_on("And now?", [[text("Nothing.")]])
    assert worked.seen(2).startswith(worked.seen(1)[:-1])


def test_responses_end_after_a_call_that_the_client_has() -> None:
    first = write("x = 1\n", "/home/dev/shop/b.py")
    worked = Worked("responses", {"no_old": NO_OLD}, [[first, OLD], [NEW], [text("Written.")]])
    assert worked.client.files == {"/home/dev/shop/b.py": "x = 1\n", "/home/dev/shop/a.py": "import new_module\n"}
    assert [worked.seen(number).count("Use new_module.") for number in range(3)] == [0, 1, 1]
