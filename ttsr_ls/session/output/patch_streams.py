"""Calls that apply a patch, by a tool of its own or by the shell, matched as writes to each file of the patch."""

from __future__ import annotations

from pathlib import PurePath

from msgspec.structs import replace

from ttsr_ls.rules.stream import Delta
from ttsr_ls.session.output.common_tools import COMMON_TOOLS
from ttsr_ls.session.output.output_streams import PlainCall, ToolStream
from ttsr_ls.session.output.partial_json import JsonValue
from ttsr_ls.session.output.patch_calls import calls_of_command
from ttsr_ls.session.output.patch_reader import (
    PATCH_TOOLS,
    AddedLine,
    FileArguments,
    PatchedFile,
    PatchEvent,
    PatchReader,
    patch_text,
)
from ttsr_ls.session.output.tool_vocabulary import Vocabulary
from ttsr_ls.session.output.wire_events import ResponseDelta


def tool_stream(tool: str, call: str, number: int, cwd: PurePath, tools: Vocabulary) -> ToolStream:
    """Returns the stream of a call whose arguments are JSON; the parameters are those of `ToolStream`."""
    kind = ToolStream
    if tool.lower() in PATCH_TOOLS and tools.writer(tool) is None:
        kind = PatchToolStream
    elif tools.name(tool) == "bash":
        kind = ShellStream
    return kind(tool, call, number, cwd, tools)


def plain_call(tool: str, call: str, cwd: PurePath, tools: Vocabulary) -> PlainCall:
    """Returns the stream of a call whose input is plain text."""
    return PatchCall(tool, call, cwd, tools) if tool.lower() in PATCH_TOOLS else PlainCall(tool, call, tools)


class PatchedFiles:
    """The streams of the files of one patch. Only added lines are new text.

    `call` is the id of its call; `number` is the index of that call in the answer, which identifies one without an id.
    """

    __slots__ = ("_arguments", "_call", "_count", "_cwd", "_number", "_open", "_reader")

    def __init__(self, call: str, number: int, cwd: PurePath) -> None:
        self._call = call
        self._number = number
        self._cwd = cwd
        self._reader = PatchReader()
        self._count = 0
        self._open: ToolStream | None = None
        self._arguments = FileArguments()

    @property
    def is_empty(self) -> bool:
        """True if the patch has named no file yet."""
        return self._count == 0

    def feed(self, text: str) -> list[ResponseDelta]:
        """Adds text of the patch."""
        return self._events_of_call(self._apply(self._reader.feed(text))) if text else []

    def finish(self) -> list[ResponseDelta]:
        """Ends the patch."""
        return self._events_of_call([*self._apply(self._reader.finish()), *self._close()])

    def _apply(self, patch_events: list[PatchEvent]) -> list[ResponseDelta]:
        events: list[ResponseDelta] = []
        # Added at once: with a snapshot after each line, a patch of a megabyte would take gigabytes.
        arguments: list[str] = []
        for event in patch_events:
            match event:
                case PatchedFile():
                    events += [*self._add(arguments), *self._close()]
                    identity = f"{self._call or self._number}#{self._count}" if self._count else self._call
                    self._open = ToolStream(event.tool, identity, self._number, self._cwd, COMMON_TOOLS)
                    self._count += 1
                    arguments = [self._arguments.start(event)]
                case AddedLine() if self._open is not None:
                    arguments.append(self._arguments.add(event))
        return [*events, *self._add(arguments)]

    def _add(self, arguments: list[str]) -> list[ResponseDelta]:
        return [] if self._open is None else self._open.add("".join(arguments))

    def _close(self) -> list[ResponseDelta]:
        file, self._open = self._open, None
        return [] if file is None else [*file.add(self._arguments.end()), *file.finish()]

    def _events_of_call(self, events: list[ResponseDelta]) -> list[ResponseDelta]:
        # A file has a stream of its own, and no call of its own.
        return [replace(event, call=self._call or None) for event in events]


class PatchToolStream(ToolStream):
    """A patch in the arguments of a call. A call whose arguments have no patch is matched by their JSON text."""

    __slots__ = ("_files", "_identity", "_patch")

    def __init__(self, tool: str, call: str, number: int, cwd: PurePath, tools: Vocabulary) -> None:
        super().__init__(tool, call, number, cwd, tools)
        self._patch = ""
        self._identity = call, number, cwd
        self._files = PatchedFiles(*self._identity)

    def add(self, text: str) -> list[ResponseDelta]:
        """Adds to the arguments' JSON text."""
        super().add(text)
        return self._read(patch_text(self._arguments.value))

    def _read(self, patch: str) -> list[ResponseDelta]:
        new, self._patch = patch[len(self._patch) :], patch
        return self._files.feed(new)

    def _final(self, arguments: dict[str, JsonValue], text: str | None = None) -> list[ResponseDelta]:
        patch = patch_text(arguments)
        if not patch.startswith(self._patch):  # A part of the stream was lost.
            self._patch, self._files = "", PatchedFiles(*self._identity)
        events = [*self._read(patch), *self._files.finish()]
        return super()._final(arguments, text) if self._files.is_empty else events


class ShellStream(ToolStream):
    """A call of the shell, whose command may apply patches: at its end, it is also a write to each of their files."""

    __slots__ = ("_identity",)

    def __init__(self, tool: str, call: str, number: int, cwd: PurePath, tools: Vocabulary) -> None:
        super().__init__(tool, call, number, cwd, tools)
        self._identity = call or number, number, cwd

    def _final(self, arguments: dict[str, JsonValue], text: str | None = None) -> list[ResponseDelta]:
        events = super()._final(arguments, text)
        identity, number, cwd = self._identity
        for count, (tool, written) in enumerate(calls_of_command(arguments), start=1):
            file = ToolStream(tool, f"{identity}#{count}", number, cwd, COMMON_TOOLS)
            events += [replace(event, call=self.call or None) for event in file.finish_at_once(written)]
        return events


class PatchCall(PlainCall):
    """A patch as the plain text of a call. A text that is no patch is matched as a whole, at its end."""

    __slots__ = ("_files",)

    def __init__(self, tool: str, call: str, cwd: PurePath, tools: Vocabulary) -> None:
        super().__init__(tool, call, tools)
        self._files = PatchedFiles(call, 0, cwd)

    def add(self, text: str) -> list[ResponseDelta]:
        """Adds text."""
        super().add(text)
        return self._files.feed(text)

    def end(self) -> list[ResponseDelta]:
        """Marks the end of the stream."""
        events = self._files.finish()
        if not self._files.is_empty:
            return events
        return [ResponseDelta(Delta(self._context, "".join(self._pieces)), self._call), *super().end()]
