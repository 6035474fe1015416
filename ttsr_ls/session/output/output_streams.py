"""The parts of an answer while they stream: prose, or a tool call. Each receives deltas and returns their matched form.

Independent of the wire format of an agent or a provider: a decoder assigns bytes to parts.
"""

from __future__ import annotations

from pathlib import PurePath

from msgspec.structs import replace

from ttsr_ls.rules.stream import BlockEnd, Delta, Payload, Snapshot, Source, StreamContext
from ttsr_ls.rules.tool_paths import path_candidates
from ttsr_ls.session.history.turn_events import Extent
from ttsr_ls.session.history.turn_output import Text, Thinking, ToolCall
from ttsr_ls.session.output.agent_events import FileWrite
from ttsr_ls.session.output.edit_texts import EditTexts
from ttsr_ls.session.output.js_json import json_stringify
from ttsr_ls.session.output.partial_json import JsonValue, PartialObject
from ttsr_ls.session.output.tool_vocabulary import Vocabulary, replaced_texts, writes_nothing, written_text
from ttsr_ls.session.output.wire_events import ResponseDelta


class ProseStream:
    """A stream of prose or of thinking."""

    __slots__ = ("_context", "_pieces", "_signature", "_size")

    def __init__(self, source: Source) -> None:
        self._context = StreamContext(source)
        self._pieces: list[str] = []
        self._signature: list[str] = []
        self._size = 0

    @property
    def source(self) -> Source:
        """The source of the stream: text or thinking."""
        return self._context.source

    @property
    def size(self) -> int:
        """The length of the text, in characters."""
        return self._size

    def add(self, text: str) -> list[ResponseDelta]:
        """Adds text."""
        event = self.delta(text)
        return [] if event is None else [ResponseDelta(event)]

    def delta(self, text: str) -> Delta | None:
        """Adds text. Returns the event of its stream; None for no text."""
        if not text:
            return None
        self._pieces.append(text)
        self._size += len(text)
        return Delta(self._context, text)

    def sign(self, text: str) -> None:
        """Adds to the signature."""
        if text:
            self._signature.append(text)

    def end(self) -> ResponseDelta:
        """Marks the end of the stream."""
        return ResponseDelta(BlockEnd(self._context))

    def output(self) -> Text | Thinking:
        """Returns the part as received so far."""
        full_text = "".join(self._pieces)
        if self._context.source is Source.TEXT:
            return Text(full_text)
        return Thinking(full_text, "".join(self._signature) or None)


