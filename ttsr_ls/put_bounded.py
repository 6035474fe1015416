"""Bounds mappings whose keys come from agents and files: a new key removes the oldest one."""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def put_bounded(mapping: dict[K, V], key: K, value: V, limit: int) -> None:
    """Sets a key. A new key beyond `limit` keys, at least 1, removes the one that was added first."""
    if key not in mapping and len(mapping) >= limit:
        del mapping[next(iter(mapping))]
    mapping[key] = value
