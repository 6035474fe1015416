"""The shapes of the server's own messages, as docs/lsp-extensions.md and docs/editors.md describe them."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from tests.lsp.conformance.rule_match_shapes import PositionShape, RangeShape, RuleMatchesShape, Shape


class GroupShape(Shape, frozen=True):
    number: int
    name: str | None
    range: RangeShape


class MatchShape(Shape, frozen=True):
    condition: int
    range: RangeShape
    groups: list[GroupShape]


class ConditionShape(Shape, frozen=True):
    text: str
    kind: Literal["regex", "ast"]
    state: Literal["matches", "silent", "slow", "skipped"]
    is_complete: bool
    range: RangeShape | None


class FiringShape(Shape, frozen=True):
    condition: int
    range: RangeShape
    delta: int
    offset: int
    at_end: bool


class GateShape(Shape, frozen=True):
    gate: str
    verdict: Literal["passes", "stops", "open"]
    text: str
    fix: str | None


class TriedRuleShape(Shape, frozen=True):
    name: str
    uri: str
    verdict: Literal["fires", "silent", "undecided"]
    interrupts: bool | None
    matching: Literal["stable", "reference"]
    conditions: list[ConditionShape]
    matches: list[MatchShape]
    stable: FiringShape | None
    reference: FiringShape | None
    streaming: str | None
    stopped_by: GateShape | None
    reasons: list[str]


class AbsentRuleShape(Shape, frozen=True):
    name: str
    uri: str
    reason: str


class TestTextShape(Shape, frozen=True):
    source: Literal["text", "thinking", "tool"] | None
    tool: str | None
    paths: list[str]
    stream: str | None
    summary: str
    note: str | None
    report: str
    deltas: int
    chunk: int
    shown_to: PositionShape
    rules: list[TriedRuleShape]
    gates: list[GateShape]
    absent: list[AbsentRuleShape]


class FiringExpectationShape(Shape, frozen=True):
    condition: str | UnsetType = UNSET
    offset: int | UnsetType = UNSET
    line: int | UnsetType = UNSET


class ActualFiringShape(FiringExpectationShape, frozen=True, kw_only=True):
    fires: bool


class RuleCaseShape(Shape, frozen=True):
    id: str
    label: str
    title: str
    kind: Literal["valid", "invalid"]
    text: str
    uri: str
    range: RangeShape
    status: Literal["passed", "failed", "undecided"] | UnsetType = UNSET
    message: str | UnsetType | None = UNSET
    expected: FiringExpectationShape | UnsetType = UNSET
    actual: ActualFiringShape | UnsetType = UNSET


class CaseProblemShape(Shape, frozen=True):
    message: str
    range: RangeShape


class TestedRuleShape(Shape, frozen=True):
    name: str
    uri: str | None
    test_uri: str | None
    reason: str | None
    cases: list[RuleCaseShape]
    problems: list[CaseProblemShape]


class RuleTestsShape(Shape, frozen=True):
    rules: list[TestedRuleShape]


class RunTriggerShape(Shape, frozen=True):
    number: int
    time: int
    rule: str
    rule_uri: str
    condition: str
    message: str
    surface: str
    matched: str
    interrupts: bool
    silenced: bool
    outcome: str | None
    live: bool
    target_uri: str | None
    target_line: int | None
    line: int | None


class TurnShape(Shape, frozen=True):
    id: str | int
    title: str
    started: int
    state: str
    outcome: str | None
    triggers: list[RunTriggerShape]


class SessionShape(Shape, frozen=True):
    id: str
    agent: str
    started: int
    last_event: int
    state: Literal["working", "ended", "failed"]
    transcript: str
    triggers: int
    coverage: str | None
    uninspected: int
    silenced: list[str]
    turns: list[TurnShape]


class WorkspaceRunsShape(Shape, frozen=True):
    uri: str
    name: str
    sessions: list[SessionShape]


class RunsShape(Shape, frozen=True):
    workspaces: list[WorkspaceRunsShape]
    cleared: bool
    displayed_triggers: int


class MarkShape(Shape, frozen=True):
    line: int
    start: int
    end: int
    trigger: int


class TranscriptShape(Shape, frozen=True):
    uri: str
    session: str
    epoch: int
    first: int
    stable: int
    lines: list[str]
    marks: list[MarkShape]
    folds: list[tuple[int, int]]
    triggers: list[RunTriggerShape]


class RunsChangedShape(Shape, frozen=True):
    sessions: list[str]


class RunStartedShape(Shape, frozen=True):
    workspace: str
    triggers: int


class ExcerptShape(Shape, frozen=True):
    text: str
    start: int
    end: int


class TriggeredShape(Shape, frozen=True):
    workspace: str
    rule: str
    rule_uri: str
    condition: str
    source: Literal["text", "thinking", "tool"]
    tool: str | None
    target_uri: str | None
    target_line: int | None
    excerpt: ExcerptShape
    interrupts: bool
    turn: str | int


class CommandTriggerShape(Shape, frozen=True):
    condition: str
    start: int
    end: int
    offset: int
    excerpt: str


class CommandRuleShape(Shape, frozen=True):
    name: str
    path: str
    fires: bool
    matched: list[str]
    slow: list[str]
    skipped_ast: str | None
    reasons: list[str]
    triggers: list[CommandTriggerShape]


class TestCommandShape(Shape, frozen=True):
    source: Literal["text", "thinking", "tool"] | None
    tool: str | None
    paths: list[str]
    summary: str
    report: str
    rules: list[CommandRuleShape]


class PageShape(Shape, frozen=True):
    uri: str
    text: str


RESULTS: dict[str, type[Shape] | None] = {
    "ttsr/testText": TestTextShape,
    "ttsr/ruleTests": RuleTestsShape,
    "ttsr/ruleMatches": RuleMatchesShape,
    "ttsr.test": TestCommandShape,
    "ttsr.runs": RunsShape,
    "ttsr.transcript": TranscriptShape,
    "ttsr.silence": None,
    "ttsr.clearRuns": None,
    "ttsr.clearTriggers": None,
    "ttsr.documentation": PageShape,
    "ttsr.showDocumentation": None,
}
"""By request or command: the shape of the result; None where the result is null."""
NOTIFICATIONS: dict[str, type[Shape]] = {
    "ttsr/triggered": TriggeredShape,
    "ttsr/runStarted": RunStartedShape,
    "ttsr/runsChanged": RunsChangedShape,
}


def find_shape_problems(value: object, shape: type[Shape] | None, where: str) -> list[str]:
    """What is wrong with a value that should have a shape, at most one thing."""
    if shape is None:
        return [] if value is None else [f"{where}: a value instead of null"]
    try:
        msgspec.convert(value, shape, strict=True)
    except msgspec.ValidationError as error:
        return [f"{where}: {error}"]
    return []
