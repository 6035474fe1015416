"""The messages for answers that ended before the model was done. Pure.

Stop reasons are the providers' words: `stop_reason` of Anthropic's Messages, `finish_reason` of OpenAI's Chat
Completions, `completed` or the reason of an incomplete response of its Responses, and `finishReason` of Gemini.
"""

from __future__ import annotations

_USUAL = frozenset(
    ("STOP", "completed", "end_turn", "function_call", "pause_turn", "stop", "stop_sequence", "tool_calls", "tool_use")
)
CONTEXT_WINDOW_EXCEEDED = "model_context_window_exceeded"
"""Anthropic's stop reason of an answer that reached the end of the context window, although its prompt fit."""

_MESSAGES = {
    "max_tokens": "The answer reached the model's length limit and is incomplete.",
    "length": "The answer reached the model's length limit and is incomplete.",
    "max_output_tokens": "The answer reached the model's length limit and is incomplete.",
    "refusal": "The model refused to answer. Ask in another way, or start a new session.",
    "content_filter": "The provider's content filter ended the answer. Ask in another way, or start a new session.",
    "MAX_TOKENS": "The answer reached the model's length limit and is incomplete.",
    **dict.fromkeys(
        ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"),
        "The provider's content filter ended the answer. Ask in another way, or start a new session.",
    ),
    "MALFORMED_FUNCTION_CALL": "The model made a tool call that its provider could not read. Ask again.",
    CONTEXT_WINDOW_EXCEEDED: "The conversation fills the model's context window, so the answer is incomplete. "
    "The history is compacted before the next request.",
}
EMPTY = "The model's answer is empty. Ask again, or in another way."


def unusual_ending(reason: str | None, *, is_empty: bool) -> str | None:
    """Returns the message for an answer that ended for `reason`, as a full sentence; None if the model was done.

    `is_empty` is true if the answer has neither text nor tool calls.
    """
    if reason is None:
        return None
    if reason in _MESSAGES:
        return _MESSAGES[reason]
    if reason not in _USUAL:
        return f"The answer ended for the reason {reason[:100]!r}, which is not known here; it may be incomplete."
    return EMPTY if is_empty and reason != "pause_turn" else None
