"""The events of the agent's work that are displayed, besides those of its session."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.host.events import SessionEvent


class ModelText(Struct, frozen=True):
    """A delta of the model's text."""

    text: str


class ModelThought(Struct, frozen=True):
    """A delta of the model's thinking."""

    text: str


class ToolCalled(Struct, frozen=True):
    """A tool is run; `arguments` is JSON text."""

    tool: str
    arguments: str


class ToolReturned(Struct, frozen=True):
    """The result of the tool that was run last, without the reminders that are added for the model."""

    text: str
    failed: bool


class TroubleReported(Struct, frozen=True):
    """A failure is shown to the user; `message` is a full sentence."""

    message: str


class NoticeShown(Struct, frozen=True):
    """A notice is shown to the user; `message` is a full sentence."""

    message: str


class HistoryShortened(Struct, frozen=True):
    """The history was compacted; the model gets `summary` instead."""

    summary: str


ViewEvent = (
    ModelText
    | ModelThought
    | ToolCalled
    | ToolReturned
    | TroubleReported
    | NoticeShown
    | HistoryShortened
    | SessionEvent
)
