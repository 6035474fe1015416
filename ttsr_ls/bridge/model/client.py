"""HTTP clients for models, which yield the events of streamed answers.

Owns the connection and its errors; `bridge.wire` decodes the events. The HTTP library is imported with the first
request, because importing it takes long.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, AsyncIterator
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from ttsr_ls.bridge.model.endpoint import Endpoint, ModelError
from ttsr_ls.bridge.model.proxies import proxy_for
from ttsr_ls.bridge.model.request import ModelRequest, request_body, request_headers
from ttsr_ls.bridge.model.sse import OversizedEvent, ServerSentEvent, SseParser

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

_DONE = "[DONE]"
_MAX_ERROR_LENGTH = 64 * 1024
_SHOWN_OF_ERROR = 500
_OPTIONAL = ("stream_options",)
"""Fields that some servers refuse. Without `stream_options`, servers may report no usage."""
_TOO_LONG = "context_length_exceeded"
"""OpenAI's code for a prompt that is too long; the message may not mention that."""


class Model(Protocol):
    """A client for a model. Streams yield the provider's events unchanged; an iterator may be closed early."""

    def stream(self, request: ModelRequest) -> AsyncGenerator[dict[str, Any], None]:
        """Yields the events of an answer. Raises ModelError if the request or the stream fails."""

    async def close(self) -> None:
        """Closes the connections. No request may follow."""


class HttpModel:
    """HTTP client for one model endpoint, with one connection pool. Sends `key` only in the authorization header."""

    def __init__(self, endpoint: Endpoint, key: str | None) -> None:
        self._endpoint = endpoint
        self._key = key
        self._session: ClientSession | None = None
        self._left_out: set[str] = set()
        """Optional fields of requests that this provider refuses."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[dict[str, Any], None]:
        """Yields the events of an answer. Raises ModelError if the request or the stream fails.

        A request to a busy provider is retried a few times (`Retries`), unless the answer has started.
        """
        import aiohttp

        endpoint = self._endpoint
        if self._session is None:
            timeouts = endpoint.timeouts
            timeout = aiohttp.ClientTimeout(timeouts.total, sock_connect=timeouts.connect, sock_read=timeouts.idle)
            # Without `trust_env`, which would also send credentials of ~/.netrc; `proxy_for` looks up proxies.
            self._session = aiohttp.ClientSession(timeout=timeout)
        content = self._content(request)
        sent = request_headers(endpoint, self._key)
        try:
            # Redirects are not followed, because they would send the key to another host.
            for attempt in count():
                posted = self._session.post(
                    endpoint.url, data=content, headers=sent, allow_redirects=False, proxy=proxy_for(endpoint.url)
                )
                async with posted as response:
                    after = response.headers.get("retry-after")
                    pause = endpoint.retries.pause(response.status, after, attempt)
                    if pause is None:
                        try:
                            await self._check(response)
                        except ModelError as refused:
                            if not self._leaves_out(request, str(refused)):
                                raise
                            content = self._content(request)
                            continue
                        async for event in stream_events(response):
                            yield event
                        return
                await asyncio.sleep(pause)
        except aiohttp.ConnectionTimeoutError as error:
            waited = f"{endpoint.timeouts.connect:g} seconds"
            raise ModelError(f"The model at {endpoint.shown_url} could not be reached in {waited}.") from error
        except aiohttp.SocketTimeoutError as error:
            waited = f"{endpoint.timeouts.idle:g} seconds"
            raise ModelError(f"The model at {endpoint.shown_url} said nothing for {waited}.") from error
        except TimeoutError as error:
            waited = f"{endpoint.timeouts.total:g} seconds"
            raise ModelError(f"The model at {endpoint.shown_url} was not done after {waited}.") from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            message = self._without_key(_reason(error).replace(endpoint.url, endpoint.shown_url))[:_SHOWN_OF_ERROR]
            raise ModelError(f"The model at {endpoint.shown_url} cannot be asked: {message}") from error

    async def close(self) -> None:
        """Closes the connections. No request may follow."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _content(self, request: ModelRequest) -> bytes:
        fields = request_body(self._endpoint, request)
        kept = {name: value for name, value in fields.items() if name not in self._left_out}
        return json.dumps(kept, ensure_ascii=False).encode("utf-8", "replace")

    def _leaves_out(self, request: ModelRequest, refusal: str) -> bool:
        """Leaves out the optional fields that a refusal names from now on; returns False if it names none."""
        sent_fields = request_body(self._endpoint, request).keys() - self._left_out
        refused = {name for name in _OPTIONAL if name in sent_fields and name in refusal}
        self._left_out |= refused
        return bool(refused)

    async def _check(self, response: ClientResponse) -> None:
        """Raises ModelError if the response is no event stream."""
        status, url = response.status, self._endpoint.shown_url
        if status == 200 and "text/event-stream" in response.headers.get("content-type", ""):
            return
        answered = (await response.content.read(_MAX_ERROR_LENGTH)).decode("utf-8", "replace")
        # Truncated after masking, because the first half of a truncated key would not be masked.
        message = self._without_key(_message(answered))[:_SHOWN_OF_ERROR]
        if status == 200:
            raise ModelError(f"The model at {url} answered without a stream of events: {message}")
        raise ModelError(f"The model at {url} refused with status {status}: {message}{self._hint(status)}")

    def _hint(self, status: int) -> str:
        variable = self._endpoint.key_variable
        if status not in (401, 403):
            return ""
        return " (no key was sent)" if variable is None else f" (the key is that in {variable})"

    def _without_key(self, message: str) -> str:
        return message if self._key is None else message.replace(self._key, "***")


async def stream_events(response: ClientResponse) -> AsyncIterator[dict[str, Any]]:
    """Decodes the events of a stream. Raises ModelError if one cannot be decoded."""
    parser = SseParser()
    async for data in response.content.iter_any():
        for event in parser.feed(data):
            if isinstance(event, ServerSentEvent) and event.data.strip() == _DONE:
                return
            read = _read(event)
            if read is not None:
                yield read


def _read(event: ServerSentEvent | OversizedEvent) -> dict[str, Any] | None:
    """Returns the object of an event, with the event's name as its type if it has none; None if it is no object."""
    if isinstance(event, OversizedEvent):
        raise ModelError("An event of the model's stream is too long.")
    try:
        value = json.loads(event.data)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"An event of the model's stream cannot be read: {error}") from error
    if not isinstance(value, dict):
        return None
    return {"type": event.name, **value} if event.name else value


def _message(body: str) -> str:
    """Returns the readable part of an error body: the message of its error, or its beginning."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, list) and value:  # Google sends errors of streams in a list.
        value = value[0]
    if isinstance(value, dict):
        error = value.get("error", value)
        found = error if isinstance(error, str) else error.get("message") if isinstance(error, dict) else None
        if isinstance(found, str) and found:
            code = error.get("code") if isinstance(error, dict) else None
            return found + (f" ({code})" if code == _TOO_LONG else "")
    return " ".join(body.split()) or "it says nothing more"


def _reason(error: Exception) -> str:
    """Returns the text of an error; for a connection that was not made, without the details of `aiohttp`."""
    import aiohttp

    # The text of the others has what is not known otherwise: the proxy, or the certificate.
    if not isinstance(error, aiohttp.ClientConnectorError) or isinstance(
        error, aiohttp.ClientProxyConnectionError | aiohttp.ClientSSLError
    ):
        return str(error)
    cause = error.os_error
    # The text of asyncio's error is "Connect call failed"; numbers of the resolver are negative.
    return os.strerror(cause.errno) if cause.errno is not None and cause.errno > 0 else cause.strerror or str(cause)
