"""Token usage as each provider reports it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bridge.wire.decoded import Decoded, decode
from tests.bridge.wire.provider_answers import USAGE, Event, answer, chunk
from ttsr_ls.bridge.wire.usage import anthropic_usage, chat_usage, responses_usage
from ttsr_ls.session.history.turn_output import Text
from ttsr_ls.session.history.usage import MAX_TOKENS, Usage
from ttsr_ls.session.output.wire_events import Api, UsageReported


def reported(decoded: Decoded) -> list[Usage]:
    return [event.usage for event in decoded.events if isinstance(event, UsageReported)]


def anthropic_answer(start: Event, delta: Event) -> list[Event]:
    events = answer(Api.ANTHROPIC, [Text("Hello.")])
    events[0]["message"]["usage"] = start
    events[-2]["usage"] = delta
    return events


def test_anthropic_reports_the_prompt_first_and_the_answer_last() -> None:
    start = {
        "input_tokens": 10,
        "cache_read_input_tokens": 200,
        "cache_creation_input_tokens": 30,
        "output_tokens": 1,
    }
    events = anthropic_answer(start, {"output_tokens": 55, "input_tokens": None})
    assert reported(decode(Api.ANTHROPIC, events)) == [Usage(10, 1, 200, 30), Usage(10, 55, 200, 30)]
    assert Usage(10, 55, 200, 30).prompt_tokens == 240


def test_anthropic_may_correct_the_prompt_at_the_end() -> None:
    events = anthropic_answer({"input_tokens": 10, "output_tokens": 1}, {"input_tokens": 12, "output_tokens": 5})
    assert reported(decode(Api.ANTHROPIC, events))[-1] == Usage(12, 5)


def test_an_interrupted_anthropic_answer_has_the_usage_of_the_prompt() -> None:
    events = anthropic_answer({"input_tokens": 10, "output_tokens": 1}, {"output_tokens": 5})[:3]
    assert reported(decode(Api.ANTHROPIC, events)) == [Usage(10, 1)]


def test_chat_reports_after_the_end_and_counts_cached_tokens_twice() -> None:
    events = answer(Api.OPENAI_CHAT, [Text("Hello.")])
    events[-1]["usage"] = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 64},
        "completion_tokens_details": {"reasoning_tokens": 12},
    }
    decoded = decode(Api.OPENAI_CHAT, events)
    assert decoded.reason == "stop"
    assert reported(decoded) == [Usage(36, 20, 64)]


def test_servers_that_report_with_each_chunk_are_read_too() -> None:
    events = [
        {**chunk({"content": "Hello."}), "usage": {"prompt_tokens": 4, "completion_tokens": 1}},
        {**chunk({}, "stop"), "usage": {"prompt_tokens": 4, "completion_tokens": 2}},
        {**chunk({}, "stop"), "usage": None},
    ]
    assert reported(decode(Api.OPENAI_CHAT, events)) == [Usage(4, 1), Usage(4, 2)]


@pytest.mark.parametrize("kind", ["response.completed", "response.incomplete", "response.failed"])
def test_responses_report_with_the_last_event(kind: str) -> None:
    events = answer(Api.OPENAI_RESPONSES, [Text("Hello.")])
    details = {"cached_tokens": 64, "cache_write_tokens": 16}
    usage = {"input_tokens": 100, "output_tokens": 20, "input_tokens_details": details}
    events[-1] = {"type": kind, "response": {"usage": usage}}
    assert reported(decode(Api.OPENAI_RESPONSES, events)) == [Usage(20, 20, 64, 16)]


@pytest.mark.parametrize("api", list(Api))
def test_without_a_report_there_is_no_usage(api: Api) -> None:
    def bare(event: Any) -> Any:
        return (
            {key: bare(value) for key, value in event.items() if key not in _NAMES}
            if isinstance(event, dict)
            else event
        )

    assert reported(decode(api, [bare(event) for event in answer(api, [Text("Hello.")])])) == []


_NAMES = ("usage", "usageMetadata")
_VALUES: st.SearchStrategy[object] = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.just([]) | st.just({})
)
_KEYS = st.sampled_from(
    [
        *("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"),
        *("prompt_tokens", "completion_tokens", "input_tokens_details", "prompt_tokens_details"),
    ]
)
_DETAILS = st.dictionaries(st.just("cached_tokens"), _VALUES)


@given(st.dictionaries(_KEYS, _VALUES | _DETAILS) | _VALUES)
def test_counts_are_bounded_and_not_negative_for_any_report(value: Any) -> None:
    for usage in (anthropic_usage(value, None), chat_usage(value), responses_usage(value)):
        if usage is not None:
            counts = (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
            assert all(type(count) is int and 0 <= count <= MAX_TOKENS for count in counts)


def test_the_usage_of_provider_answers_in_tests_is_read() -> None:
    assert chat_usage(USAGE) == Usage(1, 1)
