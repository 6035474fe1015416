"""Asks a judge model through the upstream of the request that it judges, with the headers that the client sent."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator
from contextvars import ContextVar
from typing import Any
from urllib.parse import quote

import aiohttp
from msgspec import Struct

from ttsr_ls.bridge.model.client import stream_events
from ttsr_ls.bridge.model.endpoint import Endpoint, ModelError
from ttsr_ls.bridge.model.judge import ModelJudge
from ttsr_ls.bridge.model.request import ModelRequest, request_body
from ttsr_ls.bridge.proxy.serving.upstream import Upstream
from ttsr_ls.features.judge.judge import JudgeAnswer, NoJudgeAnswer
from ttsr_ls.session.output.wire_events import Api

ANSWER_LIMIT = 2_000
"""The most tokens of a judge's answer."""

_GEMINI_MODEL = re.compile(r"/models/[^/:?]+:\w+(?:\?.*)?$")
_BODY_HEADERS = frozenset(("content-encoding", "content-length", "content-type", "accept"))


class JudgeRoute(Struct, frozen=True):
    """The target of a judge request: its wire, its address, and its headers, keys among them."""

    api: Api
    url: str
    headers: tuple[tuple[str, str], ...]


CURRENT_ROUTE: ContextVar[JudgeRoute] = ContextVar("CURRENT_ROUTE")
"""The route of the request that the current task handles."""


class UpstreamJudge:
    """Asks the judge model `model`."""

    def __init__(self, upstream: Upstream, model: str) -> None:
        self._upstream = upstream
        self._model = model

    async def ask(self, prompt: str) -> JudgeAnswer | NoJudgeAnswer:
        """The answer to one prompt. Does not raise."""
        route = CURRENT_ROUTE.get()
        return await ModelJudge(_RoutedModel(self._upstream, self._model, route), route.api).ask(prompt)


class _RoutedModel:
    def __init__(self, upstream: Upstream, model: str, route: JudgeRoute) -> None:
        self._upstream = upstream
        self._endpoint = Endpoint(route.api, "", model, None, answer_limit=ANSWER_LIMIT)
        self._route = route

    async def stream(self, request: ModelRequest) -> AsyncGenerator[dict[str, Any], None]:
        """The events of an answer. Raises ModelError, whose text holds nothing that was sent or received."""
        route, content = self._route, json.dumps(request_body(self._endpoint, request)).encode()
        headers = [(name, value) for name, value in route.headers if name.lower() not in _BODY_HEADERS]
        headers += [("Content-Type", "application/json"), ("Accept", "text/event-stream")]
        try:
            async with await self._upstream.request("POST", self._url, headers, content) as answer:
                if answer.status != 200:
                    raise ModelError(f"The model's server refused with status {answer.status}.")
                async for event in stream_events(answer):
                    yield event
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise ModelError(f"The model's server cannot be asked: {type(error).__name__}.") from error

    async def close(self) -> None:
        """The connections are those of the proxy."""

    @property
    def _url(self) -> str:
        if self._route.api is not Api.GEMINI:
            return self._route.url
        model = quote(self._endpoint.model.removeprefix("models/"), safe="")
        return _GEMINI_MODEL.sub(f"/models/{model}:streamGenerateContent?alt=sse", self._route.url)
