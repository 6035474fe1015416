"""Types of arguments: numbers, and names of files and folders.

Each raises `argparse.ArgumentTypeError`, which says what to write. An empty name, as of a shell variable that is not
set, is refused: `Path("")` would be the current folder.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from pathlib import Path

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


def path_argument(text: str) -> Path:
    """Returns the path of a file or a folder."""
    return Path(path_text(text))


def path_text(text: str) -> str:
    """Returns the text of a path, for arguments in which `-` or a pattern has a meaning."""
    if not text:
        raise argparse.ArgumentTypeError("the name of a file or folder is empty")
    return text


def name_argument(text: str) -> str:
    """Returns a name."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return text
