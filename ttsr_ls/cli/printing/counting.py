"""Formats counts with their nouns."""

from __future__ import annotations


def count(number: int, noun: str) -> str:
    """Returns `number` and `noun`, such as `1 rule` or `2 rules`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
