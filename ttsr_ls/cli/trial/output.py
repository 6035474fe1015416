"""Prints the report of `test`: as text, and as JSON in the shape of the reference agent's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TextIO

from msgspec import Struct

from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.markdown_text import render_markdown
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, one_line, palette_for
from ttsr_ls.cli.trial.trial_input import TrialInput
from ttsr_ls.ide.trial.json_arguments import json_arguments_note
from ttsr_ls.ide.trial.obstacles import Obstacle
from ttsr_ls.ide.trial.rule_trial import RuleOutcome, RuleTrial
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source
from ttsr_ls.syntax.whitespace import WHITESPACE
from ttsr_ls.text import truncate

_MAX_SHOWN_LENGTH = 200
"""The maximum of characters of a condition that are shown. A condition can have thousands."""
_MAX_NAMED = 5
_MAX_PREVIEW_LENGTH = 80
_TRUNCATED_PREVIEW_LENGTH = 77
_BLANKS = re.compile(f"[{re.escape(WHITESPACE)}]+")


class TrialReport(Struct, frozen=True):
    """A request and its result; `authored` are the conditions of each rule by the path of its file."""

    request: TrialInput
    tried: RuleTrial
    authored: Mapping[str, tuple[str, ...]]
    agent: str
    matching: Matching
    answers: int = 1
    explained: Mapping[str, tuple[str, ...]] = {}
    """The findings of `check` on conditions that do not match, in Markdown, by the path of the rule's file."""


def as_json(report: TrialReport) -> dict[str, Any]:
    """The report as the reference's `ttsr test --json` has it (spec Q1); `offset` and `reasons` are ours."""
    request = report.request
    fields: dict[str, Any] = {"source": str(request.context.source)}
    if request.tool is not None:
        fields["tool"] = request.tool
    if request.path is not None:
        fields["filePath"] = request.path
    fields["snippetPreview"] = preview(request.text)
    fields["snippetBytes"] = _utf16_length(request.text)
    fields["evaluated"] = len(report.tried.outcomes)
    fields["triggered"] = [_detail(outcome, report) for outcome in report.tried.fired]
    fields["notTriggered"] = [_detail(outcome, report) for outcome in report.tried.silent]
    if request.note is not None:
        fields["inferenceNote"] = request.note
    scope_note = tool_scope_note(report)
    if scope_note is not None:
        fields["scopeNote"] = scope_note
    arguments = json_arguments_note(request.tool, request.text)
    if arguments is not None:
        fields["argumentsNote"] = arguments
    fields["agent"] = report.agent
    fields["matching"] = str(report.matching)
    return fields


def _detail(outcome: RuleOutcome, report: TrialReport) -> dict[str, Any]:
    rule = outcome.rule
    matched = [rule.condition_text(index) for index in outcome.matched]
    expressions = [index for index in outcome.matched if index < len(rule.conditions)]
    fields: dict[str, Any] = {
        "name": rule.name,
        "path": rule.path,
        "sourceProvider": rule.provider,
        "matched": {"regex": matched[: len(expressions)], "ast": matched[len(expressions) :]},
        "defined": {"regex": list(report.authored.get(rule.path, ())), "ast": list(rule.ast_conditions)},
    }
    if outcome.matching is not report.matching:
        fields["matching"] = str(outcome.matching)
    if outcome.skipped_ast is not None:
        fields["skippedAst"] = outcome.skipped_ast
    if rule.question is not None:
        fields["question"] = rule.question
    if rule.agents:
        fields["agents"] = list(rule.agents)
    for trigger in outcome.triggers[:1]:
        fields["offset"] = trigger.offset
    if report.answers > 1:
        fields["firings"] = [
            {"answer": trigger.answer + 1, "offset": trigger.trigger.offset} for trigger in outcome.firings
        ]
    if outcome.obstacles:
        fields["reasons"] = [str(obstacle) for obstacle in outcome.obstacles]
    if outcome.rule.path in report.explained and not outcome.firings:
        fields["explanations"] = list(report.explained[outcome.rule.path])
    if outcome.slow:
        fields["slow"] = [rule.condition_text(index) for index in outcome.slow]
    return fields


