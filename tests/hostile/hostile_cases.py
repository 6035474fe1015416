"""Project folders whose files are made to be costly: every command and every request is measured on them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from tests.hostile.agent_streams import answer_events, claude_lines, deltas_of, mcp_lines, model_answer
from tests.hostile.pathological_patterns import patterns
from tests.hostile.played_agents import ACP_OUTPUT, PI_OUTPUT, PROGRAMS, acp_editor, acp_lines, pi_lines
from tests.hostile.served_clients import HOOK_CALLS, PROXY_REQUESTS, hook_calls, proxy_requests
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import (
    Excerpt,
    Extent,
    RulesLoaded,
    RuleTriggered,
    Target,
    TurnEvent,
    TurnStarted,
    UserInput,
)
from ttsr_ls.store.log.codec import Record, encode_record
from ttsr_ls.store.log.header import Header, encode_header
from ttsr_ls.text import Position

PROJECT = "shop"
"""The name of a case's folder."""
RULE = ".omp/rules/rule.md"
RULE_TESTS = ".omp/rules/rule.test.yml"
AGENT_OUTPUT = "agent.jsonl"
"""What `watch` reads."""
MCP_INPUT = "mcp.jsonl"
"""What a client sends to `mcp`."""
ACP_INPUT = "../editor.jsonl"
"""What an editor sends to `acp`."""
SESSION = "session.jsonl"
"""A session log, which the language server follows and other commands go on with."""
JUDGE_ANSWER = "judge.sse"
MODEL = {
    "anthropic": "model.sse",
    "openai": "model.openai.sse",
    "openai-responses": "model.responses.sse",
    "gemini": "model.gemini.sse",
}
"""The files with a model's answer, by provider."""


class Case(Struct, frozen=True):
    """The files of a project, by path; `rule` is the one that commands are given.

    `pattern` is the pathological pattern, if the case is of one; it is also given to commands as an argument.
    """

    name: str
    files: Mapping[str, str]
    rule: str = RULE
    pattern: str = ""


def quoted(pattern: str) -> str:
    """A pattern as a scalar of YAML."""
    return "'" + pattern.replace("'", "''") + "'"


def rule_of(*conditions: str, more: str = "") -> str:
    """A rule file with these conditions."""
    listed = "".join(f"  - {quoted(condition)}\n" for condition in conditions)
    return f"---\ndescription: costly\ncondition:\n{listed}{more}---\nWrite something else, such as `aaaa b`.\n"


def _of_pattern(name: str, pattern: str) -> Case:
    return Case(name, {RULE: rule_of(pattern)}, pattern=pattern)


def cases() -> list[Case]:
    """All cases."""
    from tests.hostile.hostile_peers import peer_cases
    from tests.hostile.hostile_streams import stream_cases
    from tests.hostile.pathological_files import file_cases

    return [
        *(_of_pattern(name, pattern) for name, pattern in patterns().items()),
        *file_cases(),
        *stream_cases(),
        *peer_cases(),
    ]


def write(case: Case, folder: Path) -> None:
    """Makes the folder of a case, with texts for the commands that need some."""
    (folder / ".git").mkdir(parents=True)
    files = {**texts(), **_streams_of(case.pattern or "a"), **case.files}
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode("utf-8", "surrogatepass").replace(b"{FOLDER}", bytes(folder)))
    for path in PROGRAMS:
        (folder / path).chmod(0o755)


@cache
def texts() -> dict[str, str]:
    """What the rules are tried on: ordinary code, and texts that patterns of the corpus nearly match."""
    code = "".join(
        f"export function work{n}(value: any) {{ return value as unknown; }} // a b 1-2\n" for n in range(40)
    )
    nearest = "a" * 2_000 + "\n" + "ab" * 1_000 + "\n" + "a b  " * 400 + "\n"
    text = deltas_of(code + nearest)
    written = deltas_of(json.dumps({"file_path": "src/out.ts", "path": "src/out.ts", "content": code + nearest}))
    return {
        "src/code.ts": code,
        "src/near.txt": nearest,
        RULE_TESTS: f"valid: [{json.dumps(code)}]\ninvalid: [{json.dumps(nearest)}]\n",
        AGENT_OUTPUT: claude_lines(answer_events(text, written)),
        MODEL["anthropic"]: model_answer("anthropic", text, written).decode(),
        PI_OUTPUT: pi_lines(text, written),
        ACP_OUTPUT: acp_lines(text, written),
        **PROGRAMS,
    }


def _streams_of(pattern: str) -> dict[str, str]:
    """What a client of `mcp`, a session log, and a judge say with a pattern in it."""
    task = {"subject": pattern[:300], "description": pattern[:10_000]}
    updated = {"taskId": "1", "status": "completed", **task}
    calls = [("TaskCreate", task), ("TaskUpdate", updated), ("TaskGet", {"taskId": pattern[:100]}), ("TaskList", {})]
    return {
        MCP_INPUT: mcp_lines([*calls, (pattern, {}), ("TaskCreate", {pattern: pattern})]),
        SESSION: session_log([triggered(pattern, f"src/{pattern}"), triggered(pattern, "src/code.ts")]),
        JUDGE_ANSWER: model_answer(
            "anthropic", deltas_of(f'[{{"question": 1, "answer": "yes", "quote": "{pattern}')
        ).decode(),
        ACP_INPUT: acp_editor(pattern[:10_000]),
        PROXY_REQUESTS: proxy_requests(pattern),
        HOOK_CALLS: hook_calls(pattern, texts()["src/code.ts"] + texts()["src/near.txt"]),
    }


def triggered(condition: str, path: str | None, excerpt: str = "") -> RuleTriggered:
    """A trigger of the case's rule, which an agent was about to write to `path`."""
    target = None
    if path is not None:
        target = Target(path, Extent.WHOLE, Position(0, 0), Position(0, 1), excerpt or condition)
    shown = Excerpt(excerpt or condition, 0, 1)
    return RuleTriggered(
        "t", 0, "main", "rule", RULE, condition, 0, Source.TOOL, "write", "c", target, 0, 1, 1, shown, True
    )


def session_log(events: Iterable[TurnEvent]) -> str:
    """The log of a session in the folder of the case."""
    head = encode_header(Header("s", "claude", "{FOLDER}", 1, "ttsr-ls"))
    begun = (RulesLoaded((), "stable"), TurnStarted("t", UserInput("go")))
    lines = (encode_record(Record(number, number, event)) for number, event in enumerate((*begun, *events), 1))
    return (head + b"".join(lines)).decode()
