"""The answer of one wire as the client sees it: frames of several attempts become one consistent answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from msgspec import Struct

from ttsr_ls.bridge.proxy.ledger.identity import Identity
from ttsr_ls.bridge.proxy.streams.frame_role import FrameRole
from ttsr_ls.bridge.proxy.streams.hold_back_buffer import HeldFrame
from ttsr_ls.bridge.proxy.streams.sse_frames import SseFrame
from ttsr_ls.errors import TtsrError

CHARACTERS_PER_TOKEN = 4
"""Estimates the tokens of an answer that ends early, for which the provider reports none."""


class SentPart(Struct, frozen=True):
    """A part of an answer that the client has. `identity` recognises it in later requests, `echo` is its form there."""

    identity: Identity
    echo: Any


class EventUnreadable(TtsrError):
    """The data of an event is not valid for the API."""


class StreamEditor(ABC):
    """Reads the frames of one exchange, and writes them for the client. One attempt follows the other."""

    keep_alive: bytes = b": keep-alive\n\n"
    """Bytes that keep the connection of a waiting client open; empty for an API whose clients accept none."""

    def __init__(self) -> None:
        self.attempt = 0

    @abstractmethod
    def read(self, frame: SseFrame) -> tuple[Any, FrameRole]:
        """Decodes a frame: its event, None if it has none, and its role. Raises EventUnreadable."""

    @abstractmethod
    def write(self, frame: HeldFrame) -> bytes:
        """Encodes a frame for the client. Call it once for each frame, in order."""

    @abstractmethod
    def sent_parts(self) -> list[SentPart]:
        """The parts of the current attempt that were sent to the client, in order.

        An unfinished part has the content that was sent so far.
        """

    @property
    @abstractmethod
    def has_sent_call(self) -> bool:
        """True if a tool call of this answer was sent to the client, which may have run it."""

    @abstractmethod
    def restart(self) -> bytes:
        """Ends the current attempt: closes the parts that are open for the client. Another attempt follows."""

    @abstractmethod
    def end_early(self) -> bytes:
        """Ends the answer after the tool calls that were sent to the client."""

    @abstractmethod
    def fail(self, message: str) -> bytes:
        """Ends the answer with an error in the format of the API."""
