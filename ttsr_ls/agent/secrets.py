"""Masks API keys and other secrets of the environment in results of tools. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from msgspec import Struct

SHORTEST = 8
"""Shorter values are not masked, because they would also occur in unrelated text."""

_NAMES = re.compile(r"(?:^|_)(?:API_?KEY|ACCESS_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)", re.I)


class Secrets(Struct, frozen=True):
    """Values that no model needs to see, each with the name of its variable; longer values first."""

    values: tuple[tuple[str, str], ...]

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], known_names: Collection[str]) -> Secrets:
        """Returns the values of the variables in `known_names`, and of those that are named like a secret."""
        found = {
            value.strip(): name
            for name, value in environment.items()
            if (name in known_names or _NAMES.search(name)) and len(value.strip()) >= SHORTEST
        }
        return cls(tuple(sorted(found.items(), key=lambda item: (-len(item[0]), item[0]))))

    def mask(self, text: str) -> str:
        """Returns the text with each of the values replaced by the name of its variable."""
        for value, name in self.values:
            text = text.replace(value, f"[value of {name}]")
        return text


NO_SECRETS = Secrets(())
