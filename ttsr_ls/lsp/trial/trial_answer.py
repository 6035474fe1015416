"""The answer to `ttsr/testText`: a trial as JSON, with positions in the client's encoding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ttsr_ls.escaping import printable
from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.text_trial.delta_firings import DeltaFiring
from ttsr_ls.ide.text_trial.rule_gates import rule_gates
from ttsr_ls.ide.text_trial.stopping_gate import stopping_gate
from ttsr_ls.ide.text_trial.text_trial import RuleTextTrial, TextTrial
from ttsr_ls.ide.text_trial.trial_report import shown_stream, streaming_text, trial_report, trial_summary
from ttsr_ls.ide.triggers.trigger_marks import condition_span
from ttsr_ls.ide.why.gates import GateStep
from ttsr_ls.lsp.transport.message_text import message_text
from ttsr_ls.lsp.trial.trial_params import TrialQuery
from ttsr_ls.lsp.trial.trial_rules import AbsentRule, Read, TrialRules
from ttsr_ls.rules.stream import Trigger
from ttsr_ls.syntax.pi.rule_file import PiRuleFile
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Encoding, LineIndex, Position, Span


class TrialAnswer:
    """Creates the answer to one request."""

    def __init__(self, query: TrialQuery, trial: TextTrial, rules: TrialRules, folder: str, encoding: Encoding) -> None:
        self._query = query
        self._trial = trial
        self._rules = rules
        self._folder = folder
        self._encoding = encoding
        self._query_index = LineIndex(query.text)
        self._indexes: dict[str, LineIndex] = {}

    def json(self) -> dict[str, Any]:
        """The answer as a `TestTextResult`."""
        trial = self._trial
        context = trial.text.context
        shown_end = trial.text.source_span(trial.shown, trial.shown).start
        return {
            "source": str(context.source),
            "tool": context.tool,
            "paths": list(context.paths),
            "stream": shown_stream(trial),
            "summary": message_text(trial_summary(trial)),
            "note": None if trial.text.note is None else message_text(trial.text.note),
            "report": printable(trial_report(trial, self._query.text, self._query.start, chunk=self._query.chunk)),
            "deltas": trial.deltas,
            "chunk": self._query.chunk,
            "shownTo": self._position(shown_end),
            "rules": [self._rule(rule_trial) for rule_trial in trial.rules],
            "gates": self._gates(),
            "absent": _absent_json(self._rules.absent),
        }

    def _rule(self, trial: RuleTextTrial) -> dict[str, Any]:
        file = self._rules.files.get(trial.rule.path)
        is_shown = trial.firing is not None or bool(trial.matches.found) or self._rules.only is not None
        return {
            "name": trial.rule.name,
            "uri": file_uri(trial.rule.path),
            "verdict": "fires" if trial.firing is not None else "undecided" if trial.is_undecided else "silent",
            "interrupts": trial.firing.trigger.interrupts if trial.firing is not None else None,
            "matching": str(trial.matching),
            "conditions": [
                self._condition(trial, index, file if is_shown else None)
                for index in range(len(trial.rule.condition_texts))
            ],
            "matches": [
                {
                    "condition": match.condition,
                    "range": self._range(match.span),
                    "groups": [
                        {"number": group.number, "name": group.name, "range": self._range(group.span)}
                        for group in match.groups
                    ],
                }
                for match in trial.matches.found
            ],
            "stable": self._firing(trial.stable),
            "reference": self._firing(trial.reference),
            "streaming": streaming_text(trial, self._query.chunk),
            "stoppedBy": _gate(stopping_gate(trial, self._trial.text.context)),
            "reasons": [str(obstacle) for obstacle in trial.obstacles],
        }

    def _condition(self, trial: RuleTextTrial, index: int, file: Read | None) -> dict[str, Any]:
        text = trial.rule.condition_text(index)
        is_ast = index >= len(trial.rule.conditions)
        if index in trial.matches.matched:
            state = "matches"
        elif index in trial.slow:
            state = "slow"
        else:
            state = "skipped" if is_ast and trial.matches.unparsed is not None else "silent"
        return {
            "text": text,
            "kind": "ast" if is_ast else "regex",
            "state": state,
            "isComplete": index not in trial.matches.incomplete,
            "range": None if file is None else self._condition_range(trial.rule.path, file, text),
        }

    def _condition_range(self, path: str, file: Read, text: str) -> dict[str, Any]:
        full_text = file.text if isinstance(file, RuleFile) else file.file.text
        index = self._indexes.get(path)
        if index is None:
            index = self._indexes[path] = LineIndex(full_text)
        if isinstance(file, PiRuleFile):
            span = Span(0, 0) if file.trigger is None else file.trigger.span
        else:
            span = condition_span(file, text)
        return _range_json(index.position(span.start, self._encoding), index.position(span.end, self._encoding))

    def _firing(self, delta_firing: DeltaFiring | None) -> dict[str, Any] | None:
        if delta_firing is None:
            return None
        trigger: Trigger = delta_firing.trigger
        return {
            "condition": trigger.condition,
            "range": self._range(Span(trigger.start, trigger.end)),
            "delta": delta_firing.delta,
            "offset": trigger.offset,
            "atEnd": delta_firing.is_at_end,
        }

    def _gates(self) -> list[dict[str, Any]]:
        """All gates of a rule that is tried by itself; the gates of many rules are too long for an answer."""
        rule = self._rules.only
        if rule is None:
            return []
        (trial,) = self._trial.rules
        return _gates_json(rule_gates(rule.read, rule.registration, self._trial.text.context, trial, self._folder))

    def _range(self, span: Span) -> dict[str, Any]:
        source = self._trial.text.source_span(span.start, span.end)
        return {"start": self._position(source.start), "end": self._position(source.end)}

    def _position(self, offset: int) -> dict[str, int]:
        return _position_json(self._query_index.position(offset, self._encoding))


def refused_answer(
    query: TrialQuery, summary: str, gates: Iterable[GateStep] = (), absent: Sequence[AbsentRule] = ()
) -> dict[str, Any]:
    """The answer if there is nothing to try. `gates` has the reasons for one rule, `absent` those for several."""
    display = message_text(summary)
    absent_json = _absent_json(absent)
    lines = [f"- {found['name']}: {found['reason']}" for found in absent_json]
    return {
        "source": None,
        "tool": None,
        "paths": [],
        "stream": None,
        "summary": display,
        "note": None,
        "report": "\n".join([display, *(["", *lines] if lines else [])]),
        "deltas": 0,
        "chunk": query.chunk,
        "shownTo": _position_json(Position(0, 0)),
        "rules": [],
        "gates": _gates_json(gates),
        "absent": absent_json,
    }


def _absent_json(absent: Sequence[AbsentRule]) -> list[dict[str, str]]:
    return [
        {"name": message_text(name), "uri": file_uri(path), "reason": message_text(reason)}
        for name, path, reason in absent
    ]


def _gates_json(steps: Iterable[GateStep]) -> list[dict[str, Any]]:
    return [found for step in steps if (found := _gate(step)) is not None]


def _gate(step: GateStep | None) -> dict[str, Any] | None:
    if step is None:
        return None
    fix = None if step.fix is None else printable(step.fix)
    return {"gate": str(step.gate), "verdict": str(step.verdict), "text": printable(step.text), "fix": fix}


def _range_json(start: Position, end: Position) -> dict[str, Any]:
    return {"start": _position_json(start), "end": _position_json(end)}


def _position_json(position: Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}
