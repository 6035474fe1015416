"""The result of a trial as text: a line, and a report in Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.ide.markdown import escape_markdown, inline_code
from ttsr_ls.ide.text_trial.delta_firings import DeltaFiring
from ttsr_ls.ide.text_trial.stopping_gate import stopping_gate
from ttsr_ls.ide.text_trial.text_trial import DEFAULT_CHUNK, RuleTextTrial, TextTrial
from ttsr_ls.ide.trial.editor_trial import stream_text
from ttsr_ls.ide.trial.trial_summary import summary_line
from ttsr_ls.rules.stream import Source
from ttsr_ls.text import Encoding, LineIndex, Position

_MAX_PLACES = 10
_FILE_START = Position(0, 0)


def shown_stream(trial: TextTrial) -> str:
    """Describes in a few words the stream as which the text was tried."""
    context = trial.text.context
    names = {Source.TEXT: "reply text", Source.THINKING: "thinking"}
    return names.get(context.source) or stream_text(context)


def trial_summary(trial: TextTrial) -> str:
    """Describes the result of a trial in one line."""
    return summary_line(trial.rules, trial.fired, shown_stream(trial))


class _Places:
    """Converts offsets in the tried text to `line:column`, both from 1, in the file in which the text begins at
    `start`."""

    def __init__(self, input_text: str, start: Position) -> None:
        self._index = LineIndex(input_text)
        self._start = start

    def at(self, offset: int) -> str:
        position = self._index.position(offset, Encoding.UTF32)
        before = self._start.character if position.line == 0 else 0
        return f"{self._start.line + position.line + 1}:{before + position.character + 1}"


def trial_report(
    trial: TextTrial, input_text: str, start: Position = _FILE_START, *, chunk: int = DEFAULT_CHUNK
) -> str:
    """Describes the result of a trial of the text `input_text` in Markdown. Places are lines and columns, from 1, of
    the file in which the text begins at `start` (code points). `chunk` is the length of the deltas of the stream.
    """
    fired = trial.fired
    places = _Places(input_text, start)
    lines = [f"# {escape_markdown(trial_summary(trial))}", ""]
    if trial.text.note is not None:
        lines += [f"Note: {escape_markdown(trial.text.note)}", ""]
    for rule_trial in fired:
        lines += [
            f"## {escape_markdown(rule_trial.rule.name)}: fires",
            "",
            *_fired_lines(rule_trial, trial, places, chunk),
            "",
        ]
    for rule_trial in trial.rules:
        if rule_trial.firing is None:
            lines += [
                f"## {escape_markdown(rule_trial.rule.name)}: silent",
                "",
                *_silent_lines(rule_trial, trial, places),
                "",
            ]
    return "\n".join(lines)


def streaming_text(rule_trial: RuleTextTrial, chunk: int) -> str | None:
    """Describes when a rule fires while the text streams in deltas of `chunk` characters, in both ways of matching, in
    Markdown. None if it fires in neither.
    """
    if rule_trial.stable is None and rule_trial.reference is None:
        return None
    counted = "1 character" if chunk == 1 else f"{chunk} characters"
    return (
        f"Streamed in deltas of {counted}, it {_fires(rule_trial.stable)}: a match counts once no further text can "
        f"undo it (`stable` matching). Where the conditions are tried on each delta, as in oh-my-pi (`reference` "
        f"matching), it {_fires(rule_trial.reference)}."
    )


def _fires(delta_firing: DeltaFiring | None) -> str:
    if delta_firing is None:
        return "is silent"
    if delta_firing.is_at_end:
        return "fires when the block ends"
    offset = delta_firing.trigger.offset
    return f"fires with delta {delta_firing.delta}, after {'1 character' if offset == 1 else f'{offset} characters'}"


def _fired_lines(rule_trial: RuleTextTrial, trial: TextTrial, places: _Places, chunk: int) -> Iterator[str]:
    delta_firing = rule_trial.firing
    if delta_firing is not None:
        trigger = delta_firing.trigger
        display = inline_code(trial.text.text[trigger.start : trigger.end])
        yield f"- {inline_code(rule_trial.rule.condition_text(trigger.condition))} on {display}"
    yield f"- {streaming_text(rule_trial, chunk)}"
    yield from _places(rule_trial, trial, places)


def _silent_lines(rule_trial: RuleTextTrial, trial: TextTrial, places: _Places) -> Iterator[str]:
    gate = stopping_gate(rule_trial, trial.text.context)
    if gate is not None:
        yield f"- The gate “{gate.gate}” stops it. {gate.text}" + (f" {gate.fix}" if gate.fix else "")
    for obstacle in rule_trial.obstacles[1:]:
        yield f"- Also: {obstacle}."
    yield from _places(rule_trial, trial, places)
    yield from (
        f"- {inline_code(rule_trial.rule.condition_text(index))} took too long and was disabled"
        for index in rule_trial.slow
    )


def _places(rule_trial: RuleTextTrial, trial: TextTrial, places: _Places) -> Iterator[str]:
    for condition in rule_trial.matches.matched:
        spans = [match.span for match in rule_trial.matches.found if match.condition == condition]
        labels = [places.at(trial.text.source_span(span.start, span.end).start) for span in spans[:_MAX_PLACES]]
        is_partial = condition in rule_trial.matches.incomplete
        details = "…" if len(spans) > _MAX_PLACES or is_partial else ""
        count = f"{len(spans)}{'+' if is_partial else ''} {'time' if len(spans) == 1 else 'times'}"
        pattern = inline_code(rule_trial.rule.condition_text(condition))
        yield f"- {pattern} matches {count}: {', '.join(labels)}{details}"
