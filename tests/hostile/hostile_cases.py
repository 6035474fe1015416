"""Project folders whose rule files are made to be costly: what every command and every request is measured on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from pathological_patterns import patterns

RULE = ".omp/rules/rule.md"


class Case(Struct, frozen=True):
    """The files of a project, by path; `rule` is the one that commands are given."""

    name: str
    files: Mapping[str, str]
    rule: str = RULE


def quoted(pattern: str) -> str:
    """A pattern as a scalar of YAML."""
    return "'" + pattern.replace("'", "''") + "'"


def rule_of(*conditions: str, more: str = "") -> str:
    """A rule file with these conditions."""
    listed = "".join(f"  - {quoted(condition)}\n" for condition in conditions)
    return f"---\ndescription: costly\ncondition:\n{listed}{more}---\nWrite something else, such as `aaaa b`.\n"


def _of_pattern(name: str, pattern: str) -> Case:
    return Case(name, {RULE: rule_of(pattern)})


def cases() -> list[Case]:
    """All cases."""
    from pathological_files import file_cases

    return [*(_of_pattern(name, pattern) for name, pattern in patterns().items()), *file_cases()]


def write(case: Case, folder: Path) -> None:
    """Makes the folder of a case, with texts for the commands that need some."""
    (folder / ".git").mkdir(parents=True)
    for path, text in {**texts(), **case.files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode("utf-8", "surrogatepass"))


def texts() -> dict[str, str]:
    """What the rules are tried on: ordinary code, and texts that patterns of the corpus nearly match."""
    code = "".join(
        f"export function work{n}(value: any) {{ return value as unknown; }} // a b 1-2\n" for n in range(40)
    )
    near = "a" * 2_000 + "\n" + "ab" * 1_000 + "\n" + "a b  " * 400 + "\n"
    return {"src/code.ts": code, "src/near.txt": near, "agent.jsonl": _agent_stream(code + near)}


def _agent_stream(text: str) -> str:
    def event(value: object) -> str:
        return json.dumps({"type": "stream_event", "event": value, "session_id": "s", "parent_tool_use_id": None})

    start = {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": []}}
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text[at : at + 20]}}
        for at in range(0, len(text), 20)
    ]
    ends = [{"type": "content_block_stop", "index": 0}, {"type": "message_stop"}]
    head = json.dumps({"type": "system", "subtype": "init", "cwd": "/tmp", "session_id": "s", "model": "m"})
    return "\n".join([head, *(event(value) for value in [start, block, *deltas, *ends])]) + "\n"
