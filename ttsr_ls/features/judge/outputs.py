"""The parts of a finished answer that are judged (spec J1): all text, all thinking, and each tool call in its matched
form.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from ttsr_ls.features.judge.questions import FinishedOutput
from ttsr_ls.rules.stream import Delta, Snapshot, Source, StreamContext, stream_key
from ttsr_ls.session.history.turn_output import Output, SealedReasoning, Text, Thinking, ToolCall
from ttsr_ls.session.output.patch_streams import tool_stream
from ttsr_ls.session.output.tool_vocabulary import Vocabulary


def finished_outputs(output: Iterable[Output], cwd: PurePath, tools: Vocabulary) -> tuple[FinishedOutput, ...]:
    """Returns the outputs of an answer that are judged separately. Outputs without text are left out."""
    prose_texts: list[str] = []
    thinking_texts: list[str] = []
    calls: list[FinishedOutput] = []
    for number, part in enumerate(output):
        match part:
            case Text():
                prose_texts.append(part.text)
            case Thinking():
                thinking_texts.append(part.text)
            case SealedReasoning():
                thinking_texts.extend(part.summary)
            case ToolCall():
                calls += _call(part, number, cwd, tools)
            case _:
                pass
    prose = ((Source.TEXT, prose_texts), (Source.THINKING, thinking_texts))
    prose_outputs = [FinishedOutput(StreamContext(source), "\n\n".join(texts)) for source, texts in prose]
    return tuple(output for output in (*prose_outputs, *calls) if output.text.strip())


def _call(call: ToolCall, number: int, cwd: PurePath, tools: Vocabulary) -> list[FinishedOutput]:
    """Returns the last text of a call, or of each file that it patches, on which rules are matched."""
    stream = tool_stream(call.tool, call.id, number, cwd, tools)
    events = [delta.event for delta in (*stream.add(call.arguments), *stream.finish())]
    last = {stream_key(event.context): event for event in events if isinstance(event, Delta | Snapshot)}
    return [FinishedOutput(event.context, event.text) for event in last.values()]
