"""The reasons why a rule of oh-my-pi fires or does not: the walk through its gates."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.ide.why.gates import GateStep, GateWalk, steps_until_stopped
from ttsr_ls.ide.why.standing_gates import OmpSubject, gates_before_stream
from ttsr_ls.ide.why.stream_gates import UNDECIDED, StreamQuery, stream_gates
from ttsr_ls.matching.ast.search import AstSearch, PatternShapes
from ttsr_ls.rules.settings.settings import Settings


def walk_gates(
    subject: OmpSubject,
    query: StreamQuery,
    settings: Settings,
    ast_search: AstSearch | None = None,
    patterns: PatternShapes | None = None,
) -> GateWalk:
    """Walks a rule that was found through the gates, up to the first that stops it.

    `patterns` tells which AST patterns can match nothing.
    """
    gates = _gates(subject, query, settings, ast_search, patterns)
    return GateWalk(subject.file.name, subject.file.path, steps_until_stopped(gates))


def conclusion_text(walked: GateWalk) -> str:
    """The conclusion of a walk, in one sentence of Markdown."""
    gate_step = walked.stopped
    if gate_step is not None:
        return f"It does not fire: the gate “{gate_step.gate}” stops it."
    if walked.open:
        if any(step.text.startswith(UNDECIDED) for step in walked.open):
            return "Whether it fires is not known: that was not decided in time."
        return "Nothing stops it so far; the open gates depend on facts that were not given."
    return "It fires."


def _gates(
    subject: OmpSubject,
    query: StreamQuery,
    settings: Settings,
    ast_search: AstSearch | None,
    patterns: PatternShapes | None,
) -> Iterator[GateStep]:
    yield from gates_before_stream(subject, query.agent)
    rule = subject.registration.rule
    if rule is not None:
        yield from stream_gates(subject.file, rule, query, settings, ast_search, patterns)
