"""The converter between the JSON of messages and the types of the protocol."""

from __future__ import annotations

from functools import cache

from cattrs import Converter
from pygls.protocol import default_converter


@cache
def message_converter() -> Converter:
    """Returns the one converter of this process. It generates code for each type when it first meets the type."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    return converter