def print_text(report: TrialReport, out: TextIO, *, verbose: bool) -> None:
    """Prints which rules fire and where; with `verbose` also why the others do not."""
    palette = palette_for(out)
    request, trial = report.request, report.tried
    length = count(_utf16_length(request.text), "character")
    write_line(f"{_stream(request)}, {length}: {one_line(preview(request.text))}", out)
    if request.note is not None:
        write_line(palette.paint(f"note: {one_line(request.note)}", TextStyle.FAINT), out)
    scope_note = tool_scope_note(report)
    if scope_note is not None:
        write_line(palette.paint(f"note: {scope_note}", TextStyle.WARNING), out)
    arguments = json_arguments_note(request.tool, request.text)
    if arguments is not None:
        write_line(palette.paint(f"note: {one_line(arguments)}", TextStyle.WARNING), out)
    write_line(stream=out)
    for outcome in trial.fired:
        _print_fired(outcome, report.answers, palette, out)
    if verbose:
        for outcome in trial.silent:
            _print_silent(outcome, palette, out)
            for message in report.explained.get(outcome.rule.path, ()):
                write_line(f"         check: {one_line(render_markdown(message, Palette(False)))}", out)
    if verbose or trial.fired:
        write_line(stream=out)
    number, of = len(trial.fired), len(trial.outcomes)
    silent = "the others do" if number else "it does" if of == 1 else "they do"
    hint = "" if verbose or number == of else f" Run with --verbose to see why {silent} not."
    unknown = f" {len(trial.undecided)} not decided in time." if trial.undecided else ""
    summary = f"{number} of {of} {'rule' if of == 1 else 'rules'} {'fires' if 1 in (number, of) else 'fire'}."
    write_line(f"{summary}{unknown}{hint}", out)


def tool_scope_note(report: TrialReport) -> str | None:
    """A note that rules for tools were tried on a text that is not a tool call; None without such rules."""
    source = report.request.context.source
    if source is Source.TOOL:
        return None
    names = [outcome.rule.name for outcome in report.tried.silent if _is_for_tools_alone(outcome)]
    if not names:
        return None
    listing = ", ".join(one_line(name) for name in names[:_MAX_NAMED]) + (", …" if len(names) > _MAX_NAMED else "")
    verb = "applies" if len(names) == 1 else "apply"
    return (
        f"{listing} {verb} only to calls of tools, and this is {source}: name a tool with --tool, or a file with "
        "--path."
    )


def _is_for_tools_alone(outcome: RuleOutcome) -> bool:
    scope = outcome.rule.scope
    return Obstacle.SOURCE in outcome.obstacles and not scope.text and not scope.thinking


def _print_fired(outcome: RuleOutcome, answers: int, palette: Palette, out: TextIO) -> None:
    for trigger in outcome.triggers[:1]:
        mark = palette.paint("fires ", TextStyle.GOOD)
        condition = condition_text(outcome.rule, trigger.condition)
        write_line(f"{mark} {one_line(outcome.rule.name)} at {trigger.offset}: {condition}", out)
        write_line(palette.paint(f"         …{one_line(trigger.excerpt.text)}", TextStyle.FAINT), out)
    if answers > 1:
        listing = ", ".join(str(trigger.answer + 1) for trigger in outcome.firings)
        write_line(palette.paint(f"         on answer {listing} of {answers}", TextStyle.FAINT), out)
    _print_limits(outcome, palette, out)


def _print_silent(outcome: RuleOutcome, palette: Palette, out: TextIO) -> None:
    mark = palette.paint("silent", TextStyle.FAINT)
    reasons = ", and ".join(outcome.obstacles)
    write_line(f"{mark} {one_line(outcome.rule.name)}: {reasons}", out)
    _print_limits(outcome, palette, out)


def _print_limits(outcome: RuleOutcome, palette: Palette, out: TextIO) -> None:
    for index in outcome.slow:
        condition = condition_text(outcome.rule, index)
        write_line(palette.paint(f"         {condition} took too long and was disabled", TextStyle.WARNING), out)
    if outcome.skipped_ast is not None:
        note = f"its AST conditions were not tried: {outcome.skipped_ast}"
        write_line(palette.paint(f"         note: {note}", TextStyle.FAINT), out)


def condition_text(rule: Rule, index: int) -> str:
    """A condition as reports show it: a regular expression in slashes, an AST condition with a label; truncated."""
    # Truncated before it is escaped: a condition may have megabytes.
    text = truncate(one_line(rule.condition_text(index)[: _MAX_SHOWN_LENGTH + 1]), _MAX_SHOWN_LENGTH)
    return f"/{text}/" if index < len(rule.conditions) else f"ast {text}"


def _stream(request: TrialInput) -> str:
    if request.context.source is not Source.TOOL:
        return str(request.context.source)
    on = f" on {one_line(request.path)}" if request.path is not None else ""
    return f"tool {one_line(request.tool or '')}{on}"


def preview(text: str) -> str:
    """The text on one line, truncated to 80 UTF-16 units, as by the reference agent."""
    line = _BLANKS.sub(" ", text).strip(" ")
    if _utf16_length(line) <= _MAX_PREVIEW_LENGTH:
        return line
    units = line.encode("utf-16-le", "surrogatepass")[: 2 * _TRUNCATED_PREVIEW_LENGTH]
    return units.decode("utf-16-le", "ignore") + "…"


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
