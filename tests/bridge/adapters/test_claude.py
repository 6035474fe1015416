"""Claude Code's stream is converted to agent events, with and without partial messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.bridge.adapters.claude_stream import (
    answer,
    block,
    cut,
    init,
    message_start,
    prompt,
    prose,
    result,
    to_bytes,
    tool,
    tool_result,
    whole,
)
from tests.bridge.adapters.reading import only, read, streamed
from ttsr_ls.bridge.adapters.claude.adapter import ClaudeAdapter
from ttsr_ls.rules.stream import BlockEnd, Delta, Payload, Snapshot, Source, StreamContext
from ttsr_ls.session.history.turn_events import (
    CallDone,
    CallRefused,
    Extent,
    Text,
    Thinking,
    ToolCall,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    UnseenTrigger,
    Usage,
    UserInput,
)
from ttsr_ls.session.output.agent_events import (
    AgentDelta,
    AgentEvent,
    AnswerEnded,
    AnswerStarted,
    BlockFinished,
    FileWrite,
    SessionSeen,
    SubagentSeen,
    ToolResultSeen,
    TurnClosed,
    TurnOpened,
)

TEXT = StreamContext(Source.TEXT)
PATHS = ("/home/dev/shop/a.ts", "a.ts")
WRITE = '{"file_path": "/home/dev/shop/a.ts", "content": "let a: any;\\nlet b"}'


def test_a_turn_lasts_from_the_prompt_to_the_result() -> None:
    events = read(init(), prompt("hi"), answer(prose("text", ["He", "llo"])), result())
    assert events == [
        SessionSeen("s1", "/home/dev/shop"),
        TurnOpened(UserInput("hi")),
        AnswerStarted("main", "m"),
        AgentDelta("main", Delta(TEXT, "He")),
        AgentDelta("main", Delta(TEXT, "llo")),
        BlockFinished("main", Text("Hello")),
        AgentDelta("main", BlockEnd(TEXT)),
        AnswerEnded("main", complete=True),
        TurnClosed(TurnCompleted()),
    ]


def test_a_turn_without_a_prompt_starts_with_its_first_answer() -> None:
    events = read(answer(prose("text", ["a"])), answer(prose("text", ["b"]), message="msg2"), result())
    assert only(events, TurnOpened, AnswerStarted) == [
        TurnOpened(UnseenTrigger()),
        AnswerStarted("main", "m"),
        AnswerStarted("main", "m"),
    ]


def test_thinking_keeps_its_signature() -> None:
    signature = {"type": "signature_delta", "signature": "c2ln"}
    deltas = [{"type": "thinking_delta", "thinking": "hm"}, signature]
    events = read(answer(block({"type": "thinking", "thinking": ""}, deltas, 0, None)))
    assert BlockFinished("main", Thinking("hm", "c2ln")) in events
    assert AgentDelta("main", Delta(StreamContext(Source.THINKING), "hm")) in events


def test_a_write_is_matched_as_snapshots_of_the_written_text() -> None:
    pieces = ['{"file_path": "/home/dev/sh', 'op/a.ts", "content": "let', " a: any;\\", 'nlet b"}']
    events = streamed(read(answer(tool("Write", pieces))))
    context = StreamContext(Source.TOOL, "write", PATHS, "toolcall:toolu_1", Payload.WRITTEN)
    assert [item.event for item in events] == [
        Snapshot(context, "let"),
        Snapshot(context, "let a: any;"),
        Snapshot(context, "let a: any;\nlet b"),
        BlockEnd(context),
    ]
    assert {(item.call, item.write) for item in events} == {("toolu_1", FileWrite("/home/dev/shop/a.ts", Extent.WHOLE))}


def test_a_path_after_the_content_repeats_the_snapshot() -> None:
    pieces = ['{"content": "x", "file_', 'path": "/home/dev/shop/a.', 'ts"}']
    events = streamed(read(answer(tool("Write", pieces))))
    key = "toolcall:toolu_1"
    context = StreamContext(Source.TOOL, "write", PATHS, key, Payload.WRITTEN)
    assert [item.event for item in events] == [
        Snapshot(StreamContext(Source.TOOL, "write", (), key, Payload.WRITTEN), "x"),
        Snapshot(context, "x"),
        BlockEnd(context),
    ]
    assert events[0].write is None


def test_a_command_is_matched_as_streamed_and_finally_as_json_stringify_writes_it() -> None:
    context = StreamContext(Source.TOOL, "bash", (), "toolcall:toolu_1")
    events = streamed(read(answer(tool("Bash", ['{"command": "ec', 'ho \\"hi\\""}']))))
    assert [item.event for item in events] == [
        Delta(context, '{"command": "ec'),
        Delta(context, 'ho \\"hi\\""}'),
        Snapshot(context, '{"command":"echo \\"hi\\""}'),
        BlockEnd(context),
    ]


def test_a_call_without_arguments_is_an_empty_object() -> None:
    events = read(answer(tool("ExitPlanMode", [""])))
    context = StreamContext(Source.TOOL, "exitplanmode", (), "toolcall:toolu_1")
    assert [item.event for item in streamed(events)] == [Snapshot(context, "{}"), BlockEnd(context)]
    assert BlockFinished("main", ToolCall("toolu_1", "ExitPlanMode", "{}")) in events


def test_whole_blocks_give_the_same_outputs_as_partial_messages() -> None:
    """Partial messages and whole blocks give the same outputs, final texts and block ends."""
    partial = read(
        answer(prose("thinking", ["h", "m"]), prose("text", ["a", "b"], 1), tool("Write", cut(WRITE, 7), 2)),
        tool_result("toolu_1", "ok"),
        result(),
    )
    at_once = read(
        whole(
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "ab"},
            {"type": "tool_use", "id": "toolu_1", "name": "Write", "input": json.loads(WRITE)},
        ),
        tool_result("toolu_1", "ok"),
        result(),
    )
    assert final_texts(partial) == final_texts(at_once)
    assert sorted(map(str, only(partial, BlockEnd, TurnClosed))) == sorted(
        map(str, only(at_once, BlockEnd, TurnClosed))
    )
    assert [json.loads(call.arguments) for call in calls(partial)] == [
        json.loads(call.arguments) for call in calls(at_once)
    ]
    assert (
        only(partial, ToolResultSeen)
        == only(at_once, ToolResultSeen)
        == [ToolResultSeen("main", "toolu_1", CallDone("ok"))]
    )


def final_texts(events: list[AgentEvent]) -> dict[StreamContext, str]:
    texts: dict[StreamContext, str] = {}
    for item in streamed(events):
        match item.event:
            case Delta(context, text):
                texts[context] = texts.get(context, "") + text
            case Snapshot(context, text):
                texts[context] = text
    return texts


def calls(events: list[AgentEvent]) -> list[ToolCall]:
    outputs = [item.output for item in events if isinstance(item, BlockFinished)]
    return [output for output in outputs if isinstance(output, ToolCall)]


def test_whole_blocks_that_repeat_a_streamed_answer_are_ignored() -> None:
    repeated = whole({"type": "text", "text": "Hello"})
    lines = answer(prose("text", ["Hello"]))
    events = read(*lines[:-3], repeated, *lines[-3:], repeated)
    assert events == [*read(*lines)]


def test_tool_results_between_the_blocks_of_an_answer_do_not_end_it() -> None:
    first, second = whole(
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}},
        {"type": "tool_use", "id": "t2", "name": "Bash", "input": {}},
    )
    events = read(first, tool_result("t1", "ok"), second, tool_result("t2", "ok"), result())
    assert len(only(events, AnswerStarted)) == 1


def test_a_message_of_the_synthetic_model_is_ignored() -> None:
    line = whole({"type": "text", "text": "API Error"})[0]
    line["message"]["model"] = "<synthetic>"
    assert read(line) == []


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        (result(), TurnCompleted()),
        (result("aborted_streaming"), TurnCancelled("aborted_streaming")),
        (result("error", error=True, text="no credit"), TurnFailed("no credit")),
        (result() | {"subtype": "error_max_turns"}, TurnFailed("error_max_turns")),
        (prompt("[Request interrupted by user]"), TurnCancelled("interrupted")),
        ([], TurnCancelled("the stream ended")),
    ],
)
def test_the_result_line_gives_the_outcome_of_the_turn(line: Any, outcome: object) -> None:
    assert read(answer(prose("text", ["a"])), line)[-1] == TurnClosed(outcome)  # type: ignore[arg-type]


def test_another_prompt_ends_the_open_turn() -> None:
    events = read(prompt("one"), prompt("two") | {"isSynthetic": True}, prompt("three"))
    assert only(events, TurnOpened, TurnClosed) == [
        TurnOpened(UserInput("one")),
        TurnClosed(TurnCancelled("another prompt came")),
        TurnOpened(UserInput("three")),
        TurnClosed(TurnCancelled("the stream ended")),
    ]


def test_interrupted_prose_has_no_block_end() -> None:
    events = read(answer(prose("text", ["unfini"]), reason=None))
    assert [item.event for item in streamed(events)] == [Delta(TEXT, "unfini")]
    assert only(events, BlockFinished, AnswerEnded) == [
        BlockFinished("main", Text("unfini")),
        AnswerEnded("main", complete=False),
    ]


def test_an_interrupted_call_has_no_block_end() -> None:
    events = read(answer(tool("Write", ['{"file_path": "/home/dev/shop/a.ts", "content": "let a']), reason=None))
    assert [type(item.event) for item in streamed(events)] == [Snapshot]
    assert [call.arguments[-5:] for call in calls(events)] == ["let a"]


def test_another_message_start_ends_the_open_answer() -> None:
    lines = [message_start("msg1"), *prose("text", ["a"])[:-1], *answer(prose("text", ["b"]), message="msg2")]
    assert only(read(*lines), AnswerStarted, BlockFinished, AnswerEnded) == [
        AnswerStarted("main", "m"),
        BlockFinished("main", Text("a")),
        AnswerEnded("main", complete=False),
        AnswerStarted("main", "m"),
        BlockFinished("main", Text("b")),
        AnswerEnded("main", complete=True),
    ]


def test_interleaved_subagents_are_separated_and_named_by_kind() -> None:
    spawn = json.dumps({"subagent_type": "reviewer", "prompt": "look"})
    main = answer(tool("Agent", cut(spawn, 9), call="toolu_sub"))
    sub = answer(prose("text", ["x", "y"], agent="toolu_sub"), message="msg2", agent="toolu_sub")
    other = answer(prose("text", ["1", "2"], agent="toolu_other"), message="msg3", agent="toolu_other")
    mixed = [line for pair in zip(sub, other, strict=True) for line in pair]
    events = read(
        main, mixed, tool_result("inner", "no", agent="toolu_sub", error=True), tool_result("toolu_sub", "fine")
    )
    assert SubagentSeen("toolu_sub", "reviewer") in events
    for agent, text in (("toolu_sub", "xy"), ("toolu_other", "12")):
        assert BlockFinished(agent, Text(text)) in events
        assert AnswerEnded(agent, complete=True) in events
    assert ToolResultSeen("toolu_sub", "inner", CallRefused("no")) in events
    assert ToolResultSeen("main", "toolu_sub", CallDone("fine")) in events


def test_the_prompt_of_a_subagent_starts_no_turn() -> None:
    assert read(prompt("look") | {"parent_tool_use_id": "toolu_sub"}) == []


def test_without_a_folder_paths_are_relative_to_that_of_the_session() -> None:
    adapter = ClaudeAdapter()
    events = adapter.feed(
        to_bytes([init("/srv/x"), *answer(tool("Write", ['{"file_path": "/srv/x/y", "content": ""}']))])
    )
    assert {item.event.context.paths for item in streamed(events)} == {("/srv/x/y", "y")}


def test_usage_is_recorded_with_the_answer() -> None:
    message = {
        "id": "m1",
        "model": "m",
        "usage": {"input_tokens": 3, "cache_read_input_tokens": 40, "output_tokens": 1},
    }
    events = [
        {"type": "message_start", "message": message},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    ]
    lines = [json.dumps({"type": "stream_event", "event": event}) for event in events]
    received = ClaudeAdapter().feed("".join(f"{line}\n" for line in lines).encode())
    assert [event.usage for event in received if isinstance(event, AnswerEnded)] == [Usage(3, 7, 40)]
