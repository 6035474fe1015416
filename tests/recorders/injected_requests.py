"""The injections of rules in requests to a model: of the reference agent when it is recorded, and ours in tests."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

Message = dict[str, Any]

_INJECTION = re.compile(r'<system-(interrupt|reminder) reason="rule_violation" rule="([^"]*)"')


def seen_requests(requests: Sequence[list[Message]], cuts: Sequence[bool], prompt: str) -> list[dict[str, Any]]:
    """For each request since a prompt: the number of its answers, its new injections (`told`), and whether its own
    answer was interrupted (`cut`).

    An injection is `[rule, tag, where]`: `interrupt` or `reminder`, in a message of the `user` or in a tool's `result`.
    """
    seen = []
    known = 0
    for messages, is_cut in zip(requests, cuts, strict=True):
        # Backwards: each copy of the messages of a session is made as it is read.
        start = next(at for at in reversed(range(len(messages))) if prompt in json.dumps(messages[at]))
        injected = [item for message in messages[start:] for item in _injections_in(message)]
        answers = sum(message["role"] == "assistant" for message in messages[start:])
        seen.append({"answers": answers, "told": injected[known:], "cut": is_cut})
        known = len(injected)
    return seen


def _injections_in(message: Message) -> list[list[str]]:
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [
        [name, tag, "result" if block["type"] == "tool_result" else message["role"]]
        for block in blocks
        for tag, name in _INJECTION.findall(json.dumps(block).replace('\\"', '"'))
    ]
