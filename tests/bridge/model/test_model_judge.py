"""A judge model gives an answer, or a reason why there is none, for any behaviour of the model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import PurePosixPath
from typing import Any

import pytest

from tests.bridge.model.loopback import provider
from tests.bridge.wire.provider_answers import answer
from ttsr_ls.bridge.model.client import HttpModel
from ttsr_ls.bridge.model.endpoint import Endpoint, ModelError
from ttsr_ls.bridge.model.judge import ModelJudge
from ttsr_ls.bridge.model.request import ModelRequest
from ttsr_ls.bridge.model.script import FailStream, PauseStream, SayText
from ttsr_ls.bridge.model.scripted import ScriptedModel
from ttsr_ls.features.judge.judge import JudgeAnswer, NoJudgeAnswer
from ttsr_ls.features.judge.outputs import finished_outputs
from ttsr_ls.features.judge.questions import SYSTEM
from ttsr_ls.rules.stream import Payload, Source
from ttsr_ls.session.history.turn_output import Output, SealedReasoning, Text, Thinking, ToolCall
from ttsr_ls.session.output.common_tools import COMMON_TOOLS
from ttsr_ls.session.output.wire_events import Api


@pytest.mark.parametrize("api", list(Api))
async def test_a_model_on_any_wire_can_judge(api: Api) -> None:
    async with provider(answer(api, [Thinking("Hm."), Text('{"1": 0.9}')], list)) as server:
        model = HttpModel(Endpoint(api, server.url, "m-1", None), None)
        verdict = await ModelJudge(model, api).ask("Is it so?")
        await model.close()
    assert verdict == JudgeAnswer('{"1": 0.9}')
    [asked] = server.asked
    assert SYSTEM.splitlines()[0] in str(asked.body.values())
    assert "Is it so?" in str(asked.body.values())
    assert "tools" not in asked.body


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ((FailStream("Overloaded"),), "The judge failed. The provider reported api_error: Overloaded"),
        (
            (SayText(("yes",)), FailStream("Overloaded")),
            "The judge failed. The provider reported api_error: Overloaded",
        ),
        ((PauseStream(30),), "The judge sent no answer for 0.1 seconds."),
    ],
)
async def test_failures_of_the_judge_model_give_a_reason(lines: tuple[Any, ...], reason: str) -> None:
    judge = ModelJudge(ScriptedModel([lines]), Api.ANTHROPIC, wait=0.1)
    assert await judge.ask("?") == NoJudgeAnswer(reason)
    assert await judge.ask("?") == NoJudgeAnswer(
        "The judge cannot be asked. The script has only 1 answers, and one more is needed."
    )


class _Odd:
    """A model that stops in the middle."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[dict[str, Any], None]:
        for event in answer(Api.ANTHROPIC, [Text("{")])[:-2]:
            yield event

    async def close(self) -> None:
        raise ModelError("never called")


async def test_an_incomplete_answer_is_no_judge_answer() -> None:
    assert await ModelJudge(_Odd(), Api.ANTHROPIC).ask("?") == NoJudgeAnswer("The judge's answer ended too early.")


async def test_cancelling_a_question_ends_it_at_once() -> None:
    asking = asyncio.create_task(ModelJudge(ScriptedModel([(PauseStream(60),)]), Api.ANTHROPIC, wait=60).ask("?"))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


def test_text_thinking_and_each_call_are_judged_separately() -> None:
    parts: list[Output] = [
        Text("One."),
        Thinking("Hm.", "sig"),
        SealedReasoning("r", ("Hm too.",), "x"),
        ToolCall("c_1", "Write", '{"file_path": "a.ts", "content": "let x"}'),
        Text("Two."),
        ToolCall("c_2", "bash", '{"command": "ls"}'),
        ToolCall("c_3", "bash", ""),
    ]
    outputs = finished_outputs(parts, PurePosixPath("/p"), COMMON_TOOLS)
    assert [(output.context.source, output.text) for output in outputs] == [
        (Source.TEXT, "One.\n\nTwo."),
        (Source.THINKING, "Hm.\n\nHm too."),
        (Source.TOOL, "let x"),
        (Source.TOOL, '{"command":"ls"}'),
        (Source.TOOL, "{}"),
    ]
    written = outputs[2].context
    assert (written.tool, written.payload) == ("write", Payload.WRITTEN)
    assert "/p/a.ts" in written.paths


def test_blank_outputs_are_not_judged() -> None:
    assert finished_outputs([Text(" \n"), Thinking("")], PurePosixPath("/p"), COMMON_TOOLS) == ()


PATCH = """*** Begin Patch
*** Add File: a.py
+first
*** Update File: b.py
@@
-old
+second
*** Delete File: c.py
*** End Patch"""


def test_each_file_of_a_patch_is_judged_separately() -> None:
    files = [("first", "a.py"), ("second", "b.py"), ('{"path":"c.py"}', "c.py")]
    command = f"apply_patch <<'EOF'\n{PATCH}\nEOF"
    for tool, arguments, own in (("apply_patch", {"input": PATCH}, []), ("bash", {"command": command}, [None])):
        call = ToolCall("c1", tool, json.dumps(arguments))
        outputs = finished_outputs([call], PurePosixPath("/p"), COMMON_TOOLS)
        assert [output.context.paths[0] if output.context.paths else None for output in outputs] == [
            *own,
            *(path for _, path in files),
        ]
        assert [output.text for output in outputs][len(own) :] == [text for text, _ in files]
