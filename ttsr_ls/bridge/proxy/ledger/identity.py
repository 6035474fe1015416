"""Identifies a part of a conversation when a client sends it back.

Clients change what they send back: they move cache breakpoints, drop thinking, trim text. Ids and signatures stay.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from msgspec import Struct


class Identity(Struct, frozen=True):
    """The identity of a part. `length` is the number of characters of a text, which a client may join with others."""

    key: str
    length: int = 0

    @property
    def is_strong(self) -> bool:
        """True if no other part has this identity. Texts may repeat."""
        return not self.key.startswith("x:")


def digest_of(text: str) -> str:
    """Returns a short digest that is the same in every process."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def text_identity(text: str) -> Identity:
    """Returns the identity of prose, without surrounding white space."""
    return Identity(f"x:{digest_of(text.strip())}", len(text))


def call_identity(call_id: str) -> Identity:
    """Returns the identity of a tool call: its id."""
    return Identity(f"c:{call_id}")


def sealed_identity(sealed: str) -> Identity:
    """Returns the identity of reasoning: its signature or sealed content."""
    return Identity(f"s:{digest_of(sealed)}")


def content_digest(value: Any) -> str:
    """Returns the digest of a JSON value without cache breakpoints, which clients move."""
    return digest_of(json.dumps(_without_breakpoints(value), sort_keys=True, separators=(",", ":")))


def _without_breakpoints(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_breakpoints(item) for key, item in value.items() if key != "cache_control"}
    if isinstance(value, list):
        return [_without_breakpoints(item) for item in value]
    return value
