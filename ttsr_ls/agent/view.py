"""What the agent shows of its work, besides what its session tells."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.host.events import SessionEvent


class ModelSaid(Struct, frozen=True):
    """A piece of what the model says."""

    text: str


class ModelThought(Struct, frozen=True):
    """A piece of what the model thinks."""

    text: str


class ToolCalled(Struct, frozen=True):
    """A tool is run; `arguments` is JSON text."""

    tool: str
    arguments: str


class ToolReturned(Struct, frozen=True):
    """What the model gets of the tool that was run last, before reminders are put in front of it."""

    text: str
    failed: bool


class TroubleReported(Struct, frozen=True):
    """Something did not work; `message` is a full sentence."""

    message: str


class NoticeShown(Struct, frozen=True):
    """Something happened that is no trouble; `message` is a full sentence."""

    message: str


class HistoryShortened(Struct, frozen=True):
    """The history was compacted; the model gets `summary` instead."""

    summary: str


ViewEvent = (
    ModelSaid
    | ModelThought
    | ToolCalled
    | ToolReturned
    | TroubleReported
    | NoticeShown
    | HistoryShortened
    | SessionEvent
)
