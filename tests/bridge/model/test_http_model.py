"""The HTTP client with a server on loopback: requests, returned events, and error messages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.bridge.model.loopback import byte_server, provider
from tests.bridge.wire.decoded import decode
from tests.bridge.wire.provider_answers import answer
from ttsr_ls.bridge.model.client import HttpModel
from ttsr_ls.bridge.model.endpoint import Endpoint, ModelError, Retries, Timeouts
from ttsr_ls.bridge.model.request import ModelRequest, user_message
from ttsr_ls.errors import UsageError
from ttsr_ls.session.history.turn_output import Text
from ttsr_ls.session.output.wire_events import Api

EVERY = pytest.mark.parametrize("api", list(Api))
KEY = "sk-very-secret"


def endpoint(api: Api, url: str, **others: Any) -> Endpoint:
    return Endpoint(api=api, base_url=url, model="m-1", key_variable="MODEL_KEY", **others)


async def ask(at: Endpoint, request: ModelRequest, key: str | None = KEY) -> list[dict[str, Any]]:
    model = HttpModel(at, key)
    try:
        return [event async for event in model.stream(request)]
    finally:
        await model.close()


def question(api: Api, text: str = "Hello?") -> ModelRequest:
    return ModelRequest((user_message(api, text),), system="Be kind.", tools=({"name": "bash"},))


@EVERY
async def test_events_of_the_wire_are_returned_unchanged(api: Api) -> None:
    events = answer(api, [Text("Grüße 😀")], list)
    async with provider(events) as server:
        received = await ask(endpoint(api, server.url), question(api))
    assert decode(api, received).outputs == [Text("Grüße 😀")]
    assert received == events


@EVERY
async def test_requests_have_the_url_headers_and_body_of_the_api(api: Api) -> None:
    async with provider(answer(api, [])) as server:
        await ask(endpoint(api, f"{server.url}/v1"), question(api))
    [asked] = server.asked
    if api is not Api.GEMINI:  # Gemini has the model and the streaming in the URL.
        assert asked.body["model"] == "m-1"
        assert asked.body["stream"] is True
        assert asked.body["tools"] == [{"name": "bash"}]
    user = user_message(api, "Hello?")
    match api:
        case Api.ANTHROPIC:
            assert asked.path == "/v1/messages"
            assert (asked.headers["x-api-key"], asked.headers["anthropic-version"]) == (KEY, "2023-06-01")
            assert (asked.body["system"], asked.body["messages"]) == ("Be kind.", [user])
            assert asked.body["max_tokens"] == 16_000
        case Api.OPENAI_CHAT:
            assert asked.path == "/v1/chat/completions"
            assert asked.headers["authorization"] == f"Bearer {KEY}"
            assert asked.body["messages"] == [{"role": "system", "content": "Be kind."}, user]
        case Api.OPENAI_RESPONSES:
            assert asked.path == "/v1/responses"
            assert asked.headers["authorization"] == f"Bearer {KEY}"
            assert (asked.body["instructions"], asked.body["input"]) == ("Be kind.", [user])
            assert asked.body["store"] is False
        case Api.GEMINI:
            assert asked.path == "/v1/models/m-1:streamGenerateContent"
            assert asked.headers["x-goog-api-key"] == KEY
            assert asked.body == {
                "contents": [user],
                "systemInstruction": {"parts": [{"text": "Be kind."}]},
                "tools": [{"functionDeclarations": [{"name": "bash"}]}],
            }


@EVERY
async def test_without_a_key_none_is_sent(api: Api) -> None:
    async with provider(answer(api, [])) as server:
        await ask(endpoint(api, server.url), ModelRequest((user_message(api, "x"),)), key=None)
    assert not {"x-api-key", "authorization", "x-goog-api-key"} & set(server.asked[0].headers)
    assert not {"system", "systemInstruction", "instructions", "tools"} & set(server.asked[0].body)


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (404, '{"error": {"message": "no model m-1"}}', "refused with status 404: no model m-1"),
        (401, '{"error": {"message": "bad key sk-very-secret"}}', "bad key *** (the key is that in MODEL_KEY)"),
        (429, '{"error": "slow down"}', "refused with status 429: slow down"),
        (529, '{"type": "error", "message": "busy"}', "refused with status 529: busy"),
        (500, "<html>\n  oops</html>", "refused with status 500: <html> oops</html>"),
        (503, "", "refused with status 503: it says nothing more"),
        (307, "", "refused with status 307"),
        (200, '{"error": {"message": "no streaming here"}}', "without a stream of events: no streaming here"),
        (500, "[" * 100_000, "refused with status 500: [["),
        (401, "x" * 495 + KEY, "x" * 495 + "***"),
        (401, json.dumps({"error": "x" * 495 + KEY}), "x" * 495 + "***"),
    ],
)
async def test_a_refusal_gives_the_reason_and_hides_the_key(status: int, body: str, expected: str) -> None:
    async with provider((status, body)) as server:
        with pytest.raises(ModelError) as error:
            await ask(endpoint(Api.OPENAI_CHAT, server.url, retries=Retries(most=0)), question(Api.OPENAI_CHAT))
    assert expected in str(error.value)
    assert KEY not in str(error.value)
    assert KEY[:5] not in str(error.value)
    assert len(str(error.value)) < 700


@pytest.mark.parametrize("status", [429, 503, 529])
async def test_a_request_to_a_busy_provider_is_retried(status: int) -> None:
    events = answer(Api.ANTHROPIC, [Text("Here.")], list)
    async with provider((status, "busy"), (status, "busy"), events) as server:
        received = await ask(endpoint(Api.ANTHROPIC, server.url, retries=Retries(first=0.001)), question(Api.ANTHROPIC))
    assert received == events
    assert [asked.body for asked in server.asked] == [server.asked[0].body] * 3


async def test_the_number_of_retries_is_limited() -> None:
    at = [(529, "busy")] * 3
    async with provider(*at) as server:
        with pytest.raises(ModelError, match="status 529: busy"):
            await ask(endpoint(Api.OPENAI_CHAT, server.url, retries=Retries(2, 0.001)), question(Api.OPENAI_CHAT))
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("status", "retry_after", "attempt", "pause"),
    [
        (429, None, 0, 1),
        (429, None, 3, 8),
        (429, None, 4, None),
        (429, "7", 0, 7),
        (429, " 0.5 ", 2, 0.5),
        (429, "61", 0, None),
        (429, "Wed, 21 Oct 2026 07:28:00 GMT", 1, 2),
        (429, "-1", 0, 1),
        (429, "9" * 400, 0, 1),
        (200, None, 0, None),
        (400, "1", 0, None),
        (401, None, 0, None),
    ],
)
def test_the_pause_before_a_retry(status: int, retry_after: str | None, attempt: int, pause: float | None) -> None:
    assert Retries().pause(status, retry_after, attempt) == pause


async def test_an_unreachable_server_is_an_error() -> None:
    with pytest.raises(
        ModelError, match=r"^The model at http://127\.0\.0\.1:9/\S* cannot be asked: Connection refused$"
    ):
        await ask(endpoint(Api.OPENAI_CHAT, "http://127.0.0.1:9"), question(Api.OPENAI_CHAT))


@pytest.mark.parametrize("url", ["nonsense", "http://", "ftp://127.0.0.1/"])
async def test_an_invalid_url_is_an_error(url: str) -> None:
    with pytest.raises(ModelError, match="cannot be asked"):
        await ask(endpoint(Api.OPENAI_CHAT, url), question(Api.OPENAI_CHAT))


@pytest.mark.parametrize("is_there", [True, False])
async def test_a_password_in_the_url_is_hidden(is_there: bool) -> None:
    async with provider((500, "oops")) as server:
        url = server.url if is_there else "http://127.0.0.1:9"
        at_endpoint = endpoint(Api.OPENAI_CHAT, url.replace("//", "//me:hidden@"), retries=Retries(most=0))
        with pytest.raises(ModelError) as error:
            await ask(at_endpoint, question(Api.OPENAI_CHAT), key=None)
    assert "hidden" not in str(error.value)
    assert url in str(error.value)


@asynccontextmanager
async def raw(*pieces: bytes, then_wait: bool = False) -> AsyncIterator[str]:
    """A server that answers with these bytes, and closes the connection or keeps it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        for piece in pieces:
            writer.write(piece)
        await writer.drain()
        if then_wait:
            await reader.read()
        writer.close()

    async with byte_server(serve) as address:
        yield f"http://{address}"


START = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 10000\r\n\r\n"


@pytest.mark.parametrize(
    ("pieces", "wait", "expected"),
    [
        ([START, b'data: {"x": 1}\n\n'], False, "cannot be asked"),
        ([START, b'data: {"x": 1}\n\n'], True, "said nothing for 0.2 seconds"),
        ([START, b"data: {\n\n"], False, "cannot be read"),
        ([b"nonsense\r\n\r\n"], False, "cannot be asked"),
    ],
)
async def test_a_broken_stream_is_an_error(pieces: list[bytes], wait: bool, expected: str) -> None:
    async with raw(*pieces, then_wait=wait) as url:
        # Only the case that tests the idle timeout has a short one: a busy machine may also be silent.
        at_endpoint = endpoint(Api.OPENAI_CHAT, url, timeouts=Timeouts(connect=60, idle=0.2 if wait else 60))
        with pytest.raises(ModelError, match=expected):
            await ask(at_endpoint, question(Api.OPENAI_CHAT))


async def test_closing_early_closes_the_connection() -> None:
    event = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(START + b'data: {"x": 1}\n\n')
        while await reader.read(1000):
            pass
        event.set()
        writer.close()

    async with byte_server(serve) as address:
        model = HttpModel(endpoint(Api.OPENAI_CHAT, f"http://{address}"), None)
        stream = model.stream(question(Api.OPENAI_CHAT))
        async for _ in stream:
            break
        await stream.aclose()
        await asyncio.wait_for(event.wait(), 60)
        await model.close()


