"""The exact messages for each kind of step and provider."""

from __future__ import annotations

import pytest

from tests.session.projection.whole import anthropic_messages, chat_messages, conversation, responses_input, trimmed
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import (
    AgentMessage,
    BackgroundHook,
    ChannelMessage,
    CompactionRehydration,
    CompactionSummary,
    GoalContinuation,
    Injection,
    InjectionKind,
    InterruptedByRules,
    Interruption,
    ModelCall,
    NumberedStep,
    RehydratedFile,
    ResumedSession,
    ScheduledTask,
    Step,
    ToolBatch,
    Turn,
    TurnCompleted,
    TurnTrigger,
    UnseenTrigger,
    UserInput,
)
from ttsr_ls.session.history.turn_events import MAIN_AGENT
from ttsr_ls.session.history.turn_output import (
    CallAbandoned,
    CallDone,
    CallRefused,
    Image,
    Output,
    SealedReasoning,
    ServerTool,
    Text,
    Thinking,
    ToolCall,
    ToolItem,
    ToolState,
)
from ttsr_ls.session.projection.anthropic import CONTINUE, OPENING
from ttsr_ls.session.projection.conversation import AssistantMessage, Item, PromptMessage
from ttsr_ls.session.projection.trimming import TRIMMED, Trimming

PICTURE = Image("image/png", "aGk=")


def turn(trigger: TurnTrigger, *steps: Step) -> tuple[Item, ...]:
    numbered = tuple(NumberedStep(number, step) for number, step in enumerate(steps))
    return conversation((Turn("t1", trigger, numbered, TurnCompleted()),), MAIN_AGENT)


def answer(*output: Output) -> ModelCall:
    return ModelCall(MAIN_AGENT, "m", output, complete=True)


def batch(*states: tuple[str, ToolState], reminders: tuple[str, ...] = ()) -> ToolBatch:
    return ToolBatch(MAIN_AGENT, tuple(ToolItem(call, "read", state, reminders) for call, state in states))


def note(text: str, role: Role) -> Injection:
    return Injection(MAIN_AGENT, InjectionKind.INTERRUPT, role, text)


def results(items: tuple[Item, ...]) -> list[tuple[str, bool]]:
    return [
        (call.result.joined, call.result.failed)
        for item in items
        if isinstance(item, AssistantMessage)
        for call in item.calls
    ]


@pytest.mark.parametrize(
    ("trigger", "text"),
    [
        (UserInput("hello"), "hello"),
        (ScheduledTask("sweep"), "[scheduled] sweep"),
        (AgentMessage("builder@host", "done"), "[from: builder@host] done"),
        (ChannelMessage("dev", "ann", "look"), "[from: #dev/ann] look"),
        (GoalContinuation("go on"), "go on"),
        (BackgroundHook("tests are red"), "tests are red"),
    ],
)
def test_a_turn_trigger_is_sent_with_its_prefix(trigger: TurnTrigger, text: str) -> None:
    assert turn(trigger) == (PromptMessage(Role.USER, (Text(text),)),)


@pytest.mark.parametrize("trigger", [ResumedSession(), UnseenTrigger(), UserInput(" \n")])
def test_a_turn_trigger_without_text_sends_no_message(trigger: TurnTrigger) -> None:
    assert turn(trigger) == ()


def test_results_of_parallel_calls_are_sent_in_call_order_before_text() -> None:
    calls = answer(ToolCall("a", "read", '{"path": "x"}'), ToolCall("b", "read", ""))
    items = turn(
        UserInput("go"), calls, note("by the way", Role.USER), batch(("b", CallDone("2")), ("a", CallDone("1")))
    )
    assert anthropic_messages(items) == [
        {"role": "user", "content": [{"type": "text", "text": "go"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "a", "name": "read", "input": {"path": "x"}},
                {"type": "tool_use", "id": "b", "name": "read", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "1"},
                {"type": "tool_result", "tool_use_id": "b", "content": "2"},
                {"type": "text", "text": "by the way"},
            ],
        },
    ]
    assert [message["role"] for message in chat_messages(items)] == ["user", "assistant", "tool", "tool", "user"]
    assert [item.get("call_id", item["type"]) for item in responses_input(items)] == [
        "message",
        *("a", "b"),
        *("a", "b"),
        "message",
    ]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (CallDone("ok"), ("ok", False)),
        (CallDone(""), ("[no output]", False)),
        (CallRefused("not allowed"), ("not allowed", True)),
        (CallAbandoned("the turn ended first"), ("[cancelled: the turn ended first]", True)),
    ],
)
def test_each_call_state_projects_to_a_result(state: ToolState, expected: tuple[str, bool]) -> None:
    assert results(turn(UserInput("go"), answer(ToolCall("a", "read", "{}")), batch(("a", state)))) == [expected]


