"""Token usage as each provider reports it. Missing and invalid counts are 0.

Anthropic's prompt tokens are counted without those of the cache; those of OpenAI and Google include them.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ttsr_ls.bridge.wire.fields import get_field
from ttsr_ls.session.history.usage import MAX_TOKENS, NO_USAGE, Usage

_ANTHROPIC = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_input_tokens": "cache_read_tokens",
    "cache_creation_input_tokens": "cache_write_tokens",
}

_NO_COUNTS: list[int | None] = [None] * 5
_OPENAI_CACHE = ("cached_tokens", "cache_write_tokens")


def anthropic_usage(reported: Any, before: Usage | None) -> Usage | None:
    """The usage after a report of the Messages API. Reports are cumulative, and a later one may lack some counts."""
    if reported is None:
        return before
    counts = [(ours, _tokens(reported, theirs)) for theirs, ours in _ANTHROPIC.items()]
    known = {ours: count for ours, count in counts if count is not None}
    return replace(before or NO_USAGE, **known) if known else before


def chat_usage(reported: Any) -> Usage | None:
    """The usage that a chunk of Chat Completions reports; None where it reports none."""
    return _openai(reported, "prompt_tokens", "completion_tokens", "prompt_tokens_details")


def responses_usage(reported: Any) -> Usage | None:
    """The usage that the last event of the Responses API reports; None where it reports none."""
    return _openai(reported, "input_tokens", "output_tokens", "input_tokens_details")


def gemini_usage(reported: Any) -> Usage | None:
    """The usage that a chunk of the Gemini API reports, in its spelling or that of its SDK; None if there is none."""

    def count(name: str, sdk_name: str) -> int | None:
        found = _tokens(reported, name)
        return _tokens(reported, sdk_name) if found is None else found

    prompt = count("promptTokenCount", "prompt_token_count")
    answer = count("candidatesTokenCount", "candidates_token_count")
    thoughts = count("thoughtsTokenCount", "thoughts_token_count")
    if prompt is None and answer is None and thoughts is None:
        return None
    cached = count("cachedContentTokenCount", "cached_content_token_count") or 0
    tools = count("toolUsePromptTokenCount", "tool_use_prompt_token_count") or 0
    output = min((answer or 0) + (thoughts or 0), MAX_TOKENS)
    return Usage(min(max(0, (prompt or 0) - cached) + tools, MAX_TOKENS), output, cache_read_tokens=cached)


def _openai(reported: Any, prompt: str, output: str, details: str) -> Usage | None:
    prompt_count, output_count = _tokens(reported, prompt), _tokens(reported, output)
    if prompt_count is None and output_count is None:
        return None
    cached, written = (_tokens(get_field(reported, details), name) or 0 for name in _OPENAI_CACHE)
    return Usage(max(0, (prompt_count or 0) - cached - written), output_count or 0, cached, written)


def _tokens(value: Any, key: str) -> int | None:
    """The count under `key`; None where there is none."""
    found = value.get(key) if isinstance(value, dict) else get_field(value, key)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        return None
    return min(found, MAX_TOKENS)


def counted_usage(
    reported: Any, *, prompt: str, output: str, read: str = "", written: str = "", thinking: str = ""
) -> Usage | None:
    """The usage in an agent's report, by the names of its counts. `prompt` excludes tokens of the cache.

    `thinking` are tokens that `output` excludes. None if the agent reports none of the counts.
    """
    names = (prompt, output, read, written, thinking)
    counts = [_tokens(reported, name) if name else None for name in names]
    if counts == _NO_COUNTS:
        return None
    prompt_count, output_count, cached, stored, thoughts = [count or 0 for count in counts]
    return Usage(prompt_count, min(output_count + thoughts, MAX_TOKENS), cached, stored)


def inclusive_usage(
    reported: Any, *, prompt: str, output: str, read: str, written: str = "", thinking: str = ""
) -> Usage | None:
    """The usage of an agent whose `prompt` tokens include those of the cache; otherwise like `counted_usage`."""
    usage = counted_usage(reported, prompt=prompt, output=output, read=read, written=written, thinking=thinking)
    if usage is None:
        return None
    return replace(usage, input_tokens=max(0, usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens))
