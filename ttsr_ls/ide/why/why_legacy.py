"""The reasons why a rule of oh-my-pi before `condition` fires or does not: the walk through its few gates (spec L)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.ide.markdown import escape_markdown, inline_code
from ttsr_ls.ide.shown_path import shown_path
from ttsr_ls.ide.trial.rule_trial import Streaming, run_trial, stream_context
from ttsr_ls.ide.why.gates import Gate, GateStep, GateWalk, open_step, passing_step, steps_until_stopped, stopping_step
from ttsr_ls.ide.why.stream_gates import StreamQuery, repeat_step, undecided_step
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.rules.stream import Source
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.rule_file import RuleFile


class LegacySubject(Struct, frozen=True):
    """A rule that was found. `source` names its provider; `shadowed_by` is the path of the rule of the same name that
    takes its place, None if there is none.
    """

    file: RuleFile
    registration: Registration
    source: str
    shadowed_by: str | None
    folder: str


def walk_legacy(subject: LegacySubject, query: StreamQuery, settings: Settings) -> GateWalk:
    """Walks a rule through the gates, up to the first that stops it."""
    return GateWalk(subject.file.name, subject.file.path, steps_until_stopped(_gates(subject, query, settings)))


def _gates(subject: LegacySubject, query: StreamQuery, settings: Settings) -> Iterator[GateStep]:
    path = inline_code(shown_path(subject.file.path, subject.folder))
    yield passing_step(Gate.FOUND, f"{path}: {subject.source}; read as a rule of oh-my-pi before `condition`.")
    if subject.shadowed_by is not None:
        other = inline_code(shown_path(subject.shadowed_by, subject.folder))
        yield stopping_step(Gate.NAME, f"{other} has the same name, and comes first.", "Rename one of the two files.")
    rule = subject.registration.rule
    if rule is None:
        problems = subject.registration.problems
        reason = escape_markdown(problems[0].message) if problems else "It has no `ttsr_trigger` that is a text."
        yield stopping_step(
            Gate.TRIGGER, reason, f"Run `ttsr-ls check` on {path} and fix the problems that it reports."
        )
        return
    display = inline_code(rule.condition_text(0))
    yield passing_step(Gate.TRIGGER, f"It has a trigger: {display}.")
    yield _stream(query)
    yield repeat_step(rule, query, settings)
    yield _condition(subject.file, rule, query, settings, display)


def _stream(query: StreamQuery) -> GateStep:
    streams = "It is matched on the agent's text and the arguments of all tools; its scope and globs do not count."
    context = query.context
    if context is not None and context.source is Source.THINKING:
        return stopping_step(Gate.STREAM, f"It is not matched on thinking. {streams}", "Make it a rule with a `scope`.")
    return passing_step(Gate.STREAM, streams)


def _condition(file: RuleFile, rule: Rule, query: StreamQuery, settings: Settings, display: str) -> GateStep:
    if query.text is None:
        return open_step(Gate.CONDITION, f"It fires on {display}. Try a text with `--text` or `--file`.")
    context = stream_context(Source.TEXT, None, ()) if query.context is None else query.context
    (outcome,) = run_trial((rule,), query.text, context, Streaming(settings)).outcomes
    for trigger in outcome.triggers:
        return passing_step(
            Gate.CONDITION, f"{display} matches {inline_code(trigger.excerpt.text)}; the rule interrupts the answer."
        )
    if outcome.slow:
        return undecided_step(display)
    from ttsr_ls.ide.condition_findings import single_pattern_findings

    findings = single_pattern_findings(file.text, file.path, DialectId.OMP_LEGACY)
    fix = "`ttsr-ls explain` on the file says in plain English what each part of the trigger matches."
    return stopping_step(Gate.CONDITION, f"Nothing in the text matches {display}. {findings.explanation}".rstrip(), fix)