def test_a_call_without_a_batch_gets_a_result() -> None:
    items = turn(UserInput("go"), answer(ToolCall("a", "read", "{}")))
    assert results(items) == [("[cancelled: no result is on record]", True)]


def test_reminders_are_sent_before_the_result() -> None:
    tool_batch = batch(("a", CallDone("ok")), reminders=("<system-reminder>x</system-reminder>",))
    items = turn(UserInput("go"), answer(ToolCall("a", "read", "{}")), tool_batch)
    assert results(items) == [("<system-reminder>x</system-reminder>\n\nok", False)]
    blocks = [
        {"type": "text", "text": "<system-reminder>x</system-reminder>"},
        {"type": "text", "text": "ok"},
    ]
    assert anthropic_messages(items)[-1]["content"][0]["content"] == blocks
    parts = [{"type": "input_text", "text": block["text"]} for block in blocks]
    assert responses_input(items)[-1]["output"] == parts
    assert chat_messages(items)[-1]["content"] == "<system-reminder>x</system-reminder>\n\nok"


def test_a_duplicate_call_id_is_replaced_in_call_and_result() -> None:
    step = (answer(ToolCall("call_0", "read", "{}")), batch(("call_0", CallDone("x"))))
    ids = [
        call.id
        for item in turn(UserInput("go"), *step, *step)
        if isinstance(item, AssistantMessage)
        for call in item.calls
    ]
    assert ids == ["call_0", "call_1"]


def test_a_cancelled_turn_and_the_next_prompt_are_one_message() -> None:
    turns = (
        Turn("t1", UserInput("one"), (), TurnCompleted()),
        Turn("t2", UserInput("two"), (), TurnCompleted()),
    )
    items = conversation(turns, MAIN_AGENT)
    assert [message["role"] for message in anthropic_messages(items)] == ["user"]
    assert chat_messages(items) == [{"role": "user", "content": "one\n\ntwo"}]
    assert len(responses_input(items)) == 1


def test_anthropic_messages_start_and_end_with_the_user() -> None:
    messages = anthropic_messages(turn(UnseenTrigger(), answer(Text("hi"))))
    assert [message["content"][0]["text"] for message in messages] == [OPENING, "hi", CONTINUE]


def test_images_of_the_user_are_sent_on_all_three_wires() -> None:
    items = turn(UserInput("see", (PICTURE,)))
    source = {"type": "base64", "media_type": "image/png", "data": "aGk="}
    url = "data:image/png;base64,aGk="
    assert anthropic_messages(items)[0]["content"][1] == {"type": "image", "source": source}
    assert chat_messages(items)[0]["content"][1] == {"type": "image_url", "image_url": {"url": url}}
    assert responses_input(items)[0]["content"][1] == {"type": "input_image", "detail": "auto", "image_url": url}


def test_images_of_a_tool_follow_results_that_are_text_only() -> None:
    items = turn(UserInput("see"), answer(ToolCall("a", "read", "{}")), batch(("a", CallDone("", (PICTURE,)))))
    tool, person = chat_messages(items)[2:]
    assert tool["content"] == "[see the images below]"
    assert [part["type"] for part in person["content"]] == ["text", "image_url"]
    assert anthropic_messages(items)[2]["content"][0]["content"][0]["type"] == "image"
    assert responses_input(items)[2]["output"][0]["type"] == "input_image"


@pytest.mark.parametrize("image", [Image("image/tiff", "aGk="), Image("image/png", "")])
def test_an_unsupported_image_is_replaced_by_its_type(image: Image) -> None:
    (message,) = turn(UserInput("", (image,)))
    assert message == PromptMessage(Role.USER, (Text(f"[an image of type {image.media_type} is left out]"),))