def test_keys_come_from_the_environment() -> None:
    at_endpoint = endpoint(Api.OPENAI_CHAT, "http://x")
    assert at_endpoint.key({"MODEL_KEY": " sk-1\n"}) == "sk-1"
    for environment in ({}, {"MODEL_KEY": ""}, {"MODEL_KEY": "a\nb"}, {"MODEL_KEY": "schlüssel"}):
        with pytest.raises(UsageError, match="MODEL_KEY"):
            at_endpoint.key(environment)
    assert Endpoint(Api.OPENAI_CHAT, "http://x", "m", key_variable=None).key({}) is None


async def test_stream_options_are_left_out_after_a_refusal() -> None:
    detail = [{"type": "extra_forbidden", "loc": ["body", "stream_options", "include_usage"], "msg": "Extra inputs"}]
    refusal = json.dumps({"object": "error", "message": {"detail": detail}})
    events = answer(Api.OPENAI_CHAT, [Text("Here.")], list)
    async with provider((422, refusal), events, events) as server:
        model = HttpModel(endpoint(Api.OPENAI_CHAT, server.url), None)
        for _ in range(2):
            assert [event async for event in model.stream(question(Api.OPENAI_CHAT))] == events
        await model.close()
    assert ["stream_options" in asked.body for asked in server.asked] == [True, False, False]


async def test_a_second_refusal_of_stream_options_is_an_error() -> None:
    async with provider(*[(422, '{"error": "stream_options"}')] * 3) as server:
        with pytest.raises(ModelError, match="status 422"):
            await ask(endpoint(Api.OPENAI_CHAT, server.url), question(Api.OPENAI_CHAT))
    assert len(server.asked) == 2
