"""The particulars of OpenAI's two wires, and of other servers that implement Chat Completions."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from tests.bridge.wire.decoded import Decoded, decode
from tests.bridge.wire.provider_answers import answer, arguments, chunk
from ttsr_ls.rules.stream import BlockEnd, Snapshot
from ttsr_ls.session.history.turn_output import SealedReasoning, ServerTool, Text, Thinking, ToolCall
from ttsr_ls.session.output.js_json import json_stringify
from ttsr_ls.session.output.wire_events import Api

Event = dict[str, Any]


def chat(*events: Event) -> Decoded:
    return decode(Api.OPENAI_CHAT, events)


def responses(*events: Event) -> Decoded:
    return decode(Api.OPENAI_RESPONSES, events)


def call(index: int, identity: str | None, name: str | None, given: str) -> Event:
    function = {"arguments": given} if name is None else {"name": name, "arguments": given}
    return {"index": index, "function": function} | ({} if identity is None else {"id": identity})


def test_interleaved_deltas_of_calls_are_separated() -> None:
    decoded = chat(
        chunk({"tool_calls": [call(0, "a", "bash", ""), call(1, "b", "bash", "")]}),
        chunk({"tool_calls": [call(1, None, None, '{"x":'), call(0, None, None, '{"y":')]}),
        chunk({"tool_calls": [call(0, None, None, "1}"), call(1, None, None, "2}")]}),
        chunk({}, "tool_calls"),
    )
    assert decoded.outputs == [ToolCall("a", "bash", '{"y":1}'), ToolCall("b", "bash", '{"x":2}')]


def test_calls_with_the_same_index_are_distinguished_by_their_ids() -> None:
    decoded = chat(
        chunk({"tool_calls": [call(0, "a", "bash", '{"x":1}')]}),
        chunk({"tool_calls": [call(0, "b", "bash", '{"x":2}')]}),
        chunk({}, "tool_calls"),
    )
    assert decoded.outputs == [ToolCall("a", "bash", '{"x":1}'), ToolCall("b", "bash", '{"x":2}')]


def test_a_call_without_an_id_gets_one() -> None:
    decoded = chat(chunk({"tool_calls": [call(0, None, "bash", "{}")]}), chunk({}, "tool_calls"))
    assert decoded.outputs == [ToolCall("call_0", "bash", "{}")]


def test_the_older_form_of_a_call_is_read() -> None:
    decoded = chat(
        chunk({"function_call": {"name": "bash", "arguments": '{"x"'}}),
        chunk({"function_call": {"arguments": ":1}"}}),
        chunk({}, "function_call"),
    )
    assert decoded.outputs == [ToolCall("call_0", "bash", '{"x":1}')]


@pytest.mark.parametrize(
    ("reason", "complete"), [("length", False), ("tool_calls", True)]
)  # fmt: skip
def test_a_chat_call_truncated_by_the_length_limit_is_incomplete(reason: str, complete: bool) -> None:
    decoded = chat(chunk({"tool_calls": [call(0, "a", "bash", '{"x":')]}), chunk({}, reason))
    assert (decoded.outputs if complete else decoded.truncated) == [ToolCall("a", "bash", '{"x":')]
    assert (decoded.truncated if complete else decoded.outputs) == []


@pytest.mark.parametrize("key", ["reasoning", "reasoning_content"])
def test_reasoning_has_several_names(key: str) -> None:
    decoded = chat(chunk({key: "Hm."}), chunk({"content": "So."}), chunk({}, "stop"))
    assert decoded.outputs == [Thinking("Hm."), Text("So.")]


def test_content_may_be_a_list_of_parts() -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
    decoded = chat(chunk({"content": [thinking, {"type": "text", "text": "So."}]}), chunk({}, "stop"))
    assert decoded.outputs == [Thinking("Hm."), Text("So.")]


def test_a_refusal_is_text() -> None:
    assert chat(chunk({"refusal": "I cannot."}), chunk({}, "stop")).outputs == [Text("I cannot.")]


def test_only_the_first_choice_is_read() -> None:
    second = chunk({"content": "Other."})
    second["choices"][0]["index"] = 1
    assert chat(second, chunk({"content": "So."}), chunk({}, "stop")).outputs == [Text("So.")]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        ({"message": "No such model", "code": 404}, "The provider reported an error: No such model"),
        ("busy", "The provider reported an error: busy"),
        ({}, "The provider reported an error: it has no description"),
    ],
)
def test_an_error_in_a_chat_stream_ends_it(error: object, message: str) -> None:
    decoded = chat(chunk({"content": "Half"}), {"error": error}, chunk({"content": " more"}))
    assert decoded.failure == message
    assert decoded.truncated == [Text("Half")]


def item(index: int, content: Event) -> list[Event]:
    place = {"output_index": index}
    return [{"type": f"response.output_item.{word}", "item": content, **place} for word in ("added", "done")]


COMPLETED: Event = {"type": "response.completed", "response": {"output": []}}


def test_sealed_reasoning_is_kept_unchanged() -> None:
    summary = [{"type": "summary_text", "text": "Hm."}]
    sealed = {"type": "reasoning", "id": "rs_1", "summary": summary, "encrypted_content": "gAAAA+/=="}
    decoded = responses(*item(0, sealed), COMPLETED)
    assert decoded.outputs == [SealedReasoning("rs_1", ("Hm.",), "gAAAA+/==")]
    assert decoded.texts == {("thinking", ""): "Hm."}


def test_items_without_deltas_are_read_when_they_are_done() -> None:
    message = {"type": "message", "id": "m_1", "content": [{"type": "output_text", "text": "So."}]}
    bash = {"type": "function_call", "id": "f_1", "call_id": "c_1", "name": "bash", "arguments": '{"x": 1}'}
    decoded = responses(item(0, message)[1], item(1, bash)[1], COMPLETED)
    assert decoded.outputs == [Text("So."), ToolCall("c_1", "bash", '{"x": 1}')]
    assert decoded.texts == {("text", ""): "So.", ("tool", "toolcall:c_1"): '{"x":1}'}


def test_a_custom_tool_call_is_recorded_with_its_text_as_input() -> None:
    patch = {"type": "custom_tool_call", "id": "f_1", "call_id": "c_1", "name": "grammar", "input": ""}
    added, done = item(0, patch)
    deltas = [
        {"type": "response.custom_tool_call_input.delta", "output_index": 0, "delta": piece} for piece in ("+ a\n", "+")
    ]
    decoded = responses(added, *deltas, done, COMPLETED)
    assert decoded.outputs == [ToolCall("c_1", "grammar", '{"input":"+ a\\n+"}')]
    assert decoded.texts == {("tool", "toolcall:c_1"): "+ a\n+"}


PATCH = """\
*** Begin Patch
*** Add File: src/new.py
+import "old"
+x = 1
*** Update File: a.py
*** Move to: b.py
@@
-gone
+left \\ 😀
*** Delete File: c.py
*** End Patch
"""
PATCHED = {
    ("tool", "toolcall:c_1"): ("write", "src/new.py", 'import "old"\nx = 1'),
    ("tool", "toolcall:c_1#1"): ("edit", "a.py", '{"path":"a.py"}'),
    ("tool", "toolcall:c_1#2"): ("edit", "b.py", "left \\ 😀"),
    ("tool", "toolcall:c_1#3"): ("edit", "c.py", '{"path":"c.py"}'),
}


def files_of(decoded: Decoded) -> dict[tuple[str, str], tuple[str, str, str]]:
    """The matched write to each file: the tool, the path, and the final text."""
    contexts = {("tool", delta.event.context.key or ""): delta.event.context for delta in decoded.streamed}
    return {key: (contexts[key].tool or "", contexts[key].paths[0], text) for key, text in decoded.texts.items()}


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_plain_text_patch_is_matched_as_a_write_to_each_file_while_it_streams(size: int) -> None:
    call = {"type": "custom_tool_call", "id": "f_1", "call_id": "c_1", "name": "apply_patch", "input": ""}
    added, done = item(0, call)
    pieces = [PATCH[start : start + size] for start in range(0, len(PATCH), size)]
    deltas: list[Event] = [
        {"type": "response.custom_tool_call_input.delta", "output_index": 0, "delta": piece} for piece in pieces
    ]
    decoded = responses(added, *deltas, done, COMPLETED)
    assert decoded.outputs == [ToolCall("c_1", "apply_patch", json_stringify({"input": PATCH}))]
    assert files_of(decoded) == PATCHED
    assert {delta.call for delta in decoded.streamed} == {"c_1"}
    # A line counts as soon as it is complete.
    early = responses(added, {**deltas[0], "delta": PATCH[: PATCH.index("x = 1")]})
    assert early.streamed[-1].event == Snapshot(early.streamed[-1].event.context, 'import "old"')
    # Without deltas, the call is read when it is done.
    assert files_of(responses({**done, "item": {**call, "input": PATCH}}, COMPLETED)) == PATCHED


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_json_patch_is_matched_as_a_write_to_each_file(size: int) -> None:
    given = json_stringify({"patchText": PATCH})
    pieces = [given[start : start + size] for start in range(0, len(given), size)]
    first, *others = (
        chunk({"tool_calls": [call(0, "c_1" if not n else None, "apply_patch" if not n else None, piece)]})
        for n, piece in enumerate(pieces)
    )
    decoded = chat(first, *others, chunk({}, "tool_calls"))
    assert decoded.outputs == [ToolCall("c_1", "apply_patch", given)]
    assert files_of(decoded) == PATCHED


def test_a_call_of_a_patch_tool_without_a_patch_is_matched_by_its_text() -> None:
    plain = {"type": "custom_tool_call", "id": "f_1", "call_id": "c_1", "name": "apply_patch", "input": "none"}
    assert responses(item(0, plain)[1], COMPLETED).texts == {("tool", "toolcall:c_1"): "none"}
    called = {"type": "function_call", "id": "f_1", "call_id": "c_1", "name": "apply_patch", "arguments": '{"x": 1}'}
    assert responses(item(0, called)[1], COMPLETED).texts == {("tool", "toolcall:c_1"): '{"x":1}'}


def test_a_shell_patch_is_matched_as_a_write_to_each_file() -> None:
    command = f"cd lib && apply_patch <<'EOF'\n{PATCH}EOF\n"
    given = json_stringify({"cmd": command})
    shell = {"type": "function_call", "id": "f_1", "call_id": "c_1", "name": "exec_command", "arguments": given}
    decoded = responses(item(0, shell)[1], COMPLETED)
    assert decoded.texts.pop(("tool", "toolcall:c_1")) == given
    (tool, path, text), *_ = [
        (delta.event.context.tool, delta.event.context.paths[0], delta.event.text)
        for delta in decoded.streamed
        if isinstance(delta.event, Snapshot) and delta.event.context.key == "toolcall:c_1#1"
    ]
    assert (tool, path, text) == ("write", "lib/src/new.py", 'import "old"\nx = 1')
    assert [delta.event.context.key for delta in decoded.streamed if isinstance(delta.event, BlockEnd)] == [
        "toolcall:c_1",
        "toolcall:c_1#1",
        "toolcall:c_1#2",
        "toolcall:c_1#3",
        "toolcall:c_1#4",
    ]


def test_a_server_tool_item_is_one_output() -> None:
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"query": "ttsr"}}
    decoded = responses(*item(0, search), COMPLETED)
    result = '{"type":"web_search_call","id":"ws_1","status":"completed","action":{"query":"ttsr"}}'
    assert decoded.outputs == [ServerTool("ws_1", "web_search", '{"query":"ttsr"}', "web_search_call", result)]


CUSTOM = ("custom_tool_call", "custom_tool_call_input", '{"input":"{\\"x"}')


@pytest.mark.parametrize(("kind", "delta", "text"), [("function_call", "function_call_arguments", '{"x'), CUSTOM])
def test_an_incomplete_response_gives_its_reason(kind: str, delta: str, text: str) -> None:
    bash = {"type": kind, "id": "f_1", "call_id": "c_1", "name": "bash", "status": ""}
    added, done = item(0, bash)
    part = {"type": f"response.{delta}.delta", "output_index": 0, "delta": '{"x'}
    ending = {"type": "response.incomplete", "response": {"incomplete_details": {"reason": "max_output_tokens"}}}
    left_open = responses(added, part, ending)
    decoded = responses(added, part, done | {"item": bash | {"status": "incomplete"}}, ending)
    assert left_open.reason == decoded.reason == "max_output_tokens"
    assert left_open.truncated == decoded.truncated == [ToolCall("c_1", "bash", text)]
    assert left_open.outputs == decoded.outputs == []


@pytest.mark.parametrize(
    "ending",
    [
        {"type": "response.failed", "response": {"error": {"code": "server_error", "message": "Sorry"}}},
        {"type": "error", "code": "server_error", "message": "Sorry"},
        {"type": "error", "error": {"type": "server_error", "message": "Sorry"}},
    ],
)
def test_a_failed_response_gives_its_reason(ending: Event) -> None:
    assert responses(ending).failure == "The provider reported server_error: Sorry"


def test_the_objects_of_the_chat_sdk_are_read_like_plain_values() -> None:
    plain = answer(Api.OPENAI_CHAT, [Thinking("Hm."), Text("So."), ToolCall("c_1", "write", arguments(path="a"))])[:-1]
    from openai.types.chat import ChatCompletionChunk  # It takes a second, in each worker that collects this module.

    objects = [ChatCompletionChunk.model_validate(event) for event in plain]
    assert decode(Api.OPENAI_CHAT, objects) == chat(*plain)
    assert len(decode(Api.OPENAI_CHAT, objects).outputs) == 3


def test_the_objects_of_the_responses_sdk_are_read_like_plain_values() -> None:
    plain = answer(Api.OPENAI_RESPONSES, [Text("So."), ToolCall("c_1", "write", arguments(path="a"))])
    from openai.types.responses import ResponseStreamEvent

    adapter: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
    objects = [adapter.validate_python(full(event, number)) for number, event in enumerate(plain)]
    assert decode(Api.OPENAI_RESPONSES, objects) == responses(*plain)
    assert len(decode(Api.OPENAI_RESPONSES, objects).outputs) == 2


def full(event: Event, number: int) -> Event:
    """An event with the fields that the SDK's types require."""
    event = event | {"sequence_number": number}
    if "response" in event:
        needed = {"object": "response", "created_at": 1, "tools": [], "tool_choice": "auto"}
        event["response"] = event["response"] | needed | {"parallel_tool_calls": True, "output": []}
    if "item" in event:
        event["item"] = {"status": "completed", "role": "assistant", "arguments": ""} | event["item"]
    if event["type"].startswith("response.output_text"):
        event |= {"content_index": 0, "logprobs": []}
    if event["type"] == "response.function_call_arguments.done":
        event["name"] = "write"
    return event
