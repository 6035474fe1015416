"""Asks a judge model within a time limit. Every failure becomes a result with its reason."""

from __future__ import annotations

import asyncio

from ttsr_ls.bridge.model.client import Model
from ttsr_ls.bridge.model.endpoint import ModelError
from ttsr_ls.bridge.model.request import ModelRequest, user_message
from ttsr_ls.bridge.model.whole_answer import read_whole_answer
from ttsr_ls.features.judge.judge import WAIT, JudgeAnswer, NoJudgeAnswer
from ttsr_ls.features.judge.questions import SYSTEM
from ttsr_ls.session.output.wire_events import Api


class ModelJudge:
    """A model as judge. `api` is the wire of the model's events; `wait` is the time limit of an answer in seconds."""

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
        request = ModelRequest((user_message(self._api, prompt),), SYSTEM)
        answer = await read_whole_answer(self._model, self._api, request)
        if answer.failure is not None:
            return NoJudgeAnswer(f"The judge failed. {answer.failure}")
        if not answer.is_complete:
            return NoJudgeAnswer("The judge's answer ended too early.")
        return JudgeAnswer("".join(answer.texts))
