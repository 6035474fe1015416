"""Reads a model's answer to a request that is no part of a turn: a judge's verdict, a summary."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import PurePosixPath

from msgspec import Struct

from ttsr_ls.bridge.model.client import Model
from ttsr_ls.bridge.model.request import ModelRequest
from ttsr_ls.bridge.wire.decoding import build_decoder
from ttsr_ls.session.history.turn_output import Text
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.wire_events import (
    Api,
    PartFinished,
    ResponseDelta,
    ResponseFinished,
    UsageReported,
    WireEvent,
    WireFailed,
)


class WholeAnswer(Struct, frozen=True):
    """The complete text parts of an answer, and its usage if the provider reports it.

    `failure` is the first failure that was reported; `is_complete` is False if the stream ended before the answer.
    """

    texts: tuple[str, ...]
    usage: Usage | None
    failure: str | None
    is_complete: bool


async def read_whole_answer(model: Model, api: Api, request: ModelRequest, *, reads_usage: bool = False) -> WholeAnswer:
    """Asks the model and reads its answer: to its end, or with `reads_usage` to that of the stream.

    Usage may follow the end of an answer. Raises ModelError.
    """
    decoder = build_decoder(api, PurePosixPath("/"))
    kept: list[WireEvent] = []
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            # Deltas are not kept: an answer has thousands.
            others = [each for each in decoder.feed(event) if not isinstance(each, ResponseDelta)]
            kept += others
            if not reads_usage and any(isinstance(each, ResponseFinished | WireFailed) for each in others):
                break
    kept += decoder.finish()
    outputs = [each.output for each in kept if isinstance(each, PartFinished)]
    return WholeAnswer(
        tuple(output.text for output in outputs if isinstance(output, Text)),
        next((each.usage for each in reversed(kept) if isinstance(each, UsageReported)), None),
        next((each.message for each in kept if isinstance(each, WireFailed)), None),
        any(isinstance(each, ResponseFinished) for each in kept),
    )
