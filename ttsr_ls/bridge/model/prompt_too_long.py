"""Recognises errors of providers about a prompt that does not fit into the model's context window. Pure.

Anthropic, OpenAI, Google, and common local servers each have their own texts or codes.
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
    """Returns whether a request failed because its prompt is too long; `failure` is the provider's message."""
    return _WORDS.search(failure) is not None
