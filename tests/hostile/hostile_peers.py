"""Cases of what stands around a server or an agent: requests, hooks, editors, settings of agents, and tests of rules."""

# ruff: noqa: E501 - tables of cases, one on a line

from __future__ import annotations

import json
from collections.abc import Callable

from tests.hostile.agent_streams import deltas_of
from tests.hostile.hostile_cases import ACP_INPUT, RULE, RULE_TESTS, Case, quoted
from tests.hostile.played_agents import ACP_OUTPUT, PI_OUTPUT, acp_editor, acp_lines, pi_lines
from tests.hostile.served_clients import HOOK_CALLS, PROXY_REQUESTS, request_lines

_RULE = "---\ncondition: ['foo\\d+bar', 'a+b']\nscope: [text, thinking, tool]\n---\nSay so.\n"
_MESSAGES = "anthropic/v1/messages"
_USER_SETTINGS = (
    ".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json", ".cursor/hooks.json",
    ".copilot/hooks/ttsr-ls.json",
)  # fmt: skip
_SETTINGS = (
    ".claude/settings.json", ".claude/settings.local.json", *(f"../home/{path}" for path in _USER_SETTINGS)
)  # fmt: skip


def peer_cases() -> list[Case]:
    """All cases of peers."""
    return [*_requests(), *_hooks(), *_agents(), *_settings(), *_rule_tests()]


def _requests() -> list[Case]:
    tool = {"name": "write"}

    def asked(messages: object) -> str:
        return request_lines(
            [(_MESSAGES, {"model": "m", "max_tokens": 9, "stream": True, "messages": messages, "tools": [tool]})]
        )

    said, user = {"role": "assistant", "content": "a b"}, {"role": "user", "content": "go"}
    call = {"type": "tool_use", "id": "c", "name": "write", "input": {"path": "a.ts", "content": "a b"}}
    result = {"type": "tool_result", "tool_use_id": "c", "content": "a b"}
    bodies = {
        "messages": asked([user, said] * 10_000),
        "one long message": asked([{"role": "user", "content": "a b " * 1_000_000}]),
        "blocks": asked([{"role": "user", "content": [{"type": "text", "text": "a b"}] * 30_000}]),
        "calls": asked(
            [user, *[{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}] * 5_000]
        ),
        "calls of one answer": asked([user, {"role": "assistant", "content": [call] * 10_000}]),
        "results without calls": asked([{"role": "user", "content": [result] * 20_000}]),
        "keys": f"{_MESSAGES} " + json.dumps({f"key{n}": n for n in range(100_000)}) + "\n",
        "nesting": f"{_MESSAGES} " + "[" * 1_000_000 + "\n",
        "nested content": f'{_MESSAGES} {{"messages": ' + "[" * 500 + "]" * 500 + "}\n",
        "digits": f'{_MESSAGES} {{"max_tokens": ' + "9" * 1_000_000 + "}\n",
        "nothing": f"{_MESSAGES} \n" * 300,
        "many requests": asked([user, said, user]) * 30,
        "long paths": f"anthropic/{'a/' * 3_000} {{}}\n" * 20,
        "surrogates": asked([{"role": "user", "content": "\ud800" * 200_000}]),
        "tools": request_lines(
            [
                (
                    _MESSAGES,
                    {
                        "model": "m",
                        "stream": True,
                        "messages": [user],
                        "tools": [{"name": f"t{n}", "input_schema": {}} for n in range(20_000)],
                    },
                )
            ]
        ),
        "systems": request_lines(
            [
                (
                    _MESSAGES,
                    {
                        "model": "m",
                        "stream": True,
                        "messages": [user],
                        "tools": [tool],
                        "system": [{"type": "text", "text": "a b"}] * 20_000,
                    },
                )
            ]
        ),
    }
    return [Case(f"request: {name}", {RULE: _RULE, PROXY_REQUESTS: made}) for name, made in bodies.items()]


