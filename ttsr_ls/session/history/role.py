"""The role of a message from the host to a model."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """The role of the message that an injection becomes."""

    SYSTEM = "system"
    USER = "user"
