"""Tells from a provider's error that the prompt does not fit into the model's context window. Pure.

Anthropic, OpenAI and Google report it in words or codes of their own, as do the usual local servers.
"""

from __future__ import annotations

import re

_WORDS = re.compile(
    r"""
    prompt\ is\ too\ long | exceed\ context\ limit               # Anthropic
    | request_too_large | request\ exceeds\ the\ maximum\ (allowed\ )?(size|number\ of\ bytes)
    | context_length_exceeded | maximum\ context\ length            # OpenAI, and servers that speak as it does
    | exceeds\ the\ context\ window
    | input\ token\ count\b.{0,80}\bexceeds\ the\ maximum          # Google
    | exceeds?\ the\ available\ context\ size                      # llama.cpp
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


def is_prompt_too_long(failure: str) -> bool:
    """Returns whether a request failed because its prompt is too long; `failure` is what the provider said."""
    return _WORDS.search(failure) is not None
