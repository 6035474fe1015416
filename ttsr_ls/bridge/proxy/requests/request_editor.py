"""The interface to the requests of an API: parses the conversation and applies edits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ttsr_ls.bridge.proxy.requests.conversation import Conversation, ConversationEdits


class RequestEditor(ABC):
    """Reads and edits the requests of one wire."""

    @abstractmethod
    def read(self, body: bytes) -> Conversation:
        """Parses the conversation of a request. Raises RequestUnreadable."""

    def append_answer(self, body: bytes, parts: list[Any]) -> bytes:
        """Appends `parts` of an answer to the request, in the form in which clients send them back.

        Returns the request unchanged for an API that never keeps the shown part of an interrupted answer.
        """
        return body

    @abstractmethod
    def apply_edits(self, body: bytes, edits: ConversationEdits) -> bytes:
        """Applies edits to the request and keeps all other bytes. Raises RequestUnreadable."""

    @abstractmethod
    def accepts_system(self, model: str) -> bool:
        """Returns whether the model accepts a system message amid a conversation."""
