"""Scripts: their lines, and the positions of errors."""

from __future__ import annotations

import pytest

from tests.bridge.wire.decoded import decode
from ttsr_ls.bridge.model.endpoint import ModelError
from ttsr_ls.bridge.model.request import ModelRequest
from ttsr_ls.bridge.model.script import (
    CallTool,
    FailStream,
    PauseStream,
    ReportUsage,
    SayText,
    Script,
    ScriptError,
    ThinkText,
    read_script,
    split_words,
)
from ttsr_ls.bridge.model.scripted import ScriptedModel
from ttsr_ls.session.history.turn_output import Text, Thinking, ToolCall
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.wire_events import Api

EVERYTHING = """\
# What a model says.
answers:
  - - thinking: Let me see.
      signature: "c2ln"
    - text: I will write it.
    - pause: 0.5
    - tool: write
      arguments: {path: a.py, content: "x = 1\\n", deep: [1, {b: null}]}
    - tool: tasks
  - Done, at last.
  - - text: [He, llo, "  "]
    - usage: {input: 900, output: 40, cache_read: 7, cache_write: 8}
    - error: Overloaded
judge:
  - '{"1": 0.9}'
"""


def test_a_script_with_every_kind_of_line_is_read() -> None:
    arguments = {"path": "a.py", "content": "x = 1\n", "deep": [1, {"b": None}]}
    assert read_script(EVERYTHING) == Script(
        answers=(
            (
                ThinkText(("Let", " me", " see."), "c2ln"),
                SayText(("I", " will", " write", " it.")),
                PauseStream(0.5),
                CallTool("write", arguments),  # type: ignore[arg-type]
                CallTool("tasks", {}),
            ),
            (SayText(("Done,", " at", " last.")),),
            (SayText(("He", "llo", "  ")), ReportUsage(Usage(900, 40, 7, 8)), FailStream("Overloaded")),
        ),
        judge=((SayText(('{"1":', " 0.9}")),),),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Line 1: A script is a mapping of keys to values."),
        ("answers: [", "Line 1: this is not YAML: "),
        ("# x\njudge: []", "Line 2: a script needs `answers`."),
        ("answers: []\nmodel: x", "Line 2: a script has `answers` and `judge`, not `model`."),
        ("answers: {}", "Line 1: `answers` is a list."),
        ("answers:\n  - a: b", "Line 2: An answer is a list."),
        ("answers:\n  - [usage: {in: 1}]", "Line 2: `usage` has `input`, `output`, `cache_read`, `cache_write`."),
        ("answers:\n  - [usage: {input: -1}]", "Line 2: a number of tokens is needed here."),
        ("answers:\n  - [usage: {input: yes}]", "Line 2: a number of tokens is needed here."),
        ("answers:\n  - [usage: {input: 1e400}]", "Line 2: a number of tokens is needed here."),
        ("answers:\n  - [x]", "Line 2: A part of an answer is a mapping of keys to values."),
        ("answers:\n  - - text: a\n      tool: b", "Line 2: a part of an answer is `text`, "),
        ("answers:\n  - - text: 1", "Line 2: a text is needed here"),
        ("answers:\n  - - pause: -1", "Line 2: a pause is a number of seconds, at most 600."),
        ("answers:\n  - - pause: yes", "Line 2: a pause is a number"),
        ("answers:\n  - - pause: .nan", "Line 2: a pause is a number"),
        ("answers:\n  - - tool: x\n      arguments: {a: .inf}", "Line 3: JSON has no such number."),
        ("answers:\n  - - tool: x\n      arguments: []", "Line 3: `arguments` is a mapping"),
        (f"answers: [{'a' * 1024 * 1024}]", "A script has at most 1048576 characters."),
    ],
)
def test_script_errors_name_the_line(text: str, message: str) -> None:
    with pytest.raises(ScriptError) as error:
        read_script(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("text", ["", " ", "a", " a  b\n", "a\n\n", "\n a"])
def test_split_words_join_to_the_text(text: str) -> None:
    assert "".join(split_words(text)) == text
    assert len(split_words(text)) <= max(1, len(text.split()))


async def test_a_scripted_model_gives_its_answers_in_order() -> None:
    model = ScriptedModel(read_script(EVERYTHING.replace("0.5", "0")).answers)
    request = ModelRequest(())
    answers = [decode(Api.ANTHROPIC, [event async for event in model.stream(request)]) for _ in range(3)]
    arguments = '{"path": "a.py", "content": "x = 1\\n", "deep": [1, {"b": null}]}'
    assert answers[0].outputs == [
        Thinking("Let me see.", "c2ln"),
        Text("I will write it."),
        ToolCall("call_1_2", "write", arguments),
        ToolCall("call_1_3", "tasks", "{}"),
    ]
    assert [decoded.reason for decoded in answers] == ["tool_use", "end_turn", None]
    assert answers[2].failure == "The provider reported api_error: Overloaded"
    with pytest.raises(ModelError, match="only 3 answers"):
        [event async for event in model.stream(request)]
    await model.close()
