"""Trials of rules on a text for an editor: chooses the stream of the text, and reports the result.

`run_trial` runs the trial; the caller supplies the rules.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.ide.markdown import escape_markdown, inline_code
from ttsr_ls.ide.trial.rule_trial import RuleOutcome, RuleTrial, never_has_path, run_trial_by_dialect, stream_context
from ttsr_ls.ide.trial.trial_summary import summary_line
from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.rule_tests.sample_path import sample_path
from ttsr_ls.rules.path_glob import path_globs
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.rules.tool_paths import path_candidates
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect

DEFAULT_TOOL = "edit"
_OTHER_TOOL = "write"


class TrialRequest(Struct, frozen=True):
    """The request of a trial. None: derived from the document."""

    text: str
    source: Source | None = None
    tool: str | None = None
    path: str | None = None


class TrialResult(Struct, frozen=True):
    """The rules, the text, and the result of a trial."""

    context: StreamContext
    result: RuleTrial


def try_rule(
    rules: RulesByDialect, request: TrialRequest, folder: str, ast_search: AstSearch | None = None
) -> TrialResult:
    """Tries the one rule of a set. If the request names no stream, a stream in the scope of the rule is chosen."""
    has_stream = request.source or request.tool or request.path
    context = (
        requested_stream(request.source, request.tool, request.path, folder)
        if has_stream
        else first_stream_in_scope(rules.rules[0])
    )
    return TrialResult(context, run_trial_by_dialect(rules, request.text, context, ast_search=ast_search))


def try_rules(
    rules: RulesByDialect, request: TrialRequest, folder: str, ast_search: AstSearch | None = None
) -> TrialResult:
    """Tries rules on a text that is written to a file if the request has a path, else on prose.

    A request without a tool means both editing and writing: rules for either tool are tried.
    """
    context = requested_stream(request.source, request.tool, request.path, folder)
    result = run_trial_by_dialect(rules, request.text, context, ast_search=ast_search)
    if context.source is not Source.TOOL or request.tool is not None:
        return TrialResult(context, result)
    written_context = replace(context, tool=_OTHER_TOOL)
    trial = run_trial_by_dialect(
        _rules_only_of(written_context, context, rules), request.text, written_context, ast_search=ast_search
    )
    outcomes = {outcome.rule.path: outcome for outcome in trial.outcomes if outcome.triggers}
    return TrialResult(
        context, RuleTrial(tuple(outcomes.get(outcome.rule.path, outcome) for outcome in result.outcomes))
    )


def _rules_only_of(context: StreamContext, edited: StreamContext, rules: RulesByDialect) -> RulesByDialect:
    """The rules whose scope admits the call `context` and not the call `edited`: only the scope depends on the tool."""
    return rules.only(lambda rule: rule.scope.admits(context) and not rule.scope.admits(edited))


def trial_summary_line(result: TrialResult) -> str:
    """The result of a trial, in one line."""
    return summary_line(result.result.outcomes, result.result.fired, stream_text(result.context))


def stream_text(context: StreamContext) -> str:
    """The description of a stream, in a few words."""
    if context.source is not Source.TOOL:
        return str(context.source)
    # The shortest form of a path is the one relative to the workspace, if there is one.
    return f"{context.tool} of {min(context.paths, key=len)}" if context.paths else f"call of {context.tool}"


def trial_markdown(result: TrialResult) -> str:
    """The result of a trial, in Markdown."""
    lines = [f"# {escape_markdown(trial_summary_line(result))}", ""]
    for outcome in (*result.result.fired, *result.result.silent):
        lines += [_outcome_text(outcome), ""]
    return "\n".join(lines)


def trial_json(result: TrialResult) -> dict[str, Any]:
    """The result of a trial, as JSON values. Offsets are code points of the text that was tried."""
    return {
        "source": str(result.context.source),
        "tool": result.context.tool,
        "paths": list(result.context.paths),
        "summary": trial_summary_line(result),
        "report": trial_markdown(result),
        "rules": [_outcome_json(outcome) for outcome in result.result.outcomes],
    }


def _outcome_json(outcome: RuleOutcome) -> dict[str, Any]:
    conditions = outcome.rule.condition_texts
    return {
        "name": outcome.rule.name,
        "path": outcome.rule.path,
        "fires": bool(outcome.triggers),
        "matched": [conditions[index] for index in outcome.matched],
        "slow": [conditions[index] for index in outcome.slow],
        "skippedAst": outcome.skipped_ast,
        "reasons": [str(obstacle) for obstacle in outcome.obstacles],
        "triggers": [
            {
                "condition": conditions[trigger.condition],
                "start": trigger.start,
                "end": trigger.end,
                "offset": trigger.offset,
                "excerpt": trigger.excerpt.text,
            }
            for trigger in outcome.triggers
        ],
    }


def _outcome_text(outcome: RuleOutcome) -> str:
    conditions = outcome.rule.condition_texts
    lines = [f"## {escape_markdown(outcome.rule.name)}: {'fires' if outcome.triggers else 'silent'}", ""]
    for trigger in outcome.triggers:
        lines.append(f"- {inline_code(conditions[trigger.condition])} on {inline_code(trigger.excerpt.text)}")
    lines += [f"- {escape_markdown(str(obstacle))}" for obstacle in outcome.obstacles]
    if not outcome.triggers:
        lines += [f"- {inline_code(conditions[index])} matches nevertheless" for index in outcome.matched]
    lines += [f"- {inline_code(conditions[index])} took too long and was disabled" for index in outcome.slow]
    if outcome.skipped_ast is not None:
        lines.append(f"- its AST conditions were not tried: {outcome.skipped_ast}")
    return "\n".join(lines)


def requested_stream(source: Source | None, tool: str | None, path: str | None, folder: str) -> StreamContext:
    """The requested stream, in an agent that runs in `folder`."""
    implied = Source.TOOL if tool is not None or path is not None else Source.TEXT
    paths = path_candidates(path, PurePath(folder)) if path is not None else ()
    return stream_context(source or implied, tool or DEFAULT_TOOL, paths)


def path_in_scope(rule: Rule, tool: str) -> str | None:
    """A path that the scope and globs of a rule admit for a tool; None if no path was found, or the tool has none."""
    if never_has_path(tool):
        return None
    globs = [token.glob for token in rule.scope.tools if token.tool in (None, tool.lower())]
    for glob in globs or [None]:
        path = sample_path(None if glob is None else glob.pattern, rule.globs)
        if path is not None:
            return path
    return None


def first_stream_in_scope(rule: Rule) -> StreamContext:
    """A stream in the scope of a rule, if one was found, else the first in its scope without a path."""
    for source in (Source.TEXT, Source.THINKING):
        if rule.scope.admits_source(source) and not path_globs(rule.globs):
            return stream_context(source, None, ())
    tools = [(scope.tool or DEFAULT_TOOL, scope.glob.pattern if scope.glob else None) for scope in rule.scope.tools]
    for tool, pattern in tools or [(DEFAULT_TOOL, None)]:
        path = None if never_has_path(tool) else sample_path(pattern, rule.globs)
        if path is not None or (pattern is None and not rule.globs):
            return stream_context(Source.TOOL, tool, (path,) if path is not None else ())
    return stream_context(Source.TOOL, tools[0][0] if tools else DEFAULT_TOOL, ())
