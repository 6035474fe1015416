"""Reads values of declared types with msgspec, in any thread.

msgspec inspects a struct type when a value of it is first read. If another thread reads one at the same time, the
process ends with a segmentation fault (msgspec 0.22). So only this module passes types to msgspec, from one thread at a
time.
"""

from __future__ import annotations

from threading import RLock
from types import UnionType
from typing import TypeVar

import msgspec

T = TypeVar("T")

_LOCK = RLock()
"""Reentrant, as `__post_init__` of a struct may read values, too."""


def json_decoder(kind: type[T] | UnionType) -> msgspec.json.Decoder[T]:
    """Returns a decoder of JSON texts to values of this type. Raises `TypeError` if msgspec cannot read the type."""
    with _LOCK:
        return msgspec.json.Decoder(kind)


def convert_value(value: object, kind: type[T], *, strict: bool = True) -> T:
    """Converts decoded JSON to a value of this type; not `strict`, also texts to numbers and the like.

    Raises `msgspec.ValidationError` for a value that is not of the type, `TypeError` if msgspec cannot read the type.
    """
    with _LOCK:
        return msgspec.convert(value, kind, strict=strict)
