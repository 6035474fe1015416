"""Checks values of foreign code against the types that their fields declare."""

from __future__ import annotations

import msgspec
from msgspec import Struct, ValidationError


def has_declared_types(value: Struct) -> bool:
    """Returns whether each field has its declared type, which a struct does not check when it is made."""
    try:
        return msgspec.convert(msgspec.to_builtins(value), type(value)) == value
    except (ValidationError, TypeError, ValueError, RecursionError):
        return False
