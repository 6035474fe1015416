"""The stream that an agent would produce with a text of an editor, and the positions in the text of its parts."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.ide.trial.json_arguments import json_arguments_note
from ttsr_ls.ide.trial.rule_trial import never_has_path, stream_context
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.rules.tool_paths import path_candidates
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES
from ttsr_ls.text import Span

_SHELL = "bash"
_PROSE = frozenset((*RULE_SUFFIXES, ".adoc", ".asciidoc", ".mdx", ".markdown", ".org", ".rst", ".tex", ".txt", ""))
"""Suffixes of files with prose. A text without a file is prose too."""


class TextKind(StrEnum):
    """The use that an agent makes of a text."""

    EDIT = "edit"
    WRITE = "write"
    TEXT = "text"
    THINKING = "thinking"
    BASH = "bash"
    TOOL = "tool"
    """Calls another tool; the text is its arguments."""


class StreamedText(Struct, frozen=True):
    """A text as it streams.

    `origins` has for each code point of `text`, and for its end, the offset in the tried text; None if both texts are
    the same.
    """

    text: str
    context: StreamContext
    origins: tuple[int, ...] | None = None

    def source_span(self, start: int, end: int) -> Span:
        """The span of the tried text from which `text[start:end]` came. It is empty for added syntax."""
        if self.origins is None:
            return Span(start, end)
        return Span(self.origins[start], self.origins[end])

    @property
    def note(self) -> str | None:
        """A note that the text cannot be the arguments of the tool; None if it can."""
        return json_arguments_note(self.context.tool, self.text)


def default_kind(path: str | None) -> TextKind:
    """Returns the most likely kind of a text from a file: prose is the agent's answer, anything else an edit of the
    file."""
    is_prose = path is None or PurePath(path).suffix.lower() in _PROSE
    return TextKind.TEXT if is_prose else TextKind.EDIT


def stream_context_of_kind(kind: TextKind, tool: str | None, path: str | None, folder: str) -> StreamContext:
    """The stream of a text of a kind. `tool` names the tool of `TextKind.TOOL`; `path`, of a tool that has one, is
    relative to `folder`."""
    match kind:
        case TextKind.TEXT:
            return StreamContext(Source.TEXT)
        case TextKind.THINKING:
            return StreamContext(Source.THINKING)
        case TextKind.TOOL:
            name = tool or str(TextKind.EDIT)
        case _:
            name = str(kind)
    paths = path_candidates(path, PurePath(folder)) if path is not None and not never_has_path(name) else ()
    return stream_context(Source.TOOL, name, paths)


def stream_text_of(text: str, context: StreamContext) -> StreamedText:
    """A text on a stream. A command for the shell becomes the arguments of the call, unless it is an object already."""
    if context.tool_name != _SHELL or json_arguments_note(_SHELL, text) is None:
        return StreamedText(text, context)
    parts, origins = ['{"command": "'], [0] * len('{"command": "')
    for offset, char in enumerate(text):
        source = json.dumps(char, ensure_ascii=False)[1:-1]
        parts.append(source)
        origins += [offset] * len(source)
    parts.append('"}')
    return StreamedText("".join(parts), context, (*origins, *[len(text)] * 3))
