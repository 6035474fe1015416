"""A project in which everything that a command could print is hostile: names, settings, rules, streams, answers."""

from __future__ import annotations

import json
import os
from pathlib import Path

# Characters that a terminal obeys or hides, and all that some program treats as a line end.
CONTROLS = (
    "\x1b]0;owned\x07\x1b[1;31m\x08\x7f\x9b2J\u202e\u2066\u200b\ufeff\U000e0041"
    "\rsplit\x0bsplit\x0csplit\x85split\u2028split\u2029split"
)
VALUE = f"x{CONTROLS}\nFORGED::error::owned"
"""What may stand in an argument; in a JSON or YAML string it is written with escapes."""
NAME = "n\x1b]0;o\x07\x7f\x9b\u202e\u2028\r\nFORGED"
"""What may be the name of a file."""
ESCAPED_NAME = r"n\x1b]0;o\x07\x7f\x9b\u202e\u2028\x0d\nFORGED"
"""The same as it is printed."""
BYTES_NAME = os.fsdecode(NAME.encode() + b"\xff\x9b")
"""`NAME` with bytes that are no UTF-8, which Python shows as lone surrogates."""

RAW = frozenset(
    [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"]
    + [*"\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"]
    + [chr(code) for code in (*range(0xD800, 0xE000), *range(0xE0000, 0xE0080))]
)
"""The characters that must not be printed."""


def quoted(text: str = VALUE) -> str:
    """A string in the JSON that YAML understands too."""
    return json.dumps(text)


RULES = {
    "fires.md": f"---\ndescription: {quoted()}\ncondition: [x, {quoted(CONTROLS)}]\n---\n{CONTROLS}\n",
    f"{BYTES_NAME}.md": "---\ncondition: x\nscope: text, tool\n---\nbody\n",
    "errors.md": f"---\n{quoted()}: {quoted()}\ncondition: [{quoted('(' + VALUE)}, '[' ]\nscope: {quoted()}\n"
    f"interruptMode: {quoted()}\nrepeatMode: {quoted()}\nagents: [{quoted()}]\nglobs: {quoted('{' + VALUE)}\n"
    f"astCondition: {quoted('$$$ ' + VALUE)}\nquestion: {quoted()}\n---\n{CONTROLS}\n",
    "raw.md": f"---\ncondition: {CONTROLS}\nx{CONTROLS}: y\nscope: {CONTROLS}\n---\n{CONTROLS}\n",
    "broken.md": f"---\ncondition: [x{CONTROLS}\n---\n",
    "other.md": f"---\nttsr_trigger: {quoted('(' + VALUE)}\n---\nbody\n",
    "pi.md": f"---\nname: {quoted()}\ntriggers: {quoted('(' + VALUE)}\nscope: {quoted()}\n---\nbody\n",
}
CONFIG = (
    f"disabledExtensions: [{quoted('rule:' + VALUE)}, 5]\nttsr:\n  {quoted()}: {quoted()}\n  contextMode: {quoted()}\n"
)
TOML_VALUE = '"' + "".join(char if char.isalnum() else f"\\U{ord(char):08x}" for char in VALUE) + '"'
TOML = f"rule-folders = [{TOML_VALUE}]\n"
STREAM = (
    {"type": "system", "subtype": "init", "cwd": f"/{VALUE}", "tools": [VALUE], "session_id": VALUE},
    {"type": "assistant", "message": {"id": VALUE, "content": [{"type": "text", "text": f"x {VALUE}"}]}},
    {
        "type": "assistant",
        "message": {
            "id": "b",
            "content": [
                {
                    "type": "tool_use",
                    "id": VALUE,
                    "name": "Write",
                    "input": {"file_path": f"/{VALUE}", "content": f"x {VALUE}"},
                }
            ],
        },
    },
    {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": VALUE, "content": VALUE}]}},
    {"type": "result", "subtype": "error", "is_error": True, "result": VALUE},
)
SCRIPT = {
    "answers": [
        [{"thinking": CONTROLS}, {"text": f"y {CONTROLS}"}, {"tool": VALUE, "arguments": {"path": VALUE}}],
        [
            {"tool": "read", "arguments": {"path": VALUE}},
            {"tool": "bash", "arguments": {"command": "cat stream.jsonl"}},
        ],
        [{"text": f"x {CONTROLS}"}],
        [{"text": "x"}, {"error": VALUE}],
    ]
}


def _pi_answer(text: str, reason: str) -> tuple[dict[str, object], ...]:
    delta = {"type": "text_delta", "contentIndex": 0, "delta": text}
    end = {"role": "assistant", "content": [], "stopReason": reason, "errorMessage": VALUE}
    return (
        {"type": "message_start", "message": {"role": "assistant", "content": []}},
        {"type": "message_update", "assistantMessageEvent": delta},
        {"type": "message_end", "message": end},
        {"type": "agent_end", "messages": []},
    )


def _accepted(number: int) -> dict[str, object]:
    return {"type": "response", "id": f"ttsr-{number}", "success": True, "data": {VALUE: VALUE}}


AGENT = (
    _accepted(1), _accepted(2), {"type": VALUE}, *_pi_answer(f"x {CONTROLS}", "aborted"), _accepted(3), _accepted(4),
    {"type": "tool_execution_end", "toolCallId": "c", "isError": True, "result": {"content": VALUE}},
    *_pi_answer(CONTROLS, "error"),
)  # fmt: skip
"""What an agent in pi's RPC mode says. Its first answer breaks a rule; its second fails."""
PROGRAM = "#!/bin/sh\ncat agent.jsonl\nexec cat >/dev/null\n"


def make_hostile_project(root: Path) -> Path:
    """Makes the project in a folder of `root` that has a hostile name, too; returns it."""
    project = root / NAME / "project"
    write_hostile_rules(project / ".omp" / "rules")
    for folder in (project / BYTES_NAME, project / ".git", project / "src", project / "folder"):
        folder.mkdir(parents=True)
    files: dict[str, str | bytes] = {
        ".omp/config.yml": CONFIG,
        ".omp/settings.json": json.dumps({"ttsr": {VALUE: VALUE}, VALUE: VALUE}),
        ".gitignore": f"{CONTROLS}\n.omp/rules/other.md\n",
        f"src/{BYTES_NAME}.ts": f"x {CONTROLS}\n",
        f"folder/{BYTES_NAME}.md": f"---\ncondition: {quoted('(' + VALUE)}\n---\nx\n",
        f"{BYTES_NAME}.toml": f"{TOML_VALUE} = 1\n",
        f"raw-{BYTES_NAME}.toml": f"a = '{CONTROLS}'\n",
        f"features-{BYTES_NAME}.toml": f"features = [{TOML_VALUE}]\n[lint]\n{TOML_VALUE} = {TOML_VALUE}\n",
        f"{BYTES_NAME}.json": json.dumps({"version": 1, "findings": [{"path": VALUE, "fingerprint": VALUE}]}),
        f"{BYTES_NAME}.jsonl": "".join(json.dumps(event) + "\n" for event in STREAM) + f"{CONTROLS}\n{{\n",
        f"{BYTES_NAME}.yaml": json.dumps(SCRIPT),
        f"hookify.{BYTES_NAME}.local.md": f"---\nname: {quoted()}\nenabled: true\nevent: bash\n"
        f"pattern: {quoted('(' + VALUE)}\n{quoted()}: {quoted()}\n---\n{CONTROLS}\n",
        "stream.jsonl": "".join(json.dumps(event) + "\n" for event in STREAM),
        "script.yaml": json.dumps(SCRIPT),
        "agent": PROGRAM,
        "agent.jsonl": "".join(json.dumps(event) + "\n" for event in AGENT),
    }
    for name, content in files.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))
    (project / "agent").chmod(0o755)
    (project / "ttsr-ls.toml").write_text(TOML, encoding="utf-8")
    return project


def write_hostile_rules(folder: Path) -> None:
    """Writes rules with hostile names and contents into a folder."""
    folder.mkdir(parents=True)
    for name, text in RULES.items():
        (folder / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    (folder / f"{NAME}-binary.md").write_bytes(b"---\ncondition: x\n---\n\0\0")
    (folder / f"{NAME}-large.md").write_bytes(b" " * (1024 * 1024 + 1))
    (folder / f"{NAME}-gone.md").symlink_to("nowhere")
    (folder / f"{NAME}-device.md").symlink_to("/dev/zero")
    os.mkfifo(folder / f"{NAME}-pipe.md")


def check_output(shown: str, of: list[str]) -> None:
    """Fails if the command `of` printed a raw control character, a forged line, or a traceback."""
    assert not RAW & set(shown), (of, sorted(RAW & set(shown)))
    assert not [line for line in shown.split("\n") if line.startswith("FORGED")], of
    assert "Traceback" not in shown, (of, shown)
    assert "bug in ttsr-ls" not in shown, of
