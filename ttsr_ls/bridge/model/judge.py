"""Asks a judge model within a time limit. Every failure becomes a result with its reason."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import PurePosixPath

from ttsr_ls.bridge.model.client import Model
from ttsr_ls.bridge.model.endpoint import ModelError
from ttsr_ls.bridge.model.request import ModelRequest, user_message
from ttsr_ls.bridge.wire.decoding import build_decoder
from ttsr_ls.features.judge.judge import WAIT, JudgeAnswer, NoJudgeAnswer
from ttsr_ls.features.judge.questions import SYSTEM
from ttsr_ls.session.history.turn_output import Text
from ttsr_ls.session.output.wire_events import Api, PartFinished, PartTruncated, ResponseFinished, WireEvent, WireFailed


class ModelJudge:
    """A model as judge. `api` is the wire of the model's events; `wait` is how long an answer may take, in seconds."""

    def __init__(self, model: Model, api: Api, wait: float = WAIT) -> None:
        self._model = model
        self._api = api
        self._wait = wait

    async def ask(self, prompt: str) -> JudgeAnswer | NoJudgeAnswer:
        try:
            async with asyncio.timeout(self._wait):
                return await self._ask(prompt)
        except TimeoutError:
            return NoJudgeAnswer(f"The judge sent no answer for {self._wait:g} seconds.")
        except ModelError as error:
            return NoJudgeAnswer(f"The judge cannot be asked. {error}")

    async def _ask(self, prompt: str) -> JudgeAnswer | NoJudgeAnswer:
        decoder = build_decoder(self._api, PurePosixPath("/"))
        kept_events: list[WireEvent] = []
        request = ModelRequest((user_message(self._api, prompt),), SYSTEM)
        async with aclosing(self._model.stream(request)) as events:
            async for event in events:
                kept_events += (
                    wire_event
                    for wire_event in decoder.feed(event)
                    if isinstance(wire_event, PartFinished | ResponseFinished | WireFailed)
                )
                if kept_events and isinstance(kept_events[-1], ResponseFinished | WireFailed):
                    break
        kept_events += (event for event in decoder.finish() if not isinstance(event, PartTruncated))
        failure = next((event.message for event in kept_events if isinstance(event, WireFailed)), None)
        if failure is not None:
            return NoJudgeAnswer(f"The judge failed. {failure}")
        if not any(isinstance(event, ResponseFinished) for event in kept_events):
            return NoJudgeAnswer("The judge's answer ended too early.")
        texts = (event.output for event in kept_events if isinstance(event, PartFinished))
        return JudgeAnswer("".join(output.text for output in texts if isinstance(output, Text)))
