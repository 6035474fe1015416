"""Cases whose rule is ordinary and whose stream is hostile: agents, models, clients, and session logs."""

# ruff: noqa: E501 - tables of cases, one on a line

from __future__ import annotations

import json
from collections.abc import Sequence

from tests.hostile.agent_streams import answer_events, block, claude_lines, deltas_of, mcp_lines, model_answer, sse
from tests.hostile.hostile_cases import (
    AGENT_OUTPUT,
    JUDGE_ANSWER,
    MCP_INPUT,
    MODEL,
    RULE,
    SESSION,
    Case,
    session_log,
    triggered,
)
from ttsr_ls.session.history.turn_events import (
    CallRunning,
    ConditionTooSlow,
    FeatureRecorded,
    HistoryCleared,
    HistoryRewound,
    ModelCall,
    RulesLoaded,
    StepAppended,
    StepUpdated,
    Text,
    TurnEvent,
    TurnStarted,
    UserInput,
)

_RULE = (
    "---\ncondition: ['foo\\d+bar', 'a+b']\nscope: [text, thinking, 'tool:write(*.ts)', 'tool:edit(**/*.ts)', tool:bash]\n"
    "---\nSay so.\n"
)
_ASKED = "---\ncondition: 'foo'\nquestion: [Is it?, Was it?]\nscope: text\n---\nSay so.\n"


def stream_cases() -> list[Case]:
    """All cases of streams."""
    return [*_answers(), *_agent_outputs(), *_models(), *_clients(), *_logs()]


def _answers() -> list[Case]:
    """Answers on every wire: texts, and arguments of calls, in deltas."""
    path = '{"path": "src/a.ts", "file_path": "src/a.ts", '
    texts: dict[str, tuple[Sequence[str], Sequence[str]]] = {
        "deltas of one unit": ("ab c" * 2_000, ()),
        "one long delta": (["a b " * 500_000], ()),
        "long lines": (deltas_of("foo1 " * 20_000, 200), ()),
        "lines": (deltas_of("a\n" * 50_000, 200), ()),
        "matches": (deltas_of("foo1bar aab\n" * 5_000), ()),
        "surrogates": (deltas_of("\ud83d\ude00\ud83d" * 20_000, 201), ()),
        "control characters": (deltas_of("\x1b[2J\r\x07\u202e" * 10_000, 200), ()),
        "nested arguments": ((), deltas_of(path + '"content": ' + "[" * 50_000, 100)),
        "nested objects": ((), deltas_of(path + '"content": ' + '{"a":' * 20_000, 100)),
        "arguments of one unit": ((), list(path + '"content": "' + "ab c" * 2_000 + '"}')),
        "arguments that stay open": ((), deltas_of(path + '"content": "' + "a b " * 50_000, 100)),
        "escapes": ((), deltas_of(path + '"content": "' + "\\u0041" * 20_000 + '"}', 101)),
        "backslashes": ((), deltas_of(path + '"content": "' + "\\\\" * 50_000 + '"}', 101)),
        "keys": ((), deltas_of("{" + ", ".join(f'"path{n}": "a"' for n in range(10_000)) + "}", 100)),
        "content that comes again": ((), deltas_of(path + ", ".join(['"content": "a b"'] * 5_000) + "}", 100)),
        "digits": ((), deltas_of('{"content": ' + "9" * 100_000 + "}", 200)),
        "edits": ((), deltas_of(path + '"edits": [' + ", ".join(['{"new_string": "a b"}'] * 5_000) + "]}", 200)),
        "a long path": ((), deltas_of('{"content": "a", "path": "' + "a/" * 50_000 + 'b.ts"}', 200)),
        "a path of dots": ((), deltas_of('{"content": "a", "path": "' + "../" * 30_000 + 'b.ts"}', 200)),
        "a path that comes last": ((), deltas_of('{"content": "' + "a b " * 30_000 + '", "path": "a.ts"}', 200)),
        "arguments that are no JSON": ((), deltas_of("}{" * 50_000, 200)),
    }  # fmt: skip
    cases = []
    for name, (text, arguments) in texts.items():
        files = {
            RULE: _RULE,
            AGENT_OUTPUT: claude_lines(answer_events(text, arguments, "MultiEdit" if name == "edits" else "Write")),
        }
        files |= {
            file: model_answer(provider, text, arguments, "edit" if name == "edits" else "write").decode()
            for provider, file in MODEL.items()
        }
        cases.append(Case(f"stream: {name}", files))
    return cases


