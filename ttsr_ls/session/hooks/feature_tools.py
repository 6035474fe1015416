"""The tools of features (spec Y1): how a feature offers one to the model, and the results of its calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec import Struct

from ttsr_ls.session.history.turn_events import FeatureRecorded


class ToolDone(Struct, frozen=True):
    """The tool succeeded. `text` is sent to the model once `records` are on record."""

    text: str
    records: tuple[FeatureRecorded, ...] = ()


class ToolFailed(Struct, frozen=True):
    """The tool failed. `text` tells the model why. `records` are put on record all the same."""

    text: str
    records: tuple[FeatureRecorded, ...] = ()


class FeatureTool(Struct, frozen=True):
    """A tool as offered to the model. `run` receives the arguments as a JSON value; `schema` is their JSON schema."""

    name: str
    description: str
    schema: Mapping[str, Any]
    run: Callable[[Any], Awaitable[ToolDone | ToolFailed]]
