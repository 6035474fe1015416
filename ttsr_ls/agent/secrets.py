"""Masks API keys and other secrets of the environment in results of tools. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from msgspec import Struct

SHORTEST = 8
"""Shorter values are not masked, because they would also occur in unrelated text."""

_LONG_LINE = 32
"""A line of a value with several lines, such as a private key, is masked alone if it is at least so long and has no
blank: tools may return a part of a file."""

_SHORTEST_PART = 4
"""Shorter parts of a value say nothing about it."""

# `KEYBOARD` and `TOKENIZER` are no secrets.
_NAMES = re.compile(r"SECRET|PASSWORD|PASSWD|CREDENTIAL|(?:KEY|TOKEN)S?(?:_|$)", re.I)


class Secrets(Struct, frozen=True):
    """Values that no model needs to see, each with the name of its variable; longer values first."""

    values: tuple[tuple[str, str], ...]

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], known_names: Collection[str]) -> Secrets:
        """Returns the values of the variables in `known_names`, and of those that are named like a secret."""
        found: dict[str, str] = {}
        for name, value in environment.items():
            text = value.strip()
            if (name in known_names or _NAMES.search(name)) and len(text) >= SHORTEST:
                found[text] = name
                found |= dict.fromkeys(_long_lines(text), name)
        return cls(tuple(sorted(found.items(), key=lambda item: (-len(item[0]), item[0]))))

    def mask(self, text: str) -> str:
        """Returns the text with each of the values replaced by the name of its variable."""
        for value, name in self.values:
            text = text.replace(value, f"[value of {name}]")
        return text

    def without_cut_end(self, text: str) -> str:
        """Returns a text whose rest was left out, without the beginning of a value at its end."""
        return text[: len(text) - max((_cut_length(text, value) for value, _ in self.values), default=0)]

    def without_cut_start(self, text: str) -> str:
        """Returns a text whose beginning was left out, without the end of a value at its start."""
        backwards = text[::-1]
        return text[max((_cut_length(backwards, value[::-1]) for value, _ in self.values), default=0) :]


def _long_lines(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if len(line) >= _LONG_LINE and len(line.split()) == 1] if len(lines) > 1 else []


def _cut_length(text: str, value: str) -> int:
    """Returns how much of a value stands at the end of a text; 0 for all of it, and for a part that says nothing."""
    if text.endswith(value):
        return 0
    sizes = range(min(len(value) - 1, len(text)), _SHORTEST_PART - 1, -1)
    return next((size for size in sizes if text.endswith(value[:size])), 0)


NO_SECRETS = Secrets(())
