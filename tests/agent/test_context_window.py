"""When the history is shortened for the context window, and how errors about long prompts are recognised."""

from __future__ import annotations

import pytest

from ttsr_ls.agent.context_window import ContextWindow, MakeRoom
from ttsr_ls.bridge.model.context_windows import context_window_of
from ttsr_ls.bridge.model.prompt_too_long import is_prompt_too_long
from ttsr_ls.session.history.usage import Usage

FULL, FINE = Usage(700, 50, 50), Usage(700, 50, 49)


def test_above_the_threshold_results_are_trimmed_then_the_history_is_compacted() -> None:
    window = ContextWindow(1000)
    assert window.after_answer(FINE) is MakeRoom.NOTHING
    assert window.after_answer(FULL) is MakeRoom.TRIM
    assert window.after_answer(FINE) is MakeRoom.NOTHING
    assert window.after_answer(FULL) is MakeRoom.COMPACT
    window.compacted()
    assert [window.after_answer(usage) for usage in (FINE, FULL, FULL)] == [
        MakeRoom.NOTHING,
        MakeRoom.TRIM,
        MakeRoom.COMPACT,
    ]


def test_without_a_size_or_usage_no_room_is_made() -> None:
    assert ContextWindow(None).after_answer(FULL) is MakeRoom.NOTHING
    assert ContextWindow(1000).after_answer(None) is MakeRoom.NOTHING


def test_a_compaction_that_does_not_help_is_not_repeated_until_an_answer_fits() -> None:
    window = ContextWindow(1000)
    window.compacted()
    assert [window.after_answer(FULL) for _ in range(5)] == [MakeRoom.NOTHING] * 5
    assert window.after_answer(FINE) is MakeRoom.NOTHING
    assert window.after_answer(FULL) is MakeRoom.TRIM


def test_a_failed_compaction_is_not_repeated_until_the_history_is_shorter() -> None:
    window = ContextWindow(1000)
    assert [window.after_answer(FULL) for _ in range(2)] == [MakeRoom.TRIM, MakeRoom.COMPACT]
    window.compaction_failed()
    assert [window.after_answer(FULL) for _ in range(5)] == [MakeRoom.NOTHING] * 5
    window.restarted()
    assert window.after_answer(FULL) is MakeRoom.TRIM


@pytest.mark.parametrize(
    "failure",
    [
        "The provider reported invalid_request_error: prompt is too long: 210000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length",
        "The model at https://x refused with status 400: This model's maximum context length is 128000 tokens.",
        "The provider reported context_length_exceeded: Your input exceeds the context window of this model.",
        "refused with status 400: Reduce the length of the messages. (context_length_exceeded)",
        "The model at https://x refused with status 413: Request exceeds the maximum size",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "the request exceeds the available context size. try increasing the context size",
    ],
)
def test_errors_of_providers_about_long_prompts_are_recognised(failure: str) -> None:
    assert is_prompt_too_long(failure)


@pytest.mark.parametrize(
    "failure",
    [
        "",
        "The provider reported overloaded_error: Overloaded",
        "refused with status 400: max_tokens: 300000 > 64000, which is the maximum allowed number of output tokens",
        "refused with status 429: Rate limit reached for tokens per min. Limit 30000.",
        "The answer is too long to be matched to its end.",
    ],
)
def test_other_errors_are_not_recognised_as_long_prompts(failure: str) -> None:
    assert not is_prompt_too_long(failure)


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("claude-sonnet-4-5", 200_000),
        ("anthropic/claude-opus-5-5", 200_000),
        ("gemini-2.5-pro", 1_000_000),
        ("qwen3-coder", None),
        ("my-claude-", None),
    ],
)
def test_well_known_models_have_a_context_window(model: str, window: int | None) -> None:
    assert context_window_of(model) == window
