"""Shared by the scripted models of all wires."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tests.bridge.proxy.anthropic_model import Block, RequestRefused

PIECE = re.compile(r"\s*\S{1,5}|\s+")
"""A delta."""


def demand(holds: bool, problem: str) -> None:
    if not holds:
        raise RequestRefused(problem)


class ScriptedModel:
    def __init__(self, answers: Sequence[Sequence[Block]]) -> None:
        self.answers = answers
        self.requests: list[dict[str, Any]] = []

    def take(self, body: dict[str, Any]) -> tuple[int, Sequence[Block]]:
        self.requests.append(body)
        return len(self.requests) - 1, self.answers[len(self.requests) - 1]
