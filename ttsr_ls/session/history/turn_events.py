"""The events of a session: the content of the log, and the input of every fold.

Turns are the unit of history (spec H1): a turn is everything that one trigger causes, as a sequence of steps. An event
says what happened, independently of an agent's wire format. Pure values; `store.log.codec` serialises them.
`session.history.turn` and `session.history.turn_output` define the content of turns; this module exports what observers
need of it.

A new kind of event, or a new field with a default, keeps older logs readable, and older programs skip unknown ones; a
change of meaning increases `VERSION`.
"""

from __future__ import annotations

from ttsr_ls.rules.stream import Excerpt as Excerpt
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.inspection import AgentSessionIdentified as AgentSessionIdentified
from ttsr_ls.session.history.inspection import InputSkipped as InputSkipped
from ttsr_ls.session.history.inspection import InstructionsLoaded as InstructionsLoaded
from ttsr_ls.session.history.inspection import RequestNotInspected as RequestNotInspected
from ttsr_ls.session.history.inspection import RequestsCounted as RequestsCounted
from ttsr_ls.session.history.inspection import RuleChanges as RuleChanges
from ttsr_ls.session.history.recorded_value import RecordedValue
from ttsr_ls.session.history.request_limits import RequestLimitReached
from ttsr_ls.session.history.suppressed import TriggersSuppressed as TriggersSuppressed
from ttsr_ls.session.history.trigger_location import Extent as Extent
from ttsr_ls.session.history.trigger_location import Target as Target
from ttsr_ls.session.history.turn import CompactionRehydration, CompactionSummary, Injection, Interruption
from ttsr_ls.session.history.turn import ModelCall as ModelCall
from ttsr_ls.session.history.turn import Step as Step
from ttsr_ls.session.history.turn import ToolBatch as ToolBatch
from ttsr_ls.session.history.turn import TurnCancelled as TurnCancelled
from ttsr_ls.session.history.turn import TurnCompleted as TurnCompleted
from ttsr_ls.session.history.turn import TurnFailed as TurnFailed
from ttsr_ls.session.history.turn import TurnOutcome as TurnOutcome
from ttsr_ls.session.history.turn import TurnTrigger as TurnTrigger
from ttsr_ls.session.history.turn import UnseenTrigger as UnseenTrigger
from ttsr_ls.session.history.turn import UserInput as UserInput
from ttsr_ls.session.history.turn_output import CallAbandoned as CallAbandoned
from ttsr_ls.session.history.turn_output import CallDone as CallDone
from ttsr_ls.session.history.turn_output import CallRefused as CallRefused
from ttsr_ls.session.history.turn_output import CallRunning as CallRunning
from ttsr_ls.session.history.turn_output import Output as Output
from ttsr_ls.session.history.turn_output import Text as Text
from ttsr_ls.session.history.turn_output import Thinking as Thinking
from ttsr_ls.session.history.turn_output import ToolCall as ToolCall
from ttsr_ls.session.history.turn_output import ToolItem as ToolItem
from ttsr_ls.session.history.turn_output import ToolState as ToolState
from ttsr_ls.session.history.usage import Usage as Usage

VERSION = 1
"""The version of this vocabulary; each record of a log carries the one that it was written with."""

MAIN_AGENT = "main"
"""The `agent` in events of the session's top-level agent. A subagent is named by the tool call that started it."""


class RuleInForce(RecordedValue, frozen=True, tag="LoadedRule"):
    """An active rule: its unique name, its file, and the provider of that file."""

    name: str
    path: str
    provider: str


class RuleProblem(RecordedValue, frozen=True):
    """A rule that is not active, or only partly; `reason` says why, in a full sentence."""

    rule: str
    path: str
    in_force: bool
    reason: str


class RulesLoaded(RecordedValue, frozen=True):
    """From here on these rules are active, matched as `matching` says (`stable` or `reference`).

    `problems` has the rules that are not active, or not completely, although no user disabled them. `changes` is None
    unless files of rules or settings changed in the running session.
    """

    rules: tuple[RuleInForce, ...]
    matching: str
    problems: tuple[RuleProblem, ...] = ()
    changes: RuleChanges | None = None


class TurnStarted(RecordedValue, frozen=True):
    """A turn began. `turn` is unique in its session."""

    turn: str
    trigger: TurnTrigger


class StepAppended(RecordedValue, frozen=True):
    """Step number `step` (from 0) was added to a turn."""

    turn: str
    step: int
    content: Step


class HistoryCompacted(RecordedValue, frozen=True, tag="Compacted"):
    """The history of an agent was compacted: its `steps`, from number `step` on, are on record together or not at all.

    Between turns, `turn` is a new and finished turn that consists of these steps.
    """

    turn: str
    step: int
    steps: tuple[CompactionSummary | CompactionRehydration, ...]


