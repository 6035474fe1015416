"""Numbers of things in sentences."""

from __future__ import annotations


def count(number: int, noun: str) -> str:
    """`number` of `noun`, which is in the singular for one."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
