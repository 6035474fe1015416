"""Streams of events in every form that the format allows, cut anywhere.

Where nothing fires, the client gets the bytes of upstream. Where something fires, it gets a valid stream.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, Block, sse, text, thinking, write
from tests.bridge.proxy.chat_model import ChatClient, ChatModel, GeminiClient, GeminiModel, data_sse, gemini_sse
from tests.bridge.proxy.openai_models import ResponsesClient, ResponsesModel
from tests.bridge.proxy.proxied import NO_DONE, NO_OLD, Proxied
from ttsr_ls.bridge.model.sse import ServerSentEvent, SseParser
from ttsr_ls.bridge.proxy.streams.sse_frames import SseFramer
from ttsr_ls.bridge.proxy.wires import ANTHROPIC, CHAT, GEMINI, RESPONSES

RULES = {"no_old": NO_OLD, "no_done": NO_DONE}
WIRES: dict[str, tuple[Any, Any, Any]] = {
    "anthropic": (ANTHROPIC, AnthropicClient, AnthropicModel),
    "responses": (RESPONSES, ResponsesClient, ResponsesModel),
    "chat": (CHAT, ChatClient, ChatModel),
    "gemini": (GEMINI, GeminiClient, GeminiModel),
}
CLEAN: list[Block] = [thinking("Let me see."), text("I wrote é🙂 it. " * 6), write("import new_module\n")]
NOISE = (
    ": a comment",
    "event: of_later",
    "id: 7",
    "retry: 10",
    'event: new_kind\ndata: {"type":"new_kind"}',
    "x: y",
    "",
)
FUZZ = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def dressed(name: str, events: Sequence[dict[str, Any]], chance: random.Random) -> bytes:
    """The stream with line ends, comments, and unknown fields of all kinds, and data of several lines."""
    end = chance.choice(("\n", "\r\n", "\r"))
    frames = []
    for event in events:
        while chance.random() < 0.1:
            frames.append(chance.choice(NOISE).replace("\n", end))
        body = json.dumps(event, ensure_ascii=chance.random() < 0.5, indent=chance.choice((None, None, 1)))
        lines = [f"data:{chance.choice((' ', ''))}{line}" for line in body.splitlines()]
        if name in ("anthropic", "responses"):
            lines.insert(chance.choice((0, len(lines))), f"event: {event['type']}")
        if chance.random() < 0.1:
            lines.insert(0, ": in the middle")
        frames.append(end.join(lines))
    if name == "chat":
        frames.append("data: [DONE]")
    bom = "\ufeff" if chance.random() < 0.1 else ""
    return (bom + "".join(frame + 2 * end for frame in frames)).encode()


def canonical(name: str, data: bytes) -> bytes:
    """The events of a stream as its API writes them, without those that a client does not know."""
    events = [event for event in SseParser().feed(data) if isinstance(event, ServerSentEvent)]
    values = [json.loads(event.data) for event in events if event.data != "[DONE]"]
    known = [value for value in values if value.get("type") != "new_kind"]
    return {"chat": data_sse, "gemini": gemini_sse}.get(name, sse)(known)


def split(data: bytes, chance: random.Random) -> list[bytes]:
    largest = chance.choice((1, 5, 60, 4000))
    pieces, position = [], 0
    while position < len(data):
        size = chance.randint(1, largest)
        pieces.append(data[position : position + size])
        position += size
    return pieces


@pytest.mark.parametrize("name", WIRES)
@given(seed=st.integers(0, 2**32))
@FUZZ
def test_without_a_match_any_framing_is_forwarded_byte_for_byte(name: str, seed: int) -> None:
    chance = random.Random(seed)
    wire, make_client, make_model = WIRES[name]
    client = make_client()
    proxied = Proxied(RULES, wire=wire)
    blocks = CLEAN[: chance.choice((1, 2, 3))]
    data = dressed(name, make_model([blocks]).answer(json.loads(client.request())), chance)
    # An incomplete call is dropped, because clients of Chat Completions might run it.
    if chance.random() < 0.4 and (name != "chat" or len(blocks) < 3):
        data = data[: chance.randint(0, len(data))]
    if chance.random() < 0.2:
        data += b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n'
    if chance.random() < 0.1:
        data += b"data: {no json\n\n"
    assert proxied.ask(client.request(), lambda _: data, lambda data: split(data, chance)) == data


@pytest.mark.parametrize("name", WIRES)
@given(seed=st.integers(0, 2**32))
@FUZZ
def test_with_a_match_any_framing_becomes_a_valid_stream(name: str, seed: int) -> None:
    chance = random.Random(seed)
    wire, make_client, make_model = WIRES[name]
    client = make_client()
    proxied = Proxied(RULES, wire=wire)
    prose = text(
        "I looked at all of it, and it is fine. " * chance.randint(0, 4) + chance.choice(("", "all done. So."))
    )
    broken = [thinking("Hm."), *([prose] if prose["text"] else []), write("import deprecated_module\n")]
    model = make_model([broken, CLEAN[:2], CLEAN])

    def answer(body: bytes) -> bytes:
        return dressed(name, model.answer(json.loads(body)), chance)

    got = proxied.ask(client.request(), answer, lambda data: split(data, chance))
    whole = canonical(name, got)
    client.take(read_message(whole) if name == "anthropic" else whole)
    assert b"deprecated_module" not in got
    assert b"all done" not in got
    assert len(model.requests) == 2
    # The model accepts what the client sends next.
    model.answer(json.loads(proxied.exchange(client_with_prompt(client).request()).body))


def client_with_prompt(client: Any) -> Any:
    client.say("And now?")
    return client


@given(data=st.binary(max_size=200), cuts=st.lists(st.integers(0, 200), max_size=8))
def test_frames_lose_no_byte(data: bytes, cuts: list[int]) -> None:
    framer = SseFramer()
    places = [0, *sorted(cuts), len(data)]
    got = b"".join(frame.raw for start, end in pairwise(places) for frame in framer.feed(data[start:end]))
    assert got + framer.finish() == data


@given(
    lines=st.lists(st.sampled_from(["data: a", "data:b", "event: e", ": c", "", "data", "x"]), max_size=12),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    cuts=st.lists(st.integers(0, 150), max_size=6),
)
def test_frames_have_the_events_that_the_html_standard_defines(lines: list[str], end: str, cuts: list[int]) -> None:
    data = "".join(line + end for line in [*lines, "", ""]).encode()
    framer = SseFramer()
    places = [0, *sorted(cuts), len(data)]
    frames = [frame for a, b in pairwise(places) for frame in framer.feed(data[a:b])]
    found = [(frame.name, frame.data) for frame in frames if frame.data is not None]
    expected = [(event.name, event.data) for event in SseParser().feed(data) if isinstance(event, ServerSentEvent)]
    assert found == expected
