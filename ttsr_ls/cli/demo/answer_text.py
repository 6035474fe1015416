"""The visible text of a streaming answer: prose, and the file content in a call of `write`."""

from __future__ import annotations

import textwrap
from typing import Any

from ttsr_ls.session.output.partial_json import PartialObject


class AnswerText:
    """Turns each event of one answer (Anthropic's Messages API) into the text that it adds."""

    def __init__(self) -> None:
        self._arguments: PartialObject | None = None
        self._shown = 0
        self.line = ""
        """The line that is being written."""

    def added_by(self, event: dict[str, Any]) -> str:
        """The text that `event` adds."""
        text = self._added_by(event)
        self.line = (self.line + text).rpartition("\n")[2]
        return text

    def _added_by(self, event: dict[str, Any]) -> str:
        match event:
            case {"type": "content_block_start", "content_block": {"type": "tool_use", "name": name}}:
                self._arguments, self._shown = PartialObject(), 0
                return f"{name} "
            case {"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}}:
                return str(text)
            case {"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": fragment}}:
                return self._argument(str(fragment))
            case {"type": "content_block_stop"}:
                return "" if not self.line else "\n"
            case _:
                return ""

    def _argument(self, fragment: str) -> str:
        assert self._arguments is not None
        self._arguments.feed(fragment)
        display = f"{self._arguments.value.get('path', '')}"
        if "content" in self._arguments.value:
            # A final line feed is shown with the line after it, so that no line is only the indentation.
            content = str(self._arguments.value["content"]).removesuffix("\n")
            display += textwrap.indent(f"\n{content}", "  ")
        addition = display[self._shown :]
        self._shown += len(addition)
        return addition