def test_signed_thinking_is_sent_back_unchanged_and_unsigned_is_left_out() -> None:
    signed = Thinking(" h\u00e9\u2028 ", "c2ln+/==")
    blocks = anthropic_messages(turn(UserInput("go"), answer(Thinking("lost"), signed, Text("x"))))[1]["content"]
    assert blocks[0] == {"type": "thinking", "thinking": signed.text, "signature": signed.signature}
    assert [block["type"] for block in blocks] == ["thinking", "text"]


def test_reasoning_is_sent_back_before_its_output_and_never_alone() -> None:
    sealed = SealedReasoning("rs_1", ("why",), "Z0FB==")
    items = turn(UserInput("go"), answer(sealed, Text("x"), SealedReasoning("rs_2", (), "alone")))
    assert responses_input(items)[1:] == [
        {
            "type": "reasoning",
            "id": "rs_1",
            "summary": [{"type": "summary_text", "text": "why"}],
            "encrypted_content": "Z0FB==",
        },
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]},
    ]


SEARCH = ServerTool("srvtoolu_1", "web_search", '{"query": "q"}', "web_search_tool_result", '[{"url": "u"}]')


def test_a_server_tool_and_its_result_are_adjacent() -> None:
    blocks = anthropic_messages(turn(UserInput("go"), answer(SEARCH, Text("x"))))[1]["content"]
    assert blocks[:2] == [
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [{"url": "u"}]},
    ]


def test_another_provider_gets_a_note_about_a_server_tool() -> None:
    items = turn(UserInput("go"), answer(SEARCH))
    assert chat_messages(items)[1]["content"] == '[used web_search {"query": "q"}]'


@pytest.mark.parametrize(("mode", "kept"), [(ContextMode.KEEP, True), (ContextMode.DISCARD, False)])
def test_an_interrupted_answer_is_sent_again_only_in_keep_mode(mode: ContextMode, kept: bool) -> None:
    cut = ModelCall(MAIN_AGENT, "m", (Text("I unwrap"), ToolCall("a", "edit", '{"path": "a.r')), complete=False)
    steps = (cut, batch(("a", CallAbandoned("cut"))), Interruption(MAIN_AGENT, 0, InterruptedByRules(("r",)), mode))
    items = turn(UserInput("go"), *steps, note("do not unwrap", Role.USER))
    middle = [AssistantMessage((Text("I unwrap"),))] if kept else []
    assert list(items[1:-1]) == middle
    assert items[-1] == PromptMessage(Role.USER, (Text("do not unwrap"),))


def test_after_a_compaction_its_summary_and_rehydrated_files_are_sent() -> None:
    files = (RehydratedFile('{"path": "a"}', "A"), RehydratedFile('{"path": "b"}', "B"))
    items = turn(
        UserInput("long ago"),
        answer(Text("much")),
        CompactionSummary(MAIN_AGENT, "so far", "understood"),
        CompactionRehydration(MAIN_AGENT, "read", files),
    )
    wire = anthropic_messages(items)
    assert [message["role"] for message in wire] == ["user", "assistant", "user"]
    assert [block.get("text") or block["input"] for message in wire[:2] for block in message["content"]] == [
        "so far",
        "understood",
        {"path": "a"},
        {"path": "b"},
    ]
    assert [block["content"] for block in wire[2]["content"]] == ["A", "B"]


def test_the_compaction_of_a_subagent_is_no_boundary_for_the_main_agent() -> None:
    items = turn(UserInput("stays"), CompactionSummary("call_sub", "so far", "understood"))
    assert items == (PromptMessage(Role.USER, (Text("stays"),)),)


def test_only_old_results_are_trimmed() -> None:
    step = (answer(ToolCall("a", "read", "{}")), batch(("a", CallDone("x" * 50, (PICTURE,)))))
    items = turn(UserInput("go"), *step, *step)
    assert results(trimmed(items, Trimming(answers_kept=1, longest_result=10))) == [(TRIMMED, False), ("x" * 50, False)]
