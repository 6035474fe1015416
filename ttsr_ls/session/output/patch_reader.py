"""Reads a patch in Codex's format while it is written: the files that it changes, and the lines that it adds to each.

opencode's `apply_patch` takes the same format. A file that moves counts as two: its old path, which gets no text, and
its new path, which gets the added lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from ttsr_ls.session.output.js_json import json_stringify
from ttsr_ls.session.output.partial_json import JsonValue

PATCH_TOOLS = frozenset({"apply_patch", "applypatch"})
"""The names in lower case of tools that apply a patch."""
_PATCH_KEYS = ("command", "input", "patch", "patchText")
_HEADER = re.compile(r"\*\*\* (Add|Update|Delete) File: (.*)", re.DOTALL)
_MOVE = "*** Move to:"


class PatchedFile(Struct, frozen=True):
    """The next file of a patch, which is matched as a call of `tool` whose argument `text_key` has the new text; blank
    if the file gets no text.
    """

    tool: str
    path: str
    text_key: str


class AddedLine(Struct, frozen=True):
    """A line that the patch adds to the file last named."""

    text: str


PatchEvent = PatchedFile | AddedLine


class PatchReader:
    """Reads one patch, and returns the events of each complete line at once."""

    __slots__ = ("_has_file", "_rest", "_updated")

    def __init__(self) -> None:
        self._rest = ""
        self._updated: str | None = None
        """The path of an update whose next line may move the file."""
        self._has_file = False

    def feed(self, text: str) -> list[PatchEvent]:
        """Returns the events of the lines that `text` completes."""
        *lines, self._rest = (self._rest + text).split("\n") if "\n" in text else (self._rest + text,)
        return [event for line in lines for event in self._line(line)]

    def finish(self) -> list[PatchEvent]:
        """Returns the events of the last line, at the end of the patch."""
        rest, self._rest = self._rest, ""
        return [*self._line(rest), *self._start_update()]

    def _line(self, line: str) -> list[PatchEvent]:
        text = line.removesuffix("\r")
        if self._updated is not None and text.startswith(_MOVE):
            old, self._updated, self._has_file = self._updated, None, True
            return [PatchedFile("edit", old, ""), PatchedFile("edit", text.removeprefix(_MOVE).strip(), "new_string")]
        header = _HEADER.fullmatch(text)
        if header is None:
            if not text.startswith("+"):
                return self._start_update()
            started = self._start_update()
            return [*started, AddedLine(text[1:])] if self._has_file else []
        before, path = self._start_update(), header[2].strip()
        match header[1]:
            case "Update":
                self._updated = path
                return before
            case "Add":
                self._has_file = True
                return [*before, PatchedFile("write", path, "content")]
            case _:
                self._has_file = False
                return [*before, PatchedFile("edit", path, "")]

    def _start_update(self) -> list[PatchEvent]:
        """Starts the file of an update that does not move."""
        path, self._updated = self._updated, None
        if path is None:
            return []
        self._has_file = True
        return [PatchedFile("edit", path, "new_string")]


class FileArguments:
    """Builds the JSON text of the arguments of the call for each file of a patch, while the patch is read."""

    __slots__ = ("_end", "_has_line")

    def __init__(self) -> None:
        self._end = ""
        """The text that completes the arguments of the open file; blank if none is open."""
        self._has_line = False

    def start(self, file: PatchedFile) -> str:
        """Returns the beginning of the arguments of a file."""
        self._end, self._has_line = '"}' if file.text_key else "}", False
        text = f', {json_stringify(file.text_key)}: "' if file.text_key else ""
        return f'{{"path": {json_stringify(file.path)}{text}'

    def add(self, line: AddedLine) -> str:
        """Returns the text that adds a line."""
        line_end, self._has_line = "\n" if self._has_line else "", True
        return json_stringify(line_end + line.text)[1:-1]

    def end(self) -> str:
        """Returns the end of the arguments of the open file; blank if none is open."""
        end, self._end = self._end, ""
        return end


def patch_text(arguments: Mapping[str, JsonValue]) -> str:
    """Returns the patch in the arguments of a call; blank if there is none."""
    texts = (arguments.get(key) for key in _PATCH_KEYS)
    return next((text for text in texts if isinstance(text, str) and text), "")
