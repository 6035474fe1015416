"""The reasons why a rule of pi-ttsr fires or does not: the walk through its gates (spec P3 to P5)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.ide.explain.pi import firings_phrase, regex_text, scope_text
from ttsr_ls.ide.markdown import escape_markdown, inline_code
from ttsr_ls.ide.shown_path import shown_path
from ttsr_ls.ide.trial.editor_trial import stream_text
from ttsr_ls.ide.trial.obstacles import Obstacle
from ttsr_ls.ide.trial.rule_trial import RuleOutcome, run_trial, stream_context
from ttsr_ls.ide.why.gates import Gate, GateStep, GateWalk, open_step, passing_step, steps_until_stopped, stopping_step
from ttsr_ls.ide.why.stream_gates import StreamQuery, undecided_step
from ttsr_ls.rules.dialects.pi_trigger import FiringLimits, PiTrigger
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.pi.keys import PiScope
from ttsr_ls.syntax.pi.rule_file import PiRuleFile


class PiSubject(Struct, frozen=True):
    """A rule that was found. `source` names its provider, `together` are the rules loaded with it, in order."""

    file: PiRuleFile
    registration: Registration
    source: str
    together: tuple[Rule, ...]
    folder: str
    """The folder from which paths are shown."""

    @property
    def path(self) -> str:
        """The path of the file as it is shown."""
        return shown_path(self.file.file.path, self.folder)


def walk_pi(subject: PiSubject, query: StreamQuery) -> GateWalk:
    """Walks a rule through the gates, up to the first that stops it."""
    file = subject.file.file
    return GateWalk(file.name, file.path, steps_until_stopped(_gates(subject, query)))


def _gates(subject: PiSubject, query: StreamQuery) -> Iterator[GateStep]:
    place = f"{inline_code(subject.path)}: {subject.source}. pi-ttsr loads it; oh-my-pi does not."
    yield passing_step(Gate.FOUND, place)
    rule = subject.registration.rule
    if rule is None or rule.pi is None:
        yield _not_loaded(subject)
        return
    yield passing_step(Gate.TRIGGER, f"{inline_code(regex_text(subject.file))} is a trigger that pi-ttsr can load.")
    context = query.context
    yield _stream(rule.pi, context)
    yield _repeat(rule.pi.limits, query)
    if query.text is None:
        text = f"It fires on {inline_code(regex_text(subject.file))}. Try a text with `--text` or `--file`."
        yield open_step(Gate.CONDITION, text)
        return
    text_context = stream_context(Source.TEXT, None, ())
    (outcome,) = run_trial([rule], query.text, text_context).outcomes
    yield _condition(subject, rule.pi, outcome)
    yield _first(subject, rule, query.text, text_context)


def _not_loaded(subject: PiSubject) -> GateStep:
    problems = subject.registration.problems
    reason = (
        escape_markdown(problems[0].message)
        if problems
        else "It has no `trigger` that is a text, and pi-ttsr demands one."
    )
    return stopping_step(
        Gate.TRIGGER,
        reason,
        f"Run {inline_code(f'ttsr-ls check {subject.path}')} and fix the problems that it reports.",
    )


def _stream(trigger: PiTrigger, context: StreamContext | None) -> GateStep:
    streams = scope_text(trigger.scope).replace("**Matched on**", "It is matched on")
    if context is None:
        return passing_step(Gate.STREAM, streams)
    if context.source is Source.TEXT:
        return passing_step(Gate.STREAM, f"This is text of the agent. {streams}")
    display = inline_code(stream_text(context))
    fix = "Make it a rule of oh-my-pi, which can have that in its scope: `ttsr-ls convert --to omp`."
    return stopping_step(Gate.STREAM, f"pi-ttsr does not see this {display}. {streams}", fix)


def _repeat(limits: FiringLimits, query: StreamQuery) -> GateStep:
    if limits.max_firings <= 0:
        return stopping_step(Gate.REPEAT, "Its `maxFirings` allows no firing.", "Write `maxFirings: 1` or more.")
    policy = f"It fires {firings_phrase(limits)}"
    if query.fired_turns_ago is None and query.fired_seconds_ago is None:
        return passing_step(Gate.REPEAT, f"{policy}, and no earlier firing was given.")
    if limits.max_firings <= 1:
        fix = "Start a new session, or raise `maxFirings`."
        return stopping_step(Gate.REPEAT, f"{policy}, and it fired already.", fix)
    if limits.cooldown > 0 and query.fired_seconds_ago is None:
        return open_step(Gate.REPEAT, f"{policy}. Say with `--ago` how many seconds ago it fired.")
    if limits.cooldown > 0 and query.fired_seconds_ago is not None and query.fired_seconds_ago < limits.cooldown:
        fix = f"Wait {limits.cooldown - query.fired_seconds_ago:g} s more, or lower `cooldown`."
        return stopping_step(Gate.REPEAT, f"{policy}, and it fired {query.fired_seconds_ago:g} s ago.", fix)
    return passing_step(Gate.REPEAT, f"{policy}; it fired once before.")


def _condition(subject: PiSubject, pi: PiTrigger, outcome: RuleOutcome) -> GateStep:
    display = inline_code(regex_text(subject.file))
    for trigger in outcome.triggers:
        text = f"{display} matches {inline_code(trigger.excerpt.text)}; the rule interrupts the answer."
        if pi.scope is PiScope.CHUNK:
            text += " That holds for a text in one chunk: try smaller ones with `ttsr-ls test --chunk`."
        return passing_step(Gate.CONDITION, text)
    if outcome.slow:
        return undecided_step(display)
    if outcome.matched and Obstacle.LAST_INDEX in outcome.obstacles:
        return stopping_step(Gate.CONDITION, f"{Obstacle.LAST_INDEX}.", "Leave `g` and `y` out of `flags`.")
    fix = "`ttsr-ls explain` on the file says in plain English what each part of a pattern matches."
    if pi.scope is PiScope.LINE:
        fix += " With `scope: line` no match goes over the end of a line; with `scope: accumulated` it may."
    from ttsr_ls.ide.condition_findings import single_pattern_findings

    file = subject.file.file
    findings = single_pattern_findings(file.text, file.path, DialectId.PI_TTSR)
    return stopping_step(Gate.CONDITION, f"Nothing in the text matches {display}. {findings.explanation}".rstrip(), fix)


def _first(subject: PiSubject, rule: Rule, text: str, context: StreamContext) -> GateStep:
    rules = subject.together if rule in subject.together else (rule,)
    fired = run_trial(rules, text, context).fired
    for outcome in fired:
        if outcome.rule.path != rule.path:
            other = f"{inline_code(outcome.rule.name)} ({inline_code(shown_path(outcome.rule.path, subject.folder))})"
            reason = f"{other} is loaded before it and matches too. It interrupts the answer, and no other rule fires."
            return stopping_step(
                Gate.FIRST, reason, "Rules are tried in order of their file names: rename it, or join the two."
            )
    return passing_step(Gate.FIRST, "No rule that is loaded before it matches; only the first match would fire.")
