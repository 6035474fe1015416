"""Asks a judge, for a while: whatever goes wrong, the answer is that there is none, and why."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import PurePosixPath

from ttsr_ls.bridge.model.client import Model
from ttsr_ls.bridge.model.endpoint import ModelError
from ttsr_ls.bridge.model.request import ModelRequest, user_message
from ttsr_ls.bridge.wire.decoding import decoder
from ttsr_ls.features.judge.judge import WAIT, Answered, Unanswered
from ttsr_ls.features.judge.questions import SYSTEM
from ttsr_ls.session.history.turn_output import Text
from ttsr_ls.session.output.wire_events import Api, CutOff, Produced, Stopped, WireEvent, WireFailed


class ModelJudge:
    """A model as judge. `api` is the wire of the model's events; `wait` is how long an answer may take, in seconds."""

    def __init__(self, model: Model, api: Api, wait: float = WAIT) -> None:
        self._model = model
        self._api = api
        self._wait = wait

    async def ask(self, prompt: str) -> Answered | Unanswered:
        try:
            async with asyncio.timeout(self._wait):
                return await self._ask(prompt)
        except TimeoutError:
            return Unanswered(f"The judge said nothing for {self._wait:g} seconds.")
        except ModelError as error:
            return Unanswered(f"The judge cannot be asked. {error}")

    async def _ask(self, prompt: str) -> Answered | Unanswered:
        reading = decoder(self._api, PurePosixPath("/"))
        told: list[WireEvent] = []
        request = ModelRequest((user_message(self._api, prompt),), SYSTEM)
        async with aclosing(self._model.stream(request)) as events:
            async for event in events:
                told += (each for each in reading.feed(event) if isinstance(each, Produced | Stopped | WireFailed))
                if told and isinstance(told[-1], Stopped | WireFailed):
                    break
        told += (each for each in reading.finish() if not isinstance(each, CutOff))
        failure = next((each.message for each in told if isinstance(each, WireFailed)), None)
        if failure is not None:
            return Unanswered(f"The judge failed. {failure}")
        if not any(isinstance(each, Stopped) for each in told):
            return Unanswered("The judge's answer ended too early.")
        texts = (each.output for each in told if isinstance(each, Produced))
        return Answered("".join(output.text for output in texts if isinstance(output, Text)))
