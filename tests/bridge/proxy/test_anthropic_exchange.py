"""Exchanges of the Messages API: the client's answer and the model's requests, with and without triggers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.bridge.event_summaries import summarize
from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, check_request, sse, text, thinking, write
from tests.bridge.proxy.proxied import NO_DONE, NO_OLD, Proxied, by_bytes, run
from ttsr_ls.bridge.proxy.proxy_notices import AnswerRetried
from ttsr_ls.rules.settings.settings import ContextMode, Settings
from ttsr_ls.session.history.turn_events import AgentSessionIdentified

OLD, NEW = write("import deprecated_module\n"), write("import new_module\n")


def sent(proxied: Proxied, number: int) -> dict[str, Any]:
    return json.loads(proxied.sent[number])


@pytest.mark.parametrize("size", [1, 3, 50, 100_000])
def test_an_answer_without_triggers_is_forwarded_byte_for_byte(size: int) -> None:
    proxied = Proxied({"no_old": NO_OLD, "no_done": NO_DONE})
    model = AnthropicModel([[thinking("Let me see."), text("I write the file now. " * 40), NEW]])
    upstream: list[bytes] = []

    def answer(body: bytes) -> bytes:
        upstream.append(sse(model.answer(json.loads(body))))
        return upstream[-1]

    client = AnthropicClient()
    assert proxied.ask(client.request(), answer, lambda data: by_bytes(data, size)) == upstream[0]
    assert proxied.sent == [client.request()]


def test_a_call_that_breaks_a_rule_never_reaches_the_client_and_the_model_answers_again() -> None:
    proxied = Proxied({"no_old": NO_OLD})
    client = run(proxied, [[thinking("Old is fine."), OLD], [thinking("New."), NEW], [text("Written.")]])
    assert client.files == {"/home/dev/shop/a.py": "import new_module\n"}
    assert "deprecated_module" not in json.dumps(client.messages)
    (notice,) = proxied.notices
    assert isinstance(notice, AnswerRetried)
    assert (notice.rules, notice.attempt) == (("no-old",), 2)
    retried = sent(proxied, 1)["messages"][-1]["content"]
    assert retried[0]["text"] == "Write a.py"
    assert "Use new_module." in retried[1]["text"]
    # The request after it has the reminder at the same place, and nothing else differs from what the client sent.
    assert sent(proxied, 2)["messages"][:1] == [{"role": "user", "content": [
        {"type": "text", "text": "Write a.py"}, retried[1]]}]  # fmt: skip


def test_the_interrupt_and_the_injection_are_recorded_before_the_retry() -> None:
    proxied = Proxied({"no_old": NO_OLD})
    run(proxied, [[OLD], [NEW], [text("Written.")]])
    events = [event for event in proxied.log.events if not isinstance(event, AgentSessionIdentified)]
    kinds = [summarize(event) for event in events]
    assert kinds[:2] == ["rules no-old", "t1 started UserInput"]
    assert kinds[2] == "t1.0 no-old on write 7-24 at 24 'deprecated_module' in /home/dev/shop/a.py:0"
    assert [type(event).__name__ for event in events][3:9] == [
        "OutputInterrupted",
        "StepAppended",
        "StepAppended",
        "InjectionCommitted",
        "RetryStarted",
        "FeatureRecorded",
    ]


def test_discarded_text_is_removed_from_later_requests() -> None:
    proxied = Proxied({"no_done": NO_DONE})
    long = "I looked at every file of the project. " * 3
    client = run(proxied, [[text(f"{long}It is all done.")], [text("I ran the tests.")], [text("Bye.")]][:2])
    shown = [block["text"] for block in client.messages[-1]["content"]]
    assert shown[0] == long[: len(shown[0])]
    assert shown[0]
    assert shown[1] == "I ran the tests."
    client.say("And now?")
    model = AnthropicModel([[text("Nothing.")]])
    message = read_message(proxied.ask(client.request(), lambda body: sse(model.answer(json.loads(body)))))
    assert message["content"] == [text("Nothing.")]
    assistants = [request for request in model.requests[0]["messages"] if request["role"] == "assistant"]
    assert [assistant["content"] for assistant in assistants] == [[text("I ran the tests.")]]
    assert "Say what you ran." in json.dumps(model.requests[0]["messages"][0])


def test_context_mode_keep_sends_the_interrupted_text_to_the_model() -> None:
    proxied = Proxied({"no_done": NO_DONE}, Settings(context_mode=ContextMode.KEEP))
    client = run(proxied, [[thinking("Hm."), text("It is all done. Really.")], [text("I ran the tests.")]])
    messages = sent(proxied, 1)["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert messages[1]["content"][1]["text"].endswith("all done.")
    client.say("And now?")
    model = AnthropicModel([[text("Nothing.")]])
    proxied.ask(client.request(), lambda body: sse(model.answer(json.loads(body))))
    again = model.requests[0]["messages"]
    assert [item["role"] for item in again] == ["user", "assistant", "user", "assistant", "user"]
    assert again[1:3] == messages[1:3]


def test_a_rule_that_fires_after_a_released_call_ends_the_answer() -> None:
    proxied = Proxied({"no_old": NO_OLD})
    first = write("x = 1\n", "/home/dev/shop/b.py")
    client = run(proxied, [[first, OLD], [NEW], [text("Written.")]])
    assert client.files == {"/home/dev/shop/b.py": "x = 1\n", "/home/dev/shop/a.py": "import new_module\n"}
    last = sent(proxied, 1)["messages"][-1]["content"]
    assert [block["type"] for block in last] == ["tool_result", "text"]
    assert "Use new_module." in last[1]["text"]
    assert sent(proxied, 2)["messages"][2]["content"][1] == last[1]


def test_a_model_that_accepts_system_messages_gets_the_reminder_as_one() -> None:
    proxied = Proxied({"no_old": NO_OLD})
    client = AnthropicClient(model="claude-opus-4-8")
    run(proxied, [[OLD], [NEW], [text("Written.")]], client)
    assert [item["role"] for item in sent(proxied, 1)["messages"]] == ["user", "system"]
    assert [item["role"] for item in sent(proxied, 2)["messages"]] == ["user", "system", "assistant", "user"]


def test_a_change_to_an_older_model_turns_system_reminders_into_text() -> None:
    proxied = Proxied({"no_old": NO_OLD})
    client = AnthropicClient(model="claude-opus-4-8")
    run(proxied, [[OLD], [NEW], [text("Written.")]], client)
    client.model = "claude-sonnet-4-5"
    client.say("And now?")
    run(proxied, [[text("Nothing.")]], client)
    last = sent(proxied, 3)["messages"]
    assert [item["role"] for item in last] == ["user", "assistant", "user", "assistant", "user"]
    assert "Use new_module." in json.dumps(last[0])


def test_a_rule_that_never_interrupts_reminds_with_the_result_of_its_call() -> None:
    proxied = Proxied({"no_old": NO_OLD.replace("---\nUse", "interruptMode: never\n---\nUse")})
    client = run(proxied, [[OLD], [NEW], [text("Written.")]])
    result = sent(proxied, 1)["messages"][-1]["content"][0]
    assert "Use new_module." in result["content"][0]["text"]
    assert result["content"][1] == {"type": "text", "text": "ok"}
    assert sent(proxied, 2)["messages"][2]["content"][0]["content"] == result["content"]
    assert client.messages[2]["content"][0]["content"] == "ok"


def test_the_answer_to_a_deferred_injection_continues_the_same_message() -> None:
    proxied = Proxied({"no_done": NO_DONE.replace("scope: text", "scope: text\ninterruptMode: never")})
    client = run(proxied, [[text("It is all done.")], [text("I ran the tests.")]])
    assert [block["text"] for block in client.messages[-1]["content"]] == ["It is all done.", "I ran the tests."]
    client.say("And now?")
    model = AnthropicModel([[text("Nothing.")]])
    proxied.ask(client.request(), lambda body: sse(model.answer(json.loads(body))))
    roles = [request["role"] for request in model.requests[0]["messages"]]
    assert roles == ["user", "assistant", "user", "assistant", "user"]


def test_each_turn_is_closed_in_the_log_also_after_a_system_message() -> None:
    proxied = Proxied({"no_old": NO_OLD})
    client = AnthropicClient()
    run(proxied, [[text("One.")]], client)
    client.say("Two?")
    # Claude Code puts messages of hooks into a system message after the prompt.
    client.messages.append({"role": "system", "content": [text("A hook says this.")]})
    run(proxied, [[text("Two.")]], client)
    client.say("Three?")
    run(proxied, [[NEW], [text("Three.")]], client)
    lines = [summarize(event) for event in proxied.log.events]
    turns = [line for line in lines if " started " in line or " ended " in line]
    assert turns == [
        "t1 started UserInput",
        "t1 ended TurnCompleted",
        "t2 started UnseenTrigger",
        "t2 ended TurnCompleted",
        "t3 started UserInput",
        "t3 ended TurnCompleted",
    ]


def test_the_scripted_model_refuses_what_the_api_refuses() -> None:
    model = AnthropicModel([[thinking("Hm."), text("Yes.")]])
    body = json.loads(AnthropicClient().request())
    message = read_message(sse(model.answer(body)))
    echoed = {"role": "assistant", "content": message["content"]}
    ahead = {"role": "user", "content": "More."}
    check_request({**body, "messages": [*body["messages"], echoed, ahead]})
    with pytest.raises(AssertionError, match="signature"):
        check_request({**body, "messages": [{"role": "user", "content": "Other"}, echoed, ahead]})
    with pytest.raises(AssertionError, match="prefill"):
        check_request({**body, "messages": [*body["messages"], echoed]})
    called = {"role": "assistant", "content": [{**OLD, "id": "t1"}]}
    with pytest.raises(AssertionError, match="not paired"):
        check_request({**body, "messages": [*body["messages"], called, ahead]})
