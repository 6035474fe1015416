"""The interface of a judge."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

WAIT = 5.0
"""The time limit of a judge's answer, in seconds (spec J3)."""


class JudgeAnswer(Struct, frozen=True):
    """The answer of the judge model."""

    text: str


class NoJudgeAnswer(Struct, frozen=True):
    """The judge gave no usable answer; `reason` is a full sentence for users."""

    reason: str


class Judge(Protocol):
    """Answers prompts of `features.judge.questions`. Does not raise."""

    async def ask(self, prompt: str) -> JudgeAnswer | NoJudgeAnswer:
        """Returns the answer to one prompt."""
