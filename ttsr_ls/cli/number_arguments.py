"""Types of numbers for arguments; each raises `argparse.ArgumentTypeError`, which says what to write."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable

_UNBOUNDED = 10**15 - 1
_DIGITS = re.compile(r"[0-9]{1,15}")


def whole_number(lowest: int, highest: int = _UNBOUNDED) -> Callable[[str], int]:
    """Returns the type of whole numbers from `lowest` to `highest`."""
    bounds = f"from {lowest} to {highest}"

    def parse(text: str) -> int:
        if _DIGITS.fullmatch(text) is None or not lowest <= int(text) <= highest:
            too_large = text.isascii() and text.isdigit() and int(text[:4000]) > highest
            allowed = bounds if highest != _UNBOUNDED or too_large else f"of at least {lowest}"
            raise argparse.ArgumentTypeError(f"write a whole number {allowed}, not '{text}'")
        return int(text)

    return parse


def positive_number(text: str) -> float:
    """Parses a number greater than 0, with or without decimals."""
    number = _finite(text)
    if number is None or number <= 0:
        raise argparse.ArgumentTypeError(f"write a number greater than 0, not '{text}'")
    return number


def number_from_zero(text: str) -> float:
    """Parses a number of at least 0, with or without decimals."""
    number = _finite(text)
    if number is None or number < 0:
        raise argparse.ArgumentTypeError(f"write a number of at least 0, not '{text}'")
    return number


def _finite(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
