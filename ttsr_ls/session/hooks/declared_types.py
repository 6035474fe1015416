"""Checks values of foreign code against the types that their fields declare."""

from __future__ import annotations

import msgspec
from msgspec import Struct, ValidationError

from ttsr_ls.typed_values import convert_value


def has_declared_types(value: Struct) -> bool:
    """Returns whether each field has its declared type, which a struct does not check when it is made."""
    try:
        return convert_value(msgspec.to_builtins(value), type(value)) == value
    except (ValidationError, TypeError, ValueError, RecursionError):
        return False
