"""Describes a rule file in Markdown: its bucket with the reason, its scope, and each condition in plain English."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.cli.printing.counting import count
from ttsr_ls.ide.condition_findings import ConditionFindings, condition_findings, single_pattern_findings
from ttsr_ls.ide.explain.condition import condition_text
from ttsr_ls.ide.explain.pi import body_text, limits_of, limits_text, obstacle_text, scope_text, trigger_text
from ttsr_ls.ide.explain.scope import scope_token_text, streams_text
from ttsr_ls.ide.markdown import escape_markdown, inline_code
from ttsr_ls.isolation.pattern_shapes import PatternShapeCache
from ttsr_ls.rules.path_glob import path_globs
from ttsr_ls.rules.registration import Bucket, Registration
from ttsr_ls.rules.stream import Source
from ttsr_ls.store.discovery.discovery import EXTRA_PROVIDER
from ttsr_ls.store.discovery.local_rules import load_rule
from ttsr_ls.syntax.dialects.detection import dialect_of
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.syntax.pi.rule_file import PiRuleFile
from ttsr_ls.syntax.rule_file import Fields, RuleFile

_NOT_RUN = (DialectId.HOOKIFY, DialectId.MAESTRO)
"""Dialects whose rules fire, but which neither oh-my-pi nor ttsr-ls runs."""


def rule_explanation(path: Path) -> str:
    """Explains the rule in a file. Raises `RuleUnreadableError`."""
    rule = load_rule(path, EXTRA_PROVIDER)
    parts = rule.by_dialect(omp=_omp_lines, omp_legacy=_legacy_lines, pi=_pi_lines)
    return "\n\n".join(part for part in (f"# {escape_markdown(rule.found.name)}", *parts) if part)


def _omp_lines(file: RuleFile, registration: Registration) -> list[str]:
    dialect = dialect_of(file.path, file.frontmatter)
    if dialect.id in _NOT_RUN:
        return [
            f"A rule of **{dialect.program}**, which oh-my-pi does not read. `ttsr-ls check` checks such "
            "rules; ttsr-ls does not run them. `ttsr-ls convert FILE --to omp` writes the rule for oh-my-pi."
        ]
    findings = _active_findings(file, registration)
    parts = [_bucket_text(file, registration, findings)]
    if registration.rule is not None:
        parts.append(streams_text(file.fields))
        parts += _scope_lines(file.fields)
        parts.append(_interruption(file.fields))
    parts += _condition_parts(file.fields)
    if findings.unmatchable and not findings.none_can_match:
        parts.append(findings.unmatchable_text)
    if registration.bucket is Bucket.TTSR:
        parts.append(_body(file))
    return parts


def _legacy_lines(file: RuleFile, registration: Registration) -> list[str]:
    title = "A rule of **oh-my-pi before `condition`**."
    if registration.rule is None:
        messages = [problem.message for problem in registration.problems]
        return [title, f"**Skipped**: {messages[0] if messages else 'it has no `ttsr_trigger`.'}"]
    streams = "**Matched on** the agent's text and the arguments of all tools, as one text; not on its thinking."
    never = _never_fires(file, DialectId.OMP_LEGACY)
    return [title, *never, streams, "## Trigger", *map(condition_text, registration.rule.condition_texts), _body(file)]


def _pi_lines(file: PiRuleFile, registration: Registration) -> list[str]:
    title = "A rule of **pi-ttsr**, which oh-my-pi does not read."
    obstacle = obstacle_text(registration)
    if obstacle is not None:
        return [title, f"**Never fires**: {obstacle}", trigger_text(file)]
    return [
        title,
        *(_never_fires(file.file, DialectId.PI_TTSR) or [scope_text(file.scope), limits_text(limits_of(file))]),
        "## Trigger",
        trigger_text(file),
        body_text(file),
    ]


def _never_fires(file: RuleFile | PlainFile, dialect: DialectId) -> list[str]:
    """One paragraph if no text matches the pattern of a rule in a dialect with one, else nothing."""
    findings = single_pattern_findings(file.text, file.path, dialect)
    return [f"**Never fires**: {findings.explanation}"] if findings.none_can_match else []


def _bucket_text(file: RuleFile, registration: Registration, findings: ConditionFindings) -> str:
    match registration.bucket:
        case Bucket.TTSR if _demands_missing_path(registration):
            return (
                "**Never fires**: `globs` demands a file path, but its scope admits only text and thinking, which have "
                "none."
            )
        case Bucket.TTSR if findings.none_can_match:
            return f"**Never fires**: {findings.explanation}"
        case Bucket.TTSR:
            return "**Fires**: it is matched on the agent's output, and uses no context until it fires."
        case Bucket.ALWAYS:
            reason = _no_trigger(file, registration)
            return f"**Part of every prompt** (`alwaysApply`). It does not fire: {reason}."
        case Bucket.RULEBOOK:
            return (
                f"**Listed in the prompt** with its description. It does not fire: {_no_trigger(file, registration)}."
            )
        case Bucket.DISABLED:
            return "**Switched off** by `enabled: false`."
        case Bucket.DROPPED:
            without_body = "the file has no body, so there is nothing to inject"
            reason = _no_trigger(file, registration) if registration.has_body else without_body
            return f"**Dropped**: it does nothing, because {reason}."


def _active_findings(file: RuleFile, registration: Registration) -> ConditionFindings:
    """Returns the findings about the conditions of a rule that is matched; none for other rules."""
    if registration.bucket is not Bucket.TTSR:
        return ConditionFindings((), False)
    with PatternShapeCache() as patterns:
        return condition_findings(file, patterns)


def _demands_missing_path(registration: Registration) -> bool:
    """Returns whether `globs` requires a path, and no stream of the scope has one (spec G1)."""
    rule = registration.rule
    return rule is not None and bool(path_globs(rule.globs)) and not rule.scope.admits_source(Source.TOOL)


def _no_trigger(file: RuleFile, registration: Registration) -> str:
    fields = file.fields
    if not (fields.conditions or fields.ast_conditions or fields.question):
        return "it has no condition, AST condition or question"
    if any(problem.code == "unreachable-scope" for problem in registration.problems):
        return "no token of its scope is valid, so the scope admits nothing"
    return "none of its conditions compiles"


def _scope_lines(fields: Fields) -> list[str]:
    return ["\n".join(f"- {scope_token_text(token)}" for token in fields.scope)] if fields.scope else []


def _interruption(fields: Fields) -> str:
    match fields.interrupt_mode:
        case None:
            return "**Interrupts** as the setting `ttsr.interruptMode` says (by default, always)."
        case "never":
            return "**Never interrupts**: the body is injected without interrupting the agent."
        case mode:
            return f"**Interrupts**: {inline_code(mode)}."


def _condition_parts(fields: Fields) -> list[str]:
    parts = []
    if fields.conditions:
        parts.append("## Conditions")
        parts += [condition_text(text.value) for text in fields.conditions]
        if len(fields.conditions) > 1:
            parts.append("One of them is enough.")
    if fields.ast_conditions:
        parts.append("## AST conditions")
        parts.append("\n".join(f"- {inline_code(text.value)}" for text in fields.ast_conditions))
    if fields.question is not None:
        parts.append(f"## Question\n\n{escape_markdown(fields.question.value)}")
    return parts


def _body(file: RuleFile) -> str:
    words = len(file.body.value.split())
    return f"**Injects** {count(words, 'word')} when it fires." if words else ""