def _hooks() -> list[Case]:
    def called(**fields: object) -> str:
        event = {"session_id": "s", "cwd": "{FOLDER}", "hook_event_name": "PreToolUse", "tool_name": "Write"}
        return request_lines([("claude", {**event, **fields})])

    edits = [{"old_string": "x", "new_string": "a b"}] * 20_000
    patch = "*** Begin Patch\n" + "".join(f"*** Add File: f{n}.ts\n+a b\n" for n in range(20_000)) + "*** End Patch\n"
    calls = {
        "a long content": called(tool_input={"file_path": "a.ts", "content": "a b " * 1_000_000}),
        "edits": called(tool_name="MultiEdit", tool_input={"file_path": "a.ts", "edits": edits}),
        "keys": called(tool_input={f"key{n}": "a b" for n in range(50_000)}),
        "paths": called(tool_input={f"path{n}": f"src/f{n}.ts" for n in range(20_000)}),
        "a long path": called(tool_input={"file_path": "a/" * 50_000, "content": "a b"}),
        "a path of dots": called(tool_input={"file_path": "../" * 50_000 + "a.ts", "content": "a b"}),
        "nested input": called(tool_input={"content": json.loads("[" * 900 + "]" * 900)}),
        "nesting": "claude " + "[" * 1_000_000 + "\n",
        "a patch": called(tool_name="apply_patch", tool_input={"input": patch, "command": patch}),
        "a patch of Codex": called(tool_name="apply_patch", tool_input={"input": patch}).replace("claude", "codex", 1),
        "a long command": called(tool_name="Bash", tool_input={"command": "a b; " * 300_000}),
        "commands of a shell": called(tool_name="Bash", tool_input={"command": "cat <<'X' > a.ts\na b\nX\n" * 20_000}),
        "a long answer": called(hook_event_name="Stop", last_assistant_message="a b " * 500_000),
        "a long prompt": called(hook_event_name="UserPromptSubmit", prompt="a b " * 500_000),
        "a long response": called(
            hook_event_name="PostToolUse", tool_response={"content": [{"type": "text", "text": "a b"}] * 20_000}
        ),
        "sessions": "".join(called(session_id=f"s{n}", tool_input={"content": "b"}) for n in range(60)),
        "a long name": called(session_id="s" * 500_000, tool_name="t" * 500_000),
        "a long folder": called(cwd="/a" * 100_000),
        "calls": called(tool_input={"file_path": "a.ts", "content": "aab"}) * 60,
    }
    return [Case(f"hook: {name}", {RULE: _RULE, HOOK_CALLS: made}) for name, made in calls.items()]


def _agents() -> list[Case]:
    path = '{"path": "src/a.ts", "content": "'
    streams: dict[str, tuple[list[str], list[str]]] = {
        "one long delta": (["a b " * 300_000], []),
        "deltas of one unit": (list("ab c" * 2_000), []),
        "matches": (deltas_of("foo1bar aab\n" * 5_000), []),
        "nested arguments": ([], deltas_of(path[:-1] + "[" * 50_000, 100)),
        "long arguments": ([], deltas_of(path + "a b " * 50_000, 100)),
        "control characters": (deltas_of("\x1b[2J\r\x07\u202e" * 10_000, 200), []),
    }
    cases = [
        Case(f"controlled agent: {name}", {RULE: _RULE, PI_OUTPUT: pi_lines(*made), ACP_OUTPUT: acp_lines(*made)})
        for name, made in streams.items()
    ]
    begin = "".join(acp_lines([]).splitlines(keepends=True)[:2])
    accepted = "".join(pi_lines([]).splitlines(keepends=True)[:2])
    update = {
        "jsonrpc": "2.0",
        "method": "session/update",
        "params": {"sessionId": "s", "update": {"sessionUpdate": "other"}},
    }
    permission = {"jsonrpc": "2.0", "id": 9, "method": "session/request_permission", "params": {"sessionId": "s"}}
    lines = {
        "lines that are no JSON": "nothing\n" * 50_000,
        "lines of other JSON": "[]\n" * 50_000,
        "nested lines": ("[" * 5_000 + "\n") * 200,
        "a line that does not end": '{"type": "' + "a" * 3_000_000,
        "blank lines": "\n" * 200_000,
        "a batch": json.dumps([update] * 20_000) + "\n",
        "updates": (json.dumps(update) + "\n") * 20_000,
        "permissions": (json.dumps(permission) + "\n") * 2_000,
        "unknown events": '{"type": "other"}\n' * 20_000,
        "answers": '{"type": "message_start", "message": {"role": "assistant"}}\n' * 5_000,
    }  # fmt: skip
    cases += [
        Case(f"controlled agent: {name}", {RULE: _RULE, PI_OUTPUT: accepted + made, ACP_OUTPUT: begin + made})
        for name, made in lines.items()
    ]
    editors = {
        "a long prompt": acp_editor("a b " * 500_000),
        "a nested line": acp_editor("go") + "[" * 500_000 + "\n",
        "lines that are no JSON": acp_editor("go") + "nothing\n" * 20_000,
        "sessions": acp_editor("go") + '{"id": 1, "method": "session/new", "params": {"cwd": "/"}}\n' * 5_000,
    }
    return [*cases, *(Case(f"editor: {name}", {RULE: _RULE, ACP_INPUT: made}) for name, made in editors.items())]


