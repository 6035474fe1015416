"""The result of a trial as text: a line, and a report in Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.ide.markdown import escape_markdown, inline_code
from ttsr_ls.ide.text_trial.delta_firings import DeltaFiring
from ttsr_ls.ide.text_trial.stopping_gate import stopping_gate
from ttsr_ls.ide.text_trial.text_trial import RuleTextTrial, TextTrial
from ttsr_ls.ide.trial.editor_trial import scope_sources, stream_text
from ttsr_ls.ide.trial.obstacles import Obstacle
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source
from ttsr_ls.text import Encoding, LineIndex, Position

_MAX_NAMED = 5
_MAX_PLACES = 10
_FILE_START = Position(0, 0)


def shown_stream(trial: TextTrial) -> str:
    """Describes in a few words the stream as which the text was tried."""
    context = trial.text.context
    names = {Source.TEXT: "reply text", Source.THINKING: "thinking"}
    return names.get(context.source) or stream_text(context)


def trial_summary(trial: TextTrial) -> str:
    """Describes the result of a trial in one line."""
    where = shown_stream(trial)
    fired = [each.rule.name for each in trial.fired]
    total = len(trial.rules)
    undecided = sum(each.is_undecided for each in trial.rules)
    if total == 1:
        return _summary_of_one(trial.rules[0], where)
    still_open = f" {undecided} {'was' if undecided == 1 else 'were'} not decided in time." if undecided else ""
    if not fired:
        return f"None of {total} rules fires on this {where}.{still_open}"
    named = ", ".join(fired[:_MAX_NAMED]) + ("…" if len(fired) > _MAX_NAMED else ".")
    return (
        f"{len(fired)} of {total} rules {'fires' if len(fired) == 1 else 'fire'} on this {where}: {named}{still_open}"
    )


def _summary_of_one(each: RuleTextTrial, where: str) -> str:
    name = each.rule.name
    if each.firing is not None:
        return f"'{name}' fires on this {where}."
    if each.is_undecided:
        return f"Not decided in time: whether '{name}' fires on this {where}."
    if Obstacle.SOURCE in each.obstacles:
        return f"'{name}' does not watch {where}: {scope_sources(each.rule)}."
    return f"'{name}' does not fire on this {where}."


class _Places:
    """The positions of offsets in the tried text, in words: line and column, from 1, of the file in which the text
    begins at `start`."""

    def __init__(self, given: str, start: Position) -> None:
        self._index = LineIndex(given)
        self._start = start

    def at(self, offset: int) -> str:
        position = self._index.position(offset, Encoding.UTF32)
        before = self._start.character if position.line == 0 else 0
        return f"{self._start.line + position.line + 1}:{before + position.character + 1}"


def trial_report(trial: TextTrial, given: str, start: Position = _FILE_START) -> str:
    """Describes the result of a trial of the text `given` in Markdown. Places are lines and columns, from 1, of the
    file in which the text begins at `start` (code points)."""
    fired = trial.fired
    places = _Places(given, start)
    lines = [f"# {escape_markdown(trial_summary(trial))}", ""]
    if trial.text.note is not None:
        lines += [f"Note: {escape_markdown(trial.text.note)}", ""]
    for each in fired:
        lines += [f"## {escape_markdown(each.rule.name)}: fires", "", *_fired_lines(each, trial, places), ""]
    for each in trial.rules:
        if each.firing is None:
            lines += [f"## {escape_markdown(each.rule.name)}: silent", "", *_silent_lines(each, trial, places), ""]
    return "\n".join(lines)


def firing_text(firing: DeltaFiring | None, matching: Matching) -> str:
    """Describes in a sentence when a rule fires in a way of matching."""
    if firing is None:
        return f"In `{matching}` matching it is silent."
    if firing.is_at_end:
        return f"In `{matching}` matching it fires when the block ends."
    return f"In `{matching}` matching it fires with delta {firing.delta}, at offset {firing.trigger.offset}."


def _fired_lines(each: RuleTextTrial, trial: TextTrial, places: _Places) -> Iterator[str]:
    firing = each.firing
    if firing is not None:
        trigger = firing.trigger
        shown = inline_code(trial.text.text[trigger.start : trigger.end])
        yield f"- {inline_code(each.rule.condition_texts[trigger.condition])} on {shown}"
    yield f"- {firing_text(each.stable, Matching.STABLE)} {firing_text(each.reference, Matching.REFERENCE)}"
    yield from _places(each, trial, places)


def _silent_lines(each: RuleTextTrial, trial: TextTrial, places: _Places) -> Iterator[str]:
    gate = stopping_gate(each)
    if gate is not None:
        yield f"- The gate “{gate.gate}” stops it. {gate.text}" + (f" {gate.fix}" if gate.fix else "")
    for obstacle in each.obstacles[1:]:
        yield f"- Also: {obstacle}."
    yield from _places(each, trial, places)
    yield from (
        f"- {inline_code(each.rule.condition_texts[index])} took too long and was disabled" for index in each.slow
    )


def _places(each: RuleTextTrial, trial: TextTrial, places: _Places) -> Iterator[str]:
    for condition in each.matches.matched:
        spans = [match.span for match in each.matches.found if match.condition == condition]
        shown = [places.at(trial.text.source_span(span.start, span.end).start) for span in spans[:_MAX_PLACES]]
        is_partial = condition in each.matches.incomplete
        more = "…" if len(spans) > _MAX_PLACES or is_partial else ""
        count = f"{len(spans)}{'+' if is_partial else ''} {'time' if len(spans) == 1 else 'times'}"
        yield f"- {inline_code(each.rule.condition_texts[condition])} matches {count}: {', '.join(shown)}{more}"
