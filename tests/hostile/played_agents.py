"""What `run` and `acp` stand between: programs that say what lies in a file, as an agent would, and an editor."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

Message = Mapping[str, object]
# Beside the folder of a case, which is scanned.
PI_OUTPUT, PI_PROGRAM = "../pi.jsonl", "../pi"
ACP_OUTPUT, ACP_PROGRAM = "../acp.jsonl", "../acp"
LAST = "the-last-line"
"""The method of the last line of `ACP_PROGRAM`, which an editor gets."""
_ASKED = '{"type": "extension_ui_request", "id": "last", "method": "confirm"}'
PROGRAMS = {
    # It ends when its question is answered, as all else is read by then.
    PI_PROGRAM: f"""#!/bin/sh
cat {PI_OUTPUT}; echo; echo '{_ASKED}'
while read line; do case "$line" in *extension_ui_response*) exit;; esac; done
""",
    # It answers when it was prompted.
    ACP_PROGRAM: f"""#!/bin/sh
read hello; read session; read prompt
cat {ACP_OUTPUT}; echo; echo '{{"jsonrpc": "2.0", "method": "{LAST}"}}'
exec cat >/dev/null
""",
}
"""The programs, by their paths in the folder of a case."""


def pi_lines(text: Sequence[str], arguments: Sequence[str] = (), tool: str = "write") -> str:
    """What pi says in its RPC mode: an answer, and the same again after what was asked of it meanwhile."""
    said: list[Message] = [
        {"type": "text_start", "contentIndex": 0},
        *({"type": "text_delta", "contentIndex": 0, "delta": piece} for piece in text),
    ]
    call = {"type": "toolCall", "id": "c", "name": tool, "arguments": {}}
    called: list[Message] = [
        {"type": "toolcall_start", "contentIndex": 1, "id": "c", "toolName": tool, "partial": {"content": [call]}},
        *({"type": "toolcall_delta", "contentIndex": 1, "delta": piece} for piece in arguments),
    ]
    parts: list[Message] = [*said, *(called if arguments else [])]
    answer: list[Message] = [
        {"type": "message_start", "message": {"role": "assistant", "content": [], "model": "m"}},
        *({"type": "message_update", "assistantMessageEvent": part} for part in parts),
        {"type": "message_end", "message": {"role": "assistant", "content": [], "stopReason": "stop"}},
        {"type": "agent_end", "messages": []},
    ]
    accepted = [{"type": "response", "id": f"ttsr-{number}", "success": True, "data": {}} for number in range(1, 7)]
    return _lines([*accepted[:2], *answer, *accepted[2:4], *answer, *accepted[4:]])


def acp_lines(text: Sequence[str], arguments: Sequence[str] = ()) -> str:
    """What an agent says in the Agent Client Protocol to `ACP_EDITOR`: an answer, and a file that it writes."""
    updates: list[Message] = [
        {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": piece}} for piece in text
    ]
    call = {"toolCallId": "c", "title": "Write", "kind": "edit"}
    if arguments:
        diff = {"type": "diff", "path": "src/out.ts", "newText": "".join(arguments)}
        updates.append({"sessionUpdate": "tool_call", **call, "content": [diff]})
    asked = {"sessionId": "s", "toolCall": call, "options": []}
    answer: list[Message] = [
        *({"method": "session/update", "params": {"sessionId": "s", "update": update}} for update in updates),
        {"id": 9, "method": "session/request_permission", "params": asked},
    ]
    begin: list[Message] = [{"id": "hello", "result": {"protocolVersion": 1}}]
    begin.append({"id": "session", "result": {"sessionId": "s"}})
    # The second answers what is prompted after an interrupt.
    end: tuple[Message, Message] = {"id": "prompt", "result": {}}, {"id": "ttsr-s-1", "result": {}}
    messages = (*begin, *answer, end[0], *answer, end[1])
    return _lines([{"jsonrpc": "2.0", **message} for message in messages])


def acp_editor(prompt: str) -> str:
    """What an editor says: the beginning, and a prompt."""
    content = [{"type": "text", "text": prompt}]
    messages: list[Message] = [
        {"id": "hello", "method": "initialize", "params": {"protocolVersion": 1}},
        # A session that it knows, so that the prompt need not wait for the name of one.
        {"id": "session", "method": "session/resume", "params": {"sessionId": "s", "cwd": "{FOLDER}"}},
        {"id": "prompt", "method": "session/prompt", "params": {"sessionId": "s", "prompt": content}},
    ]
    return _lines([{"jsonrpc": "2.0", **message} for message in messages])


def _lines(messages: Sequence[object]) -> str:
    return "".join(json.dumps(message) + "\n" for message in messages)
