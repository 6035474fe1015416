"""Properties of every wire: a decoded answer has the encoded parts, for any split."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.bridge.wire.decoded import CWD, Decoded, decode
from tests.bridge.wire.provider_answers import STOPS, Part, answer, arguments, as_read, by_character
from ttsr_ls.bridge.wire.answer_limits import AnswerLimits
from ttsr_ls.bridge.wire.decoding import build_decoder
from ttsr_ls.rules.stream import Payload, Snapshot
from ttsr_ls.session.history.turn_events import Extent
from ttsr_ls.session.history.turn_output import Text, Thinking, ToolCall
from ttsr_ls.session.output.agent_events import FileWrite
from ttsr_ls.session.output.wire_events import Api, PartFinished, ResponseFinished, ResponseStarted, UsageReported

EVERY = pytest.mark.parametrize("api", list(Api))

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
CALLS = st.builds(
    lambda tool, values: (tool, json.dumps(values, ensure_ascii=False)),
    st.sampled_from(["write", "Edit", "bash", "unheard_of"]),
    st.dictionaries(st.sampled_from(["path", "file_path", "content", "new_string", "command"]), TEXTS),
)


def noted_apis() -> Iterator[Api]:
    """All wires; a failing example names its wire. To make an example takes longer than to decode it."""
    for api in Api:
        note(f"wire: {api}")
        yield api


@st.composite
def answers(draw: st.DrawFn) -> list[Part]:
    """Calls come last, and no text or thinking follows its like: on the chat wire nothing would stand between them."""
    parts: list[Part] = []
    kinds = [*draw(st.lists(st.sampled_from([Text, Thinking]), max_size=4)), *[ToolCall] * draw(st.integers(0, 3))]
    for number, kind in enumerate(kinds):
        if kind is ToolCall:
            tool, input_text = draw(CALLS)
            parts.append(ToolCall(f"call_{number}", tool, input_text))
        elif not parts or not isinstance(parts[-1], kind):
            parts.append(Text(draw(TEXTS)) if kind is Text else Thinking(draw(TEXTS)))
    return parts


@st.composite
def cuts(draw: st.DrawFn) -> list[int]:
    return draw(st.lists(st.integers(1, 7), min_size=1, max_size=8))


def cut_by(lengths: list[int], text: str) -> list[str]:
    pieces, position, turn = [], 0, 0
    while position < len(text):
        length = lengths[turn % len(lengths)]
        pieces.append(text[position : position + length])
        position, turn = position + length, turn + 1
    return pieces


@given(parts=answers(), lengths=cuts())
def test_any_split_gives_the_same_parts_and_matched_texts(parts: list[Part], lengths: list[int]) -> None:
    for api in noted_apis():
        as_one = decode(api, answer(api, parts))
        in_deltas = decode(api, answer(api, parts, lambda text: cut_by(lengths, text)))

        assert as_one.outputs == in_deltas.outputs == as_read(api, parts)
        assert as_one.texts == in_deltas.texts
        assert in_deltas.reason == STOPS[api]
        assert in_deltas.truncated == []
        assert [event for event in in_deltas.events if isinstance(event, ResponseStarted)] == [ResponseStarted("m-1")]
        assert isinstance(
            [event for event in in_deltas.events if not isinstance(event, UsageReported)][-1], ResponseFinished
        )


@given(parts=answers(), data=st.data())
def test_an_interrupted_answer_keeps_its_parts_and_completes_no_call(parts: list[Part], data: st.DataObject) -> None:
    for api in noted_apis():
        events = answer(api, parts, by_character)
        upto = data.draw(st.integers(0, len(events)))
        check_interrupted(decode(api, events[:upto]), as_read(api, parts))


def check_interrupted(decoded: Decoded, parts: list[Part]) -> None:
    streamed = [*decoded.outputs, *decoded.truncated]
    assert len(decoded.truncated) <= len(parts)
    for output, part in zip(streamed, parts, strict=False):
        match output, part:
            case Text(), Text():
                assert part.text.startswith(output.text)
            case Thinking(), Thinking():
                assert part.text.startswith(output.text)
            case ToolCall(), ToolCall():
                assert output.id == part.id
                assert output.arguments == "{}" or part.arguments.startswith(output.arguments)
            case _:
                pytest.fail(f"{output} stands where {part} was")
    if decoded.reason is None:
        assert len(decoded.outputs) <= len(parts)
    else:
        assert decoded.outputs == parts


WORDS = [
    *("content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop", "error"),
    *("tool_use", "text", "web_search_tool_result", "input_json_delta"),
    *("response.output_item.added", "response.output_item.done", "response.output_text.delta"),
    *("message", "function_call", "web_search_call", "STOP"),
]


def everything_json() -> st.SearchStrategy[object]:
    keys = st.sampled_from(
        [
            *("type", "index", "delta", "content_block", "choices", "item", "output_index", "text", "error", "message"),
            *("id", "candidates", "content", "parts", "functionCall", "args", "thoughtSignature", "finishReason"),
            *("usageMetadata", "promptFeedback", "blockReason", "thought"),
        ]
    )
    leaves = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=True) | st.sampled_from(WORDS)
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5))


@given(events=st.lists(everything_json(), max_size=12))
def test_invalid_events_are_skipped(events: list[object]) -> None:
    for api in noted_apis():
        decode(api, events)


@pytest.mark.parametrize("api", [api for api in Api if api is not Api.GEMINI])
def test_a_write_is_matched_as_snapshots_while_it_streams(api: Api) -> None:
    call = ToolCall("call_1", "write", arguments(path="src/a.ts", content="let a: any"))
    snapshots = [
        delta for delta in decode(api, answer(api, [call], by_character)).streamed
        if isinstance(delta.event, Snapshot)
    ]  # fmt: skip
    assert [delta.event.text for delta in snapshots if isinstance(delta.event, Snapshot)] == [
        "let a: any"[:length] for length in range(len("let a: any") + 1)
    ]
    last = snapshots[-1]
    assert last.write == FileWrite("src/a.ts", Extent.WHOLE)
    assert last.call == "call_1"
    assert last.event.context.payload is Payload.WRITTEN
    assert "/project/src/a.ts" in last.event.context.paths


@EVERY
def test_a_command_is_matched_by_its_arguments(api: Api) -> None:
    call = ToolCall("call_1", "bash", arguments(command="ls", path="/x"))
    decoded = decode(api, answer(api, [call], by_character))
    assert decoded.texts == {("tool", "toolcall:call_1"): '{"command":"ls","path":"/x"}'}
    assert {delta.event.context.paths for delta in decoded.streamed} == {()}


@EVERY
def test_a_write_without_known_text_is_matched_by_its_arguments(api: Api) -> None:
    decoded = decode(api, answer(api, [ToolCall("call_1", "write", arguments(path="a.ts", body="any"))]))
    assert decoded.texts == {("tool", "toolcall:call_1"): '{"path":"a.ts","body":"any"}'}
    assert decoded.streamed[0].event.context.payload is Payload.ARGUMENTS
    assert decoded.streamed[0].write is None


@EVERY
def test_an_answer_without_an_end_is_incomplete(api: Api) -> None:
    events = answer(api, [Text("Half a sen")])
    decoded = decode(api, events[: -2 if api in (Api.ANTHROPIC, Api.OPENAI_CHAT) else -1])
    assert decoded.reason is None


@EVERY
def test_events_after_the_end_of_an_answer_are_ignored(api: Api) -> None:
    decoder = build_decoder(api, CWD)
    events = answer(api, [Text("Done.")])
    for event in events:
        decoder.feed(event)
    assert [item for event in events for item in decoder.feed(event)] == []
    assert decoder.finish() == ()


@EVERY
def test_too_many_characters_end_the_answer(api: Api) -> None:
    decoded = decode(api, answer(api, [Text("x" * 60), Thinking("y" * 60)]), AnswerLimits(characters=100))
    assert decoded.failure == "The answer is too long to be matched to its end."
    assert decoded.reason is None
    assert PartFinished(Thinking("y" * 60)) not in decoded.events


@EVERY
def test_too_many_parts_end_the_answer(api: Api) -> None:
    limits = AnswerLimits(parts=3)
    calls: list[Part] = [ToolCall(f"call_{number}", "bash", "{}") for number in range(4)]
    assert decode(api, answer(api, calls[:3]), limits).failure is None
    assert decode(api, answer(api, calls), limits).failure is not None
