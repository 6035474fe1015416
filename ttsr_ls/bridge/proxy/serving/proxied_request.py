"""Runs the state machine of one request: sends requests to upstream and the answer to the client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import TypeVar

import aiohttp
from aiohttp import web

from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.bridge.model.endpoint import Retries
from ttsr_ls.bridge.proxy.actions import AskFeatures, EndAnswer, Forward, ProxyAction, RetryRequest
from ttsr_ls.bridge.proxy.coverage import CoverageCount
from ttsr_ls.bridge.proxy.exchange import ProxyExchange
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.serving.open_sessions import OpenProxySession
from ttsr_ls.bridge.proxy.serving.upstream import Upstream, response_headers
from ttsr_ls.errors import TtsrError

_Result = TypeVar("_Result")
_RETRIES = Retries(most=3, first=0.5, longest=30)
_MAX_ERROR_LENGTH = 300


class AnswerUnreadable(TtsrError):
    """An answer has a format that cannot be inspected. The message names the format."""


class ProxiedRequest:
    """One inspected request. `headers` are those for upstream.

    `refuses_unread`: an answer that cannot be inspected is refused, and not passed on.
    """

    def __init__(
        self,
        request: web.Request,
        session: OpenProxySession,
        exchange: ProxyExchange,
        upstream: Upstream,
        url: str,
        headers: list[tuple[str, str]],
        limits: ProxyLimits,
        count: CoverageCount,
        *,
        refuses_unread: bool = False,
        keeps_content: bool = True,
    ) -> None:
        self._keeps_content = keeps_content
        self._refuses_unread = refuses_unread
        self.unread: AnswerUnreadable | None = None
        """Why the answer was passed on without inspection, if it was."""
        self._request = request
        self._session = session
        self._exchange = exchange
        self._upstream = upstream
        self._url = url
        self._headers = headers
        self._limits = limits
        self._count = count
        self._response: web.StreamResponse | None = None
        self._written_at = time.monotonic()

    async def answer(self) -> web.StreamResponse:
        """Returns the answer for the client. Raises the errors of aiohttp if upstream cannot be reached."""
        keeper: asyncio.Task[None] | None = None
        try:
            opening = self._exchange.opening_question()
            if opening is not None:
                await self._ask_features(AskFeatures(b"", opening))
            body: bytes | None = self._exchange.body
            while body is not None:
                response = await self._send_retry(body) if self._response is not None else await self._send(body)
                if response is None:
                    break
                async with response as answer:
                    if self._response is None:
                        if not _is_understood(answer):
                            self._check_unread(answer)
                            return await relay_uninspected(self._request, answer, self._limits)
                        if _is_json(answer):
                            body = await self._relay_non_streaming(answer)
                            continue
                        self._response = await _start_response(self._request, answer, is_edited=True)
                        keeper = asyncio.create_task(self._keep_alive())
                    body = await self._relay_stream(answer)
            assert self._response is not None
            if keeper is not None:  # Nothing may be written after the end.
                keeper.cancel()
            await self._response.write_eof()
            return self._response
        finally:
            if keeper is not None:
                keeper.cancel()
            await self._run(lambda: self._exchange.end(epoch_ms()))

    def _check_unread(self, answer: aiohttp.ClientResponse) -> None:
        """Notes an answer that cannot be inspected, and raises AnswerUnreadable if it must not be passed on."""
        if answer.status != 200:
            return
        form = f"{answer.content_type} {answer.headers.get('Content-Encoding', '')}".strip()
        self.unread = AnswerUnreadable(f"the answer is in a form that cannot be inspected ({form})")
        if self._refuses_unread:
            raise self.unread

    async def _send(self, body: bytes) -> aiohttp.ClientResponse:
        """Returns the answer of upstream. A hidden retry waits for a busy upstream, as the client cannot repeat it."""
        for attempt in count():
            answer = await self._upstream.request(self._request.method, self._url, self._headers, body)
            if self._exchange.attempt == 0:
                return answer
            pause = _RETRIES.pause(answer.status, answer.headers.get("Retry-After"), attempt)
            if pause is None:
                return answer
            answer.close()
            await asyncio.sleep(pause)
        raise AssertionError("counting does not end")

    async def _send_retry(self, body: bytes) -> aiohttp.ClientResponse | None:
        """Returns the answer to a retry. None if there is none: then the client gets an error in its stream."""
        try:
            return await self._send(body)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            self._count.upstream_errors += 1
            message = f"The model's server did not answer the retry: {type(error).__name__}"
            refused = await self._run(
                lambda: self._exchange.handle_refused_retry(message, is_invalid=False, now=epoch_ms())
            )
            await self._write(refused.data)
            return None

    async def _relay_stream(self, answer: aiohttp.ClientResponse) -> bytes | None:
        """Relays one stream. Returns the body of the next request, if another attempt follows."""
        if not _is_stream(answer):
            read = (await answer.content.read(_MAX_ERROR_LENGTH)).decode("utf-8", "replace")
            detail = f": {read}" if self._keeps_content else ""
            self._count.upstream_errors += 1
            message = f"The retry was refused with status {answer.status}{detail}"
            is_invalid = answer.status == 400
            refused = await self._run(
                lambda: self._exchange.handle_refused_retry(message, is_invalid=is_invalid, now=epoch_ms())
            )
            await self._write(refused.data)
            return refused.body if isinstance(refused, RetryRequest) else None
        self._count.answers += 1
        try:
            async for data in answer.content.iter_any():
                action = await self._run(lambda data=data: self._exchange.feed(data, epoch_ms()))  # type: ignore[misc]
                await self._write(action.data)
                while isinstance(action, AskFeatures):
                    action = await self._ask_features(action)
                    await self._write(action.data)
                match action:
                    case RetryRequest():
                        answer.close()
                        return action.body
                    case EndAnswer():
                        answer.close()
                        return None
                    case Forward():
                        continue
        except (aiohttp.ClientError, TimeoutError, OSError):
            self._count.upstream_errors += 1
            await self._finish_exchange()
            self._break_off()
            return None
        await self._finish_exchange()
        return None

    async def _ask_features(self, asking: AskFeatures) -> ProxyAction:
        """Asks the features. Upstream waits meanwhile, and the client gets keep-alives."""
        features = self._session.session.features
        assert features is not None, "without features nothing is asked"
        async with features.tool_lock(asking.question):
            feature_answer = await features.ask(asking.question)
            return await self._run(lambda: self._exchange.handle_feature_answer(feature_answer, epoch_ms()))

    async def _finish_exchange(self) -> None:
        action = await self._run(lambda: self._exchange.finish(epoch_ms()))
        await self._write(action.data)

    async def _relay_non_streaming(self, answer: aiohttp.ClientResponse) -> bytes | None:
        """Relays a non-streaming answer. Returns the body of the next request, if another attempt follows."""
        read = await answer.content.read(self._limits.whole_answer)
        content = read + (b"" if answer.content.at_eof() else await answer.content.read())
        action: ProxyAction = EndAnswer(content)
        if answer.status == 200:
            self._count.answers += 1
            action = await self._run(lambda: self._exchange.handle_non_streaming(content, epoch_ms()))
            while isinstance(action, AskFeatures):
                action = await self._ask_features(action)
        elif answer.status == 400 and self._exchange.attempt:
            refused = await self._run(lambda: self._exchange.handle_refused_retry("", is_invalid=True, now=epoch_ms()))
            action = refused if isinstance(refused, RetryRequest) else action
        if isinstance(action, RetryRequest):
            return action.body
        self._response = await _start_response(self._request, answer, is_edited=True, length=len(action.data))
        await self._write(action.data)
        return None

    async def _write(self, data: bytes) -> None:
        if not data:
            return
        assert self._response is not None
        self._written_at = time.monotonic()
        async with asyncio.timeout(self._limits.client):
            await self._response.write(data)

    async def _keep_alive(self) -> None:
        """Sends the keep-alive bytes of the API while the client waits for held frames."""
        with suppress(TimeoutError, OSError, RuntimeError):  # The client left: the answer's own task sees that, too.
            while True:
                await asyncio.sleep(self._limits.keep_alive)
                if time.monotonic() - self._written_at >= self._limits.keep_alive:
                    await self._write(self._exchange.keep_alive)

    def _break_off(self) -> None:
        """Closes the connection, so that the client notices the incomplete answer as it would without a proxy."""
        if self._request.transport is not None:
            self._request.transport.abort()

    async def _run(self, call: Callable[[], _Result]) -> _Result:
        if not self._session.needs_thread:
            return call()
        return await asyncio.to_thread(self._session.match, call)


async def relay_uninspected(
    request: web.Request, answer: aiohttp.ClientResponse, limits: ProxyLimits
) -> web.StreamResponse:
    """Relays the answer of upstream without inspection."""
    response = await _start_response(request, answer, is_edited=False)
    try:
        async for data in answer.content.iter_any():
            async with asyncio.timeout(limits.client):
                await response.write(data)
    except (aiohttp.ClientError, OSError):
        if request.transport is not None:
            request.transport.abort()
        return response
    await response.write_eof()
    return response


async def _start_response(
    request: web.Request, answer: aiohttp.ClientResponse, *, is_edited: bool, length: int | None = None
) -> web.StreamResponse:
    """Sends the status and the headers of upstream's answer to the client."""
    response = web.StreamResponse(status=answer.status, reason=answer.reason)
    for name, value in response_headers(answer.headers.items(), is_edited=is_edited):
        response.headers.add(name, value)
    if length is not None:
        response.content_length = length
    await response.prepare(request)
    return response


def _is_stream(answer: aiohttp.ClientResponse) -> bool:
    return answer.status == 200 and answer.content_type == "text/event-stream"


def _is_json(answer: aiohttp.ClientResponse) -> bool:
    return answer.content_type == "application/json"


def _is_understood(answer: aiohttp.ClientResponse) -> bool:
    encoding = answer.headers.get("Content-Encoding", "identity")
    return encoding == "identity" and (_is_stream(answer) or _is_json(answer))
