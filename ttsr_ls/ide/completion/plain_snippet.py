"""Converts texts to snippets, and snippets to texts for editors without snippet support."""

from __future__ import annotations

import re

_FIELD = re.compile(r"\$\{\d+:((?:[^}\\]|\\.)*)\}")
_SYNTAX = re.compile(r"[$}\\]")
_ESCAPED = re.compile(r"\\([$}\\])")


def snippet_as_text(text: str) -> str:
    """Returns the text of a snippet with its placeholders replaced by their default texts."""
    return _ESCAPED.sub(r"\1", _FIELD.sub(r"\1", text))


def snippet_literal(text: str) -> str:
    """Returns a text as a part of a snippet that inserts it as it is."""
    return _SYNTAX.sub(r"\\\g<0>", text)
