"""The gates that a rule passes on a stream: its scope, its files, the repeat policy, its conditions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.ide.explain.scope import streams_text
from ttsr_ls.ide.markdown import escape_markdown, inline_code
from ttsr_ls.ide.trial.editor_trial import first_stream_in_scope, requested_stream, stream_text
from ttsr_ls.ide.trial.json_arguments import json_arguments_note
from ttsr_ls.ide.trial.rule_trial import RuleOutcome, Streaming, never_has_path, run_trial
from ttsr_ls.ide.why.gates import Gate, GateStep, open_step, passing_step, stopping_step
from ttsr_ls.matching.ast.languages import NoLanguage, language_of
from ttsr_ls.matching.ast.search import AstSearch, PatternShapes
from ttsr_ls.matching.repeat.repeat_mode_policy import RepeatModePolicy
from ttsr_ls.matching.repeat.repeat_policy import Elapsed
from ttsr_ls.rule_tests.sample_path import has_no_sample_path
from ttsr_ls.rules.path_glob import path_globs
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import JudgeMode, RepeatMode, Settings
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.syntax.rule_file import RuleFile

if TYPE_CHECKING:
    from ttsr_ls.ide.condition_findings import ConditionFindings

_SUFFIX = re.compile(r"(?:\*|\w)(?:\.\{?)(\w+)")


class StreamQuery(Struct, frozen=True):
    """The stream and text that `why` is asked about. None: not given, so the answer depends on it.

    `fired_turns_ago` is how many turns ago the rule fired in the session, `fired_seconds_ago` how many seconds.
    `folder` is the absolute one that the agent runs in."""

    agent: str
    folder: str
    source: Source | None = None
    tool: str | None = None
    path: str | None = None
    fired_turns_ago: int | None = None
    text: str | None = None
    fired_seconds_ago: float | None = None

    @property
    def context(self) -> StreamContext | None:
        """The requested stream; None if none was given."""
        if self.source is None and self.tool is None and self.path is None:
            return None
        return requested_stream(self.source, self.tool, self.path, self.folder)


def stream_gates(
    file: RuleFile,
    rule: Rule,
    query: StreamQuery,
    settings: Settings,
    ast_search: AstSearch | None,
    patterns: PatternShapes | None = None,
) -> Iterator[GateStep]:
    """The gates from the stream to the condition. A walk ends at the first that stops."""
    context = query.context
    yield from scope_steps(file, rule, context)
    yield repeat_step(rule, query, settings)

    def find_reasons() -> ConditionFindings:
        # Imported lazily: the linter takes long to import and to run, and many walks end before.
        from ttsr_ls.ide.condition_findings import condition_findings

        return condition_findings(file, patterns)

    yield _condition(rule, query, context, settings, ast_search, find_reasons)
    if rule.question is not None:
        yield _judge(settings)


def scope_steps(file: RuleFile, rule: Rule, context: StreamContext | None) -> Iterator[GateStep]:
    """Yields two steps of the explanation: whether the scope, and whether `globs`, admit the stream.

    Without a `context`, the step of the scope is open.
    """
    yield _stream(file, rule, context)
    yield _files(rule, context)


def _stream(file: RuleFile, rule: Rule, context: StreamContext | None) -> GateStep:
    streams = streams_text(file.fields).replace("**Matched on**", "It is matched on")
    if context is None:
        return open_step(Gate.STREAM, f"{streams} Ask about one with `--source`, `--tool` or `--path`.")
    display = f"{inline_code(stream_text(context))}"
    if rule.scope.admits(context):
        return passing_step(Gate.STREAM, f"The scope admits this {display}.")
    if not rule.scope.admits_source(context.source):
        fix = f"Add {inline_code(str(context.source))} to `scope`."
    elif context.paths:
        fix = (
            f"Add a token such as {inline_code(f'tool:{context.tool}')} to `scope`, with a glob that matches the path."
        )
    elif never_has_path(context.tool):
        fix = f"Add {inline_code(f'tool:{context.tool}')} to `scope`, without a glob: its calls have no path."
    elif (step := missing_path_step(rule, context)) is not None:
        return replace(step, text=f"{step.text} {streams}")
    else:
        token = inline_code(f"tool:{context.tool}")
        fix = f"Add {token} to `scope`. A token with a glob needs a path{ASK_WITH_PATH}."
    return stopping_step(Gate.STREAM, f"The scope does not admit this {display}. {streams}", fix)


def missing_path_step(rule: Rule, context: StreamContext) -> GateStep | None:
    """Returns the step of a call without a path whose tool the scope admits only with one; None for any other stream.

    The scope already names the tool, so the advice must not be to add it.
    """
    has_token = any(token.tool in (None, context.tool_name) for token in rule.scope.tools)
    if context.source is not Source.TOOL or context.paths or never_has_path(context.tool) or not has_token:
        return None
    if has_no_sample_path(rule, context.tool):
        text = "No file name was found that satisfies both `scope` and `globs`."
        return stopping_step(Gate.STREAM, text, "Change one of them, so that both match one file.")
    text = f"The scope admits this {inline_code(stream_text(context))} only with a path, and it has none."
    return stopping_step(Gate.STREAM, text, f"{NAME_PATH}.")


def _files(rule: Rule, context: StreamContext | None) -> GateStep:
    globs = path_globs(rule.globs)
    display = ", ".join(inline_code(glob.pattern) for glob in globs)
    if not globs:
        return passing_step(Gate.FILES, "It has no `globs`, so it is for all files, and for streams without one.")
    if not rule.scope.admits_source(Source.TOOL):
        text = f"`globs` ({display}) demands a file, and the scope admits only streams that have none."
        return stopping_step(Gate.FILES, text, "Remove `globs`, or add a tool such as `tool:edit` to `scope`.")
    if context is None:
        return open_step(Gate.FILES, f"Only for files that match {display}. Ask about one with `--path`.")
    if any(glob.matches_any(context.paths) for glob in globs):
        return passing_step(Gate.FILES, f"`globs` matches the path: {display}.")
    if not context.paths:
        text = f"`globs` ({display}) demands a file, and this stream has none."
        if never_has_path(context.tool):
            return stopping_step(
                Gate.FILES, text, f"Remove `globs`: no call of {inline_code(str(context.tool))} has a path."
            )
        return stopping_step(Gate.FILES, text, f"{NAME_PATH}; text and thinking never have one.")
    suffix = _suffix_in([glob.pattern for glob in globs]) or _suffix_in(context.paths)
    fix = f"Add a glob that matches. `*{suffix}` matches in all folders, `src/*{suffix}` only directly in `src`."
    return stopping_step(Gate.FILES, f"No glob matches {inline_code(min(context.paths, key=len))}: {display}.", fix)


def _suffix_in(texts: Iterable[str]) -> str:
    """The first suffix of a file in globs or paths, such as `.ts`; blank where they have none."""
    return next((f".{match[1]}" for text in texts if (match := _SUFFIX.search(text))), "")


def repeat_step(rule: Rule, query: StreamQuery, settings: Settings) -> GateStep:
    """Returns the step of the explanation for the repeat policy: whether the settings let the rule fire again."""
    gate = RepeatModePolicy(settings, rule.profile)
    unit = gate.unit
    match settings.repeat_mode:
        case RepeatMode.ONCE:
            policy = "A rule fires once in a session (`repeatMode: once`)"
        case RepeatMode.AFTER_GAP:
            policy = f"A rule fires again after {settings.repeat_gap:g} {unit} (`repeatMode: after-gap`)"
    if query.fired_turns_ago is None:
        return passing_step(Gate.REPEAT, f"{policy}, and no earlier firing was given.")
    gate.mark([rule.name], Elapsed(query.fired_turns_ago, query.fired_turns_ago))
    ago = f"it fired {query.fired_turns_ago} {unit.removesuffix('s') if query.fired_turns_ago == 1 else unit} ago"
    if gate.admits(rule, 0.0):
        return passing_step(Gate.REPEAT, f"{policy}; {ago}.")
    fix = "Start a new session, or set `ttsr.repeatMode` to `after-gap`, with a `ttsr.repeatGap` that is small enough."
    return stopping_step(Gate.REPEAT, f"{policy}, and {ago}.", fix)


def _judge(settings: Settings) -> GateStep:
    match settings.judge:
        case JudgeMode.OFF:
            text = "The setting `ttsr.judge` is `off`, so no judge is asked its question."
            return stopping_step(
                Gate.JUDGE, text, "Set `ttsr.judge` to `on`, or give the rule conditions and no question."
            )
        case JudgeMode.ON:
            when = "A judge model is asked its question once the answer is over"
        case JudgeMode.AUTO:
            when = "A judge model is asked its question once the answer is over, if one is set up (`judge: auto`)"
    return open_step(Gate.JUDGE, f"{when}; the answer is not known here.")


def _condition(
    rule: Rule,
    query: StreamQuery,
    context: StreamContext | None,
    settings: Settings,
    ast_search: AstSearch | None,
    find_reasons: Callable[[], ConditionFindings],
) -> GateStep:
    display = " or ".join(inline_code(text) for text in rule.condition_texts)
    if not display:
        return passing_step(Gate.CONDITION, "It has no condition that must match before its question is asked.")
    unparsed = None if context is None else _never_parsed(rule, context)
    if unparsed is not None and not rule.conditions:
        return stopping_step(Gate.CONDITION, f"It has AST conditions alone, and {unparsed}.", _TO_BE_PARSED)
    if query.text is None:
        findings = find_reasons()
        if findings.none_can_match:
            return stopping_step(Gate.CONDITION, findings.explanation, SEE_CHECK)
        display = " or ".join(inline_code(text) for text in rule.condition_texts if text not in findings.unmatchable)
        sentences = (f"It fires on {display}.", findings.unmatchable_text, "Try a text with `--text` or `--file`.")
        return open_step(Gate.CONDITION, " ".join(filter(None, sentences)))
    stream = first_stream_in_scope(rule) if context is None else context
    tried = "" if context is not None else f"The text was tried as {inline_code(stream_text(stream))}. "
    note = _json_note(stream, query.text)
    (outcome,) = run_trial([rule], query.text, stream, Streaming(settings), ast_search).outcomes
    for trigger in outcome.triggers:
        interrupts = "the rule interrupts the answer" if trigger.interrupts else "the rule does not interrupt"
        if rule.question is not None:
            interrupts = "then its question is asked"
        condition = inline_code(rule.condition_text(trigger.condition))
        match = f"{condition} matches {inline_code(trigger.excerpt.text)} once {trigger.offset} characters have arrived"
        if note is not None:
            return open_step(Gate.CONDITION, f"{match}. {tried}{note}")
        return passing_step(Gate.CONDITION, f"{match}; {interrupts}. {tried}".rstrip())
    findings = find_reasons()
    if findings.none_can_match:
        return stopping_step(Gate.CONDITION, findings.explanation, SEE_CHECK)
    step = _no_match(rule, outcome, stream, display, findings)
    return replace(step, text=f"{step.text} {tried}{note or ''}".rstrip())


def _json_note(stream: StreamContext, text: str) -> str | None:
    """Returns a sentence of Markdown that the text is not what an agent streams as the arguments of the tool."""
    note = json_arguments_note(stream.tool, text) if stream.source is Source.TOOL else None
    return None if note is None else escape_markdown(f"{note[0].upper()}{note[1:]}")


def _no_match(
    rule: Rule, outcome: RuleOutcome, stream: StreamContext, display: str, findings: ConditionFindings
) -> GateStep:
    if outcome.slow:
        return undecided_step(inline_code(rule.condition_text(outcome.slow[0])))
    unparsed = _never_parsed(rule, stream)
    if unparsed is not None:
        return stopping_step(Gate.CONDITION, f"No regular expression matches, and {unparsed}.", _TO_BE_PARSED)
    if outcome.skipped_ast is not None:
        text = f"No regular expression matches, and AST conditions were not tried: {outcome.skipped_ast}."
        return open_step(Gate.CONDITION, text)
    fix = "`ttsr-ls explain` on the file says in plain English what each part of a condition matches."
    if stream.source is Source.TOOL and stream.tool not in ("edit", "write"):
        fix += " The arguments of other tools are matched as JSON, with its quotes and escapes."
    return stopping_step(Gate.CONDITION, f"Nothing in the text matches {display}. {findings.explanation}".rstrip(), fix)


def undecided_step(pattern: str) -> GateStep:
    """A step for a pattern whose matching took too long; the pattern is in Markdown."""
    text = f"{UNDECIDED}: whether {pattern} matches this text. It takes too long; make the pattern simpler."
    return open_step(Gate.CONDITION, text)


def _never_parsed(rule: Rule, stream: StreamContext) -> str | None:
    """Returns why no AST condition of the rule is ever tried on a stream; None if one may be, or if it has none."""
    if not rule.ast_conditions:
        return None
    if stream.source is not Source.TOOL:
        return "only what a tool writes to a file is parsed"
    match language_of(stream.paths):
        case NoLanguage.NO_EXTENSION:
            return "nothing is parsed without a path that has a file name extension"
        case NoLanguage.UNKNOWN:
            return "files of this kind have no grammar"
        case _:
            return None


ASK_WITH_PATH = ": ask with `--path`"
NAME_PATH = "Name the file with `--path`"
ASK_ABOUT_FILE = "Ask about a file with `--path`"
"""Advice for the command `why`; `rule_gates` replaces it for editors."""
UNDECIDED = "Not decided in time"
"""The beginning of the text of a step that is open because matching took too long."""
SEE_CHECK = "Change the condition; `ttsr-ls check` on the file shows the place and, where there is one, a fix."
_TO_BE_PARSED = f"{ASK_ABOUT_FILE}, or give the rule a `condition`."