def _agent_outputs() -> list[Case]:
    start, text = {"type": "text", "text": ""}, {"type": "text_delta", "text": "a b "}
    begin, *_, end = answer_events([])
    outputs = {
        "blocks that stay open": claude_lines([begin, *(block(n, start, [text])[0] for n in range(5_000))]),
        "blocks": claude_lines([begin, *(event for n in range(2_500) for event in block(n, start, [text]))]),
        "blocks of one number": claude_lines([begin, *(event for _ in range(2_500) for event in block(0, start, [text]))]),
        "messages": claude_lines(answer_events(["a b "]) * 1_500),
        "messages that stay open": claude_lines([begin, *block(0, start, [text])[:2]] * 2_500),
        "subagents": "".join(claude_lines([begin, *block(0, start, [text])[:2]], f"c{n}") for n in range(1_500)),
        "sessions": claude_lines([]) * 5_000,
        "lines that are no JSON": "nothing\n" * 100_000,
        "lines of other JSON": "[]\n" * 100_000,
        "events that are unknown": json.dumps({"type": "other"}) + "\n" + '{"type": "other"}\n' * 50_000,
        "blank lines": "\n" * 500_000,
        "carriage returns": "\r" * 1_000_000,
        "a line that does not end": '{"type": "' + "a" * 3_000_000,
        "nested lines": ("[" * 5_000 + "\n") * 200,
        "numbers of many digits": ("9" * 4_000 + "\n") * 500,
        "results": _results("result\n" * 20, 3_000),
        "a long result": _results("result\n" * 200_000, 1),
        "end of messages": claude_lines([end] * 10_000),
    }  # fmt: skip
    return [Case(f"agent's output: {name}", {RULE: _RULE, AGENT_OUTPUT: made}) for name, made in outputs.items()]


def _results(text: str, count: int) -> str:
    lines = []
    for number in range(count):
        result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": [{"type": "text", "text": text}]}
        lines.append(json.dumps({"type": "user", "message": {"role": "user", "content": [result]}, "session_id": "s"}))
    return claude_lines([]) + "\n".join(lines) + "\n"


def _models() -> list[Case]:
    event = b'data: {"type": "ping"}\n\n'
    calls = [
        made
        for n in range(300)
        for made in block(n, {"type": "tool_use", "id": f"c{n}", "name": "nothing", "input": {}}, [])
    ]
    begin, *_, ending, end = answer_events([], ["{}"])
    answers = {
        "pings": event * 20_000,
        "blank lines": b"\n" * 500_000,
        "carriage returns": b"\r" * 500_000,
        "comments": b": a\n" * 200_000,
        "lines of one event": b"data: a\n" * 100_000,
        "fields": b"other: a\n" * 100_000,
        "events that are no JSON": b"data: nothing\n\n" * 50_000,
        "a line that does not end": b"data: " + b"a" * 3_000_000,
        "nested events": (b"data: " + b"[" * 20_000 + b"\n\n") * 50,
        "calls": sse([begin, *calls, ending, end]),
        "blocks that stay open": sse([begin, *calls[::2], ending, end]),
        "starts of messages": sse([begin] * 5_000),
    }
    cases = [Case(f"model: {name}", {RULE: _RULE, MODEL["anthropic"]: made.decode()}) for name, made in answers.items()]
    judgement = {
        "a long answer": ["yes " * 100_000],
        "brackets": ["[" * 40_000],
        "braces": ["{" * 40_000],
        "objects": ['{"a": 1} ' * 5_000],
        "quotes": ['"\\' * 20_000],
        "fences": ["```json\n" * 5_000],
        "lines": ["1: yes\n" * 7_000],
    }
    said = model_answer("anthropic", ["foo " * 20]).decode()
    cases += [
        Case(
            f"judge: {name}",
            {RULE: _ASKED, MODEL["anthropic"]: said, JUDGE_ANSWER: model_answer("anthropic", text).decode()},
        )
        for name, text in judgement.items()
    ]
    return cases