class ToolStream:
    """A tool call. `number` is its index in the answer, which identifies a call without an id.

    A call that writes to a file is matched as snapshots of the text that it would write so far; any other as its JSON
    text, and at its end once more in the form of `JSON.stringify` (spec M4). The latter also holds for a call that
    should write but whose text is unknown. A block end follows only if its arguments are complete: an aborted call will
    not run.
    """

    __slots__ = (
        "_context", "_cwd", "_edits", "_paths", "_pieces", "_searched", "_shown", "_size", "_streamed_arguments",
        "_tools", "_write", "_writer", "call", "tool",
    )  # fmt: skip

    def __init__(self, tool: str, call: str, number: int, cwd: PurePath, tools: Vocabulary) -> None:
        self.tool = tool
        self.call = call
        self._cwd = cwd
        self._tools = tools
        self._writer = tools.writer(tool)
        self._streamed_arguments: PartialObject | None = None
        self._pieces: list[str] = []
        self._size = 0
        self._paths: tuple[str, ...] = ()
        self._searched: tuple[int, str | None] = (0, None)
        """The state of the arguments at the last search for paths: the number of started ones, and the key of the
        incomplete one."""
        self._edits: dict[str, EditTexts] = {}
        key = f"toolcall:{call}" if call else f"tool:{tool}:{number}"
        payload = Payload.ARGUMENTS if self._writer is None else Payload.WRITTEN
        self._context = StreamContext(Source.TOOL, tools.name(tool), (), key, payload)
        self._shown: str | None = None
        self._write: FileWrite | None = None

    @property
    def size(self) -> int:
        """The length of the arguments' text, in characters."""
        return self._size

    @property
    def _arguments(self) -> PartialObject:
        """The arguments as streamed so far. A call whose arguments come at once needs none."""
        if self._streamed_arguments is None:
            self._streamed_arguments = PartialObject()
        return self._streamed_arguments

    @property
    def is_complete(self) -> bool:
        """True if all arguments were received. A call without arguments may have no text at all."""
        return not self._pieces or self._arguments.is_complete

    def add(self, text: str) -> list[ResponseDelta]:
        """Adds to the arguments' JSON text."""
        if not text:
            return []
        self._pieces.append(text)
        self._size += len(text)
        arguments = self._arguments
        arguments.feed(text)
        searched = (arguments.begun, arguments.unfinished_key)
        if searched != self._searched:
            self._searched = searched
            self._find_paths(arguments.value, arguments.unfinished_key)
        if self._writer is not None:
            return self._snapshot(arguments.value)
        return [self._streamed(Delta(self._context, text))]

    def finish_at_once(self, arguments: dict[str, JsonValue]) -> list[ResponseDelta]:
        """Ends the stream of a call whose arguments came at once."""
        try:
            self._pieces = [json_stringify(arguments)]
        except RecursionError:
            return []
        self._size = len(self._pieces[0])
        self._find_paths(arguments, None)
        return self._final(arguments, self._pieces[0])

    def finish(self) -> list[ResponseDelta]:
        """Ends the stream."""
        return self._final(self._arguments.value) if self.is_complete else []

    def finish_with(self, arguments: dict[str, JsonValue]) -> list[ResponseDelta]:
        """Ends the stream with its repeated arguments, which are used if a part of the stream was lost."""
        is_same = self.is_complete and (self._arguments.value == arguments if self._pieces else not arguments)
        return self.finish() if is_same else self.finish_at_once(arguments)

    def output(self) -> ToolCall:
        """Returns the call as received so far."""
        return ToolCall(self.call, self.tool, "".join(self._pieces) or "{}")

    def _final(self, arguments: dict[str, JsonValue], text: str | None = None) -> list[ResponseDelta]:
        """`text` is that of the arguments in the form of `JSON.stringify`, if it is known."""
        events = [] if self._writer is None else self._snapshot(arguments)
        if self._writer is None or (self._shown is None and not writes_nothing(self._writer, arguments)):
            if self._context.payload is not Payload.ARGUMENTS:
                self._context = replace(self._context, payload=Payload.ARGUMENTS)
            text = json_stringify(arguments) if text is None else text
            events.append(self._streamed(Snapshot(self._context, text)))
        return [*events, self._streamed(BlockEnd(self._context))]

    def _snapshot(self, arguments: dict[str, JsonValue]) -> list[ResponseDelta]:
        """Returns a snapshot of the text that the call would write; none if the text did not change."""
        written = None if self._writer is None else written_text(self._writer, arguments, self._edits)
        if written is None or written == self._shown:
            return []
        self._shown = written
        self._update_replaced(arguments)
        return [self._streamed(Snapshot(self._context, written))]

    def _update_replaced(self, arguments: dict[str, JsonValue]) -> None:
        if self._write is not None and self._writer is not None and self._writer.extent is Extent.PIECE:
            replaced = replaced_texts(self._writer, arguments)
            # The object is kept if nothing changed: deltas with the same `write` object are joined.
            if replaced != self._write.replaced:
                self._write = replace(self._write, replaced=replaced)

    def _find_paths(self, arguments: dict[str, JsonValue], unfinished: str | None) -> None:
        paths = self._tools.raw_paths(self.tool, arguments, unfinished)
        if paths != self._paths:
            self._paths = paths
            self._context = replace(self._context, paths=self._forms_of(paths))
            self._shown = None
            self._write = FileWrite(paths[0], self._writer.extent) if paths and self._writer is not None else None

    def _forms_of(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        if len(paths) == 1:
            return path_candidates(paths[0], self._cwd)
        return tuple(dict.fromkeys(form for path in paths for form in path_candidates(path, self._cwd)))

    def _streamed(self, event: Delta | Snapshot | BlockEnd) -> ResponseDelta:
        return ResponseDelta(
            event, self.call or None, self._write if self._context.payload is Payload.WRITTEN else None
        )


class PlainCall:
    """A call of a tool that takes plain text. It is recorded as a call with that text as its `input`."""

    __slots__ = ("_call", "_context", "_pieces", "_tool")

    def __init__(self, tool: str, call: str, tools: Vocabulary) -> None:
        self._tool = tool
        self._call = call
        self._pieces: list[str] = []
        self._context = StreamContext(Source.TOOL, tools.name(tool), (), f"toolcall:{call}")

    @property
    def size(self) -> int:
        """The length of the text, in characters."""
        return sum(map(len, self._pieces))

    def add(self, text: str) -> list[ResponseDelta]:
        """Adds text."""
        if not text:
            return []
        self._pieces.append(text)
        return [ResponseDelta(Delta(self._context, text), self._call)]

    def end(self) -> list[ResponseDelta]:
        """Marks the end of the stream."""
        return [ResponseDelta(BlockEnd(self._context), self._call)]

    def output(self) -> ToolCall:
        """Returns the call as received so far."""
        return ToolCall(self._call, self._tool, json_stringify({"input": "".join(self._pieces)}))
