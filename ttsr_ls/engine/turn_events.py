"""The events a session is made of: what the log holds and what every view of a session is folded from.

Turns are the unit of history (seed 003): a turn is what one trigger set off, and it consists of steps. Each event says
what happened, never how an agent spelled it on its wire. Pure values; writing them down is `store.codec`'s work.
What is added later, a kind of event or a field with a default, leaves older logs readable, and older programs skip
what they do not know; whatever changes a meaning raises `VERSION`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ttsr_ls.engine.stream import Source
from ttsr_ls.text import Position

VERSION = 1
"""The version of this vocabulary; each record of a log carries the one that it was written with."""

MAIN_AGENT = "main"
"""The `agent` of what the top-level agent of a session does; a subagent's is named by the tool call that started it."""


# What set a turn off.


@dataclass(frozen=True, slots=True)
class UserInput:
    """A person's prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class Unseen:
    """The turn was set off by something that the observed stream does not show, as the prompt of `claude -p`."""


TurnTrigger = UserInput | Unseen


# What a model put out, in the order of its stream.


@dataclass(frozen=True, slots=True)
class Text:
    """Prose for the person."""

    text: str


@dataclass(frozen=True, slots=True)
class Thinking:
    """Reasoning. `signature` is opaque and must reach the provider again byte for byte; None where there is none."""

    text: str
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call. `arguments` is its JSON text as streamed: whole or, in an aborted answer, as far as it came."""

    id: str
    tool: str
    arguments: str


Output = Text | Thinking | ToolCall


# What became of a tool call.


@dataclass(frozen=True, slots=True)
class Running:
    """The call was handed to its tool."""


@dataclass(frozen=True, slots=True)
class Done:
    """The tool answered with `result`."""

    result: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The tool or its permission failed; `result` is what the model was told."""

    result: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The call never got a result; `reason` says why."""

    reason: str


ToolState = Running | Done | Refused | Abandoned


@dataclass(frozen=True, slots=True)
class ToolItem:
    """A call of a batch together with its state, so that neither can be without the other (seed 003, I2)."""

    call: str
    tool: str
    state: ToolState


# Steps.


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One answer of a model. `complete` is false where the answer was cut off."""

    agent: str
    model: str
    output: tuple[Output, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class ToolBatch:
    """The tool calls of one answer, in the order in which the model made them (seed 003, I4)."""

    agent: str
    items: tuple[ToolItem, ...]


Step = ModelCall | ToolBatch


# How a turn ended.


@dataclass(frozen=True, slots=True)
class Completed:
    """The agent finished what it had to say."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The agent gave up; `message` is its reason as it put it."""

    message: str


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Somebody or something ended the turn early: a person, a crash, the end of what could be observed."""

    reason: str


Outcome = Completed | Failed | Cancelled


# Where a trigger was.


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The matched text with a little around it: the match is `text[start:end]` (code points)."""

    text: str
    start: int
    end: int


class Extent(StrEnum):
    """What part of a file a tool call writes: all of it, or a piece whose place in the file is not known."""

    WHOLE = "whole"
    PIECE = "piece"


@dataclass(frozen=True, slots=True)
class Target:
    """The match in the file that a tool call is about to write.

    `path` is as the agent gave it. `start` and `end` are positions (UTF-16) in what the call writes: the positions in
    the file itself where `extent` is WHOLE. `first_line` is the line of `start`, as far as it was there when the rule
    fired and cut at 300 characters: an editor can find a piece in the file by it.
    """

    path: str
    extent: Extent
    start: Position
    end: Position
    first_line: str


@dataclass(frozen=True, slots=True)
class LoadedRule:
    """A rule that was in force: its unique name, the file it came from, and who provided that file."""

    name: str
    path: str
    provider: str


# The events.


@dataclass(frozen=True, slots=True)
class RulesLoaded:
    """From here on these rules are in force, matched as `matching` says (`stable` or `reference`)."""

    rules: tuple[LoadedRule, ...]
    matching: str


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A turn began. `turn` is unique in its session."""

    turn: str
    trigger: TurnTrigger


@dataclass(frozen=True, slots=True)
class StepAppended:
    """Step number `step` (from 0) of a turn is known."""

    turn: str
    step: int
    content: Step


@dataclass(frozen=True, slots=True)
class StepUpdated:
    """The tool call `call` in the tool batch that is step `step` of a turn came to a new state."""

    turn: str
    step: int
    call: str
    state: ToolState


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn is over."""

    turn: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class RuleTriggered:
    """A rule fired.

    `condition` is the text of the condition as its author wrote it and `condition_index` its place among the rule's
    conditions. `step` is the number of the model call during which it fired; that step is appended when the answer is
    over, so after this event. `start` and `end` are the match in the stream's text and `offset` the length of the
    prefix on which it fired, in code points. `tool` is the canonical tool name as scopes use it (semantics.md 3.2),
    None for prose; `target` is None where nothing is written to a file.
    """

    turn: str
    step: int
    agent: str
    rule: str
    rule_path: str
    condition: str
    condition_index: int
    source: Source
    tool: str | None
    call: str | None
    target: Target | None
    start: int
    end: int
    offset: int
    excerpt: Excerpt
    interrupts: bool


TurnEvent = RulesLoaded | TurnStarted | StepAppended | StepUpdated | TurnEnded | RuleTriggered
