"""Renders steps of a turn as blocks of a transcript: a heading, and the agent's text below it."""

from __future__ import annotations

import json
from typing import assert_never

from msgspec import Struct

from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn import (
    AgentMessage,
    BackgroundHook,
    ChannelMessage,
    CompactionRehydration,
    CompactionSummary,
    GoalContinuation,
    Injection,
    InterruptedByRules,
    Interruption,
    ResumedSession,
    ScheduledTask,
    TurnIdle,
)
from ttsr_ls.session.history.turn_events import (
    CallAbandoned,
    CallDone,
    CallRefused,
    ModelCall,
    Output,
    Step,
    Text,
    Thinking,
    ToolBatch,
    ToolCall,
    ToolState,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnOutcome,
    TurnTrigger,
    UnseenTrigger,
    UserInput,
)
from ttsr_ls.session.history.turn_output import RedactedThinking, SealedReasoning, ServerTool
from ttsr_ls.session.output.partial_json import PartialObject

_MAIN = "main"
_MAX_TITLE_LENGTH = 60


class StepBlock(Struct, frozen=True):
    """A block. `title` is text of this program that may quote names; `body` is the agent's text, if there is any.

    `source` and `call` identify the stream whose triggers may be in this text; None if no trigger can be.
    """

    title: str
    body: str | None = None
    folded: bool = False
    source: Source | None = None
    call: str | None = None


def blocks_of_step(step: Step, injected: tuple[str, ...] = ()) -> list[StepBlock]:
    """The blocks of a step. `injected` are the names of the rules in an injection."""
    match step:
        case ModelCall():
            blocks = [_output_block(part, speaker_name(step.agent)) for part in step.output]
            return blocks if step.complete else [*blocks, StepBlock("■ the answer was interrupted")]
        case ToolBatch():
            return [block for item in step.items for block in result_blocks(item.tool, item.state)]
        case Injection():
            label = ", ".join(injected) or step.purpose.value
            return [StepBlock(f"◀ injected: {label}", step.text, folded=True)]
        case CompactionSummary():
            return [StepBlock("◀ the history was compacted; the model gets this summary", step.summary, folded=True)]
        case CompactionRehydration():
            return [StepBlock(f"◀ {len(step.files)} files are shown to the model again")]
        case Interruption():
            return [StepBlock(_interruption(step))]
        case _:
            assert_never(step)


def result_blocks(tool: str, state: ToolState) -> list[StepBlock]:
    """Returns the blocks for the result of a tool call, once it is known."""
    match state:
        case CallDone():
            return [StepBlock(f"◂ result of {tool}", state.result, folded=True)]
        case CallRefused():
            outcome = f"denied by {state.denied_by}" if state.denied_by else "failed"
            return [StepBlock(f"◂ {tool} {outcome}", state.result)]
        case CallAbandoned():
            return [StepBlock(f"◂ {tool} has no result", state.reason)]
        case _:
            return []


def turn_start_block(trigger: TurnTrigger) -> StepBlock:
    """Returns the block that shows what started a turn, such as the input of the user."""
    match trigger:
        case UserInput():
            return StepBlock("▶ user", trigger.text)
        case ScheduledTask():
            return StepBlock("▶ a task is due", trigger.text)
        case AgentMessage():
            return StepBlock(f"▶ message of the agent {trigger.sender}", trigger.text)
        case ChannelMessage():
            return StepBlock(f"▶ message of {trigger.sender} in #{trigger.channel}", trigger.text)
        case GoalContinuation():
            return StepBlock("▶ the agent goes on", trigger.text)
        case BackgroundHook():
            return StepBlock("▶ a hook in the background", trigger.text)
        case ResumedSession():
            return StepBlock("▶ the session is resumed")
        case UnseenTrigger():
            return StepBlock("▶ a prompt that the agent does not print")
        case _:
            assert_never(trigger)


def turn_title(trigger: TurnTrigger) -> str:
    """The first words of a turn's prompt, or the kind of its trigger."""
    block = turn_start_block(trigger)
    body = (block.body or "").strip()
    return first_words(body) if body else block.title.lstrip("▶ ")


def first_words(text: str) -> str:
    """The first line of a text, cut between words."""
    line, *others = text.strip().split("\n", 1)
    if len(line) <= _MAX_TITLE_LENGTH:
        return f"{line.rstrip()} …" if others else line
    words, _, _ = line[:_MAX_TITLE_LENGTH].rpartition(" ")
    return f"{words.rstrip() or line[:_MAX_TITLE_LENGTH]} …"


def outcome_text(outcome: TurnOutcome) -> str:
    """Describes how a turn ended."""
    match outcome:
        case TurnCompleted():
            return "the turn is completed"
        case TurnIdle():
            return "there was nothing to do"
        case TurnFailed():
            return f"the turn failed: {outcome.message}"
        case TurnCancelled():
            return f"the turn was cancelled: {outcome.reason}"
        case _:
            assert_never(outcome)


def speaker_name(agent: str) -> str:
    """Names the agent that speaks, where it is not the main agent."""
    return "" if agent == _MAIN else f" (agent {agent})"


def _output_block(part: Output, speaker: str) -> StepBlock:
    match part:
        case Text():
            return StepBlock(f"● text{speaker}", part.text, source=Source.TEXT)
        case Thinking():
            return StepBlock(f"○ thinking{speaker}", part.text, source=Source.THINKING)
        case RedactedThinking():
            return StepBlock(f"○ redacted thinking{speaker}")
        case SealedReasoning():
            return StepBlock(f"○ thinking{speaker}", "\n\n".join(part.summary), source=Source.THINKING)
        case ToolCall():
            return StepBlock(
                f"▸ {part.tool}{speaker}", arguments_text(part.arguments), source=Source.TOOL, call=part.id
            )
        case ServerTool():
            return StepBlock(f"▸ {part.tool}, run by the provider{speaker}", arguments_text(part.arguments))
        case _:
            assert_never(part)


def arguments_text(arguments: str) -> str:
    """Returns a call's arguments for users, one line for each name. Text with line ends, and text that is no JSON, is
    unchanged.
    """
    partial = PartialObject()
    partial.feed(arguments)
    if not partial.value:
        return arguments
    lines: list[str] = []
    for name, value in partial.value.items():
        if isinstance(value, str) and "\n" in value.rstrip("\n"):
            lines.append(f"{name}:")
            lines += [f"  {line}" for line in value.rstrip("\n").split("\n")]
        elif isinstance(value, str):
            lines.append(f"{name}: {value}")
        else:
            lines.append(f"{name}: {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines)


def _interruption(step: Interruption) -> str:
    by = ", ".join(step.cause.rules) if isinstance(step.cause, InterruptedByRules) else "the user"
    stays = "stays in" if step.context.value == "keep" else "is removed from"
    return f"■ interrupted by {by}; the answer {stays} the model's context"