def _clients() -> list[Case]:
    def task(number: int) -> tuple[str, object]:
        return "TaskCreate", {"subject": f"s{number} " * 40, "description": "d " * 4_000}

    whole = [task(number) for number in range(200)]
    blocked = [f"{number}" for number in range(1, 51)]
    calls: dict[str, list[tuple[str, object]]] = {
        "tasks": [*whole, *[("TaskList", {})] * 20],
        "tasks beyond the limit": [task(number) for number in range(400)],
        "links": [*whole, *(("TaskUpdate", {"taskId": f"{n}", "addBlockedBy": blocked}) for n in range(51, 200))],
        "links in circles": [
            *whole,
            *(("TaskUpdate", {"taskId": f"{n}", "addBlocks": [f"{n % 200 + 1}"]}) for n in range(1, 200)),
        ],
        "nested arguments": [("TaskCreate", {"subject": json.loads("[" * 150 + "]" * 150)})] * 200,
        "keys": [("TaskCreate", {f"key{n}": n for n in range(50_000)})],
        "unknown tools": [("a" * 10_000, {})] * 200,
    }
    lines = {name: mcp_lines(made) for name, made in calls.items()} | {
        "lines that are no JSON": mcp_lines([]) + "nothing\n" * 1_000,
        "blank lines": mcp_lines([]) + "\n" * 1_000,
        "a nested line": mcp_lines([]) + "[" * 500_000 + "\n",
        "halves of characters": mcp_lines([("TaskCreate", {"subject": "\ud800" * 100_000, "description": ""})]),
        "a long line": mcp_lines([("TaskCreate", {"subject": "a" * 5_000_000, "description": ""})]),
        "a line that does not end": mcp_lines([]) + "a" * 5_000_000,
    }
    return [Case(f"client: {name}", {RULE: _RULE, MCP_INPUT: made}) for name, made in lines.items()]


def _logs() -> list[Case]:
    rule_triggered = triggered("a+b", "src/code.ts", "foo")
    other = StepUpdated("t", 0, "c", CallRunning())
    slow = ConditionTooSlow("main", "rule", RULE, "a+b", 1)
    answer = StepAppended("t", 0, ModelCall("main", "m", (Text("a b"),), True))
    events: dict[str, list[TurnEvent]] = {
        "triggers": [rule_triggered] * 5_000,
        "triggers of other conditions": [triggered(f"a{n}", f"src/f{n}.ts") for n in range(5_000)],
        "triggers at long paths": [triggered("a+b", "a/" * 1_500 + f"{n}") for n in range(1_000)],
        "triggers with long excerpts": [triggered("a+b", "src/code.ts", "a b " * 2_000)] * 300,
        "triggers at strange paths": [triggered("a+b", f"\0{n}\ud800../..") for n in range(3_000)],
        "triggers between updates": [rule_triggered, other] * 3_000,
        "slow conditions": [slow] * 5_000,
        "runs": [RulesLoaded((), "stable")] * 10_000,
        "answers": [answer] * 10_000,
        "turns": [TurnStarted(f"t{n}", UserInput("go")) for n in range(10_000)],
        "turns that are taken back": [event for n in range(5_000) for event in (TurnStarted(f"t{n}", UserInput("go")), HistoryRewound(f"t{n}"))],
        "histories that are cleared": [TurnStarted("t1", UserInput("go")), HistoryCleared()] * 5_000,
        "records of features": [FeatureRecorded("tasks", "[" * 1_000)] * 3_000,
    }  # fmt: skip
    logs = {name: session_log(made) for name, made in events.items()}
    head = session_log([])
    first = head.splitlines(keepends=True)[1]
    logs |= {
        "lines that are no records": head + "nothing\n" * 100_000,
        "blank lines": head + "\n" * 500_000,
        "records of one number": head + first * 5_000,
        "records of other versions": head + '{"v": 2, "seq": 1, "t": 1, "event": {}}\n' * 20_000,
        "records of unknown kinds": head + '{"v": 1, "seq": 1, "t": 1, "event": {"kind": "other"}}\n' * 20_000,
        "nested lines": head + ('{"v": 1, "event": ' + "[" * 2_000 + "\n") * 500,
        "a line that does not end": head + '{"v": 1, "event": "' + "a" * 3_000_000,
        "torn lines": head + '{"v": 1\x18\n' * 50_000,
    }  # fmt: skip
    return [Case(f"log: {name}", {RULE: _RULE, SESSION: made}) for name, made in logs.items()]
