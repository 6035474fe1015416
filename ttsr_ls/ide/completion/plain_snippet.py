"""Snippets for editors that know none."""

from __future__ import annotations

import re

_FIELD = re.compile(r"\$\{\d+:((?:[^}\\]|\\.)*)\}")
_ESCAPED = re.compile(r"\\([$}\\])")


def plain_snippet(text: str) -> str:
    """The text of a snippet with what its fields say, and no fields."""
    return _ESCAPED.sub(r"\1", _FIELD.sub(r"\1", text))