class StepUpdated(RecordedValue, frozen=True):
    """The tool call `call` in the tool batch that is step `step` of a turn has a new state."""

    turn: str
    step: int
    call: str
    state: ToolState


class TurnEnded(RecordedValue, frozen=True):
    """The last event of a turn."""

    turn: str
    outcome: TurnOutcome


class RuleTriggered(RecordedValue, frozen=True):
    """A rule fired.

    `condition` is the text of the condition as its author wrote it and `condition_index` its index among the rule's
    conditions. `step` is the number of the model call during which it fired; that step is appended when the answer
    ends, so after this event. `start` and `end` are the match in the stream's text and `offset` the length of the
    prefix on which it fired, in code points. `tool` is the canonical tool name as scopes use it (spec T3),
    None for prose; `target` is None if nothing is written to a file.
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


class ConditionTooSlow(RecordedValue, frozen=True):
    """A condition exceeded its limit on the agent's output; it is disabled in this session.

    `condition` is its text as authored, `condition_index` its index among the rule's conditions.
    """

    agent: str
    rule: str
    rule_path: str
    condition: str
    condition_index: int


class StreamMatchingEnded(RecordedValue, frozen=True, tag="StreamUnwatched"):
    """The rest of `stream` was not matched, because its text is too long; or only AST conditions were not matched on
    it, because parsing takes too long. Its kind in session logs is `StreamUnwatched`.

    `stream` is `text`, `thinking`, or the name of a tool call's stream. Recorded once for each name, even if that
    happens again in later answers.
    """

    agent: str
    stream: str


class OutputInterrupted(RecordedValue, frozen=True):
    """An answer is about to be interrupted; in the history this is step `step` of the turn."""

    turn: str
    step: int
    interruption: Interruption


class InjectionCommitted(RecordedValue, frozen=True, rename={"feature_records": "noted"}):
    """An injection is about to be sent; in the history this is step `step` of the turn. `rules` are the injected rules,
    `rule_paths` their paths: blank, or none at all, where only the names are known.

    `feature_records` are records of the injecting feature: on record with the injection or not at all.
    """

    turn: str
    step: int
    injection: Injection
    rules: tuple[str, ...]
    feature_records: tuple[FeatureRecorded, ...] = ()
    rule_paths: tuple[str, ...] = ()


class RetryStarted(RecordedValue, frozen=True):
    """The request is about to be retried for the `attempt`th time (from 1); its answer will be step `step`."""

    turn: str
    step: int
    agent: str
    attempt: int


class ReminderFolded(RecordedValue, frozen=True, rename={"feature_records": "noted"}):
    """The result of the tool call `call` in the batch that is step `step` carries a reminder of these rules.

    `feature_records` are records of the reminding feature: on record with the reminder or not at all.
    """

    turn: str
    step: int
    call: str
    rules: tuple[str, ...]
    text: str
    feature_records: tuple[FeatureRecorded, ...] = ()
    rule_paths: tuple[str, ...] = ()


class ToolInputChanged(RecordedValue, frozen=True, rename={"feature_records": "noted"}):
    """A feature changed the input of the tool call `call` in step `step`, before it ran, to the JSON `arguments`."""

    turn: str
    step: int
    call: str
    feature: str
    arguments: str
    feature_records: tuple[FeatureRecorded, ...] = ()


class InjectionDeferred(RecordedValue, frozen=True):
    """These rules will be injected when the answer that is step `step` is complete."""

    turn: str
    step: int
    agent: str
    rules: tuple[str, ...]


class FeatureRecorded(RecordedValue, frozen=True):
    """A record of the feature `feature`: `content` is JSON text that only this feature can read.

    It belongs to the history like steps: rewinding and clearing remove it, compacting does not.
    """

    feature: str
    content: str


class SessionResumed(RecordedValue, frozen=True):
    """A program resumed the session. Operations that an earlier program left open were cancelled by its crash."""


class HistoryRewound(RecordedValue, frozen=True, tag="Rewound"):
    """The history was rewound to the state before this turn."""

    turn: str


class HistoryCleared(RecordedValue, frozen=True, tag="Cleared"):
    """The conversation was cleared: its history is empty."""


TurnEvent = (
    RulesLoaded
    | TurnStarted
    | StepAppended
    | HistoryCompacted
    | StepUpdated
    | TurnEnded
    | RuleTriggered
    | ConditionTooSlow
    | StreamMatchingEnded
    | OutputInterrupted
    | InjectionCommitted
    | RetryStarted
    | RequestLimitReached
    | TriggersSuppressed
    | RequestNotInspected
    | RequestsCounted
    | InstructionsLoaded
    | AgentSessionIdentified
    | InputSkipped
    | ReminderFolded
    | ToolInputChanged
    | InjectionDeferred
    | FeatureRecorded
    | SessionResumed
    | HistoryRewound
    | HistoryCleared
)