def _settings() -> list[Case]:
    hook = {"matcher": "*", "hooks": [{"type": "command", "command": "true"}]}
    texts = {
        "nesting": "[" * 100_000 + "]" * 100_000,
        "nested hooks": '{"hooks": ' + '{"PreToolUse": ' * 5_000 + "[]" + "}" * 5_001,
        "keys": json.dumps({f"key{n}": n for n in range(20_000)}),
        "events": json.dumps({"hooks": {f"Event{n}": [hook] for n in range(5_000)}}),
        "hooks of an event": json.dumps({"hooks": {"PreToolUse": [hook] * 10_000, "preToolUse": [{"command": "x"}] * 10_000}}),
        "comments": "// ttsr-ls\n" * 20_000 + "{}",
        "open comments": "/*" * 200_000,
        "commas": "{" + "," * 200_000 + "}",
        "blanks": " " * 1_000_000 + "{}",
        "digits": '{"a": ' + "9" * 200_000 + "}",
        "an open string": '{"' + "a" * 1_000_000,
        "escapes": '{"' + "\\u0061" * 100_000 + '": 1}',
        "one long line": json.dumps({"a": "b " * 500_000}),
        "lines": "{\n" + "\n" * 500_000 + "}",
    }  # fmt: skip
    cases = [
        Case(f"agent's settings: {name}", {RULE: _RULE, **dict.fromkeys(_SETTINGS, made)})
        for name, made in texts.items()
    ]
    instructions = {
        "CLAUDE.md": "@AGENTS.md\n" * 20_000,
        "AGENTS.md": "<!-- ttsr-ls -->\n" * 20_000,
        "GEMINI.md": "a\n" * 300_000,
    }
    return [*cases, Case("agent's settings: instructions", {RULE: _RULE, **instructions})]


def _rule_tests() -> list[Case]:
    def fires(count: int, text: Callable[[int], str]) -> str:
        return "invalid:\n" + "".join(f"  - {quoted(text(number))}\n" for number in range(count))

    texts = {
        "cases": fires(3_000, "aab {}".format),
        "long texts": fires(20, lambda number: f"{number} " + "aa b " * 40_000),
        "one long text": fires(1, lambda _: "a" * 900_000),
        "nesting": "invalid: " + "[" * 50_000,
        "nested maps": "invalid: " + "{a: " * 20_000,
        "aliases": "a: &a [x, x]\n" + "\n".join(f"k{n}: &k{n} [*k{n - 1}, *k{n - 1}]" for n in range(1, 900)),
        "keys": "".join(f"key{n}: v\n" for n in range(10_000)),
        "blanks": " \n" * 500_000,
        "quotes": "invalid: " + "'" * 300_000,
    }
    return [Case(f"rule tests: {name}", {RULE: _RULE, RULE_TESTS: made}) for name, made in texts.items()]
