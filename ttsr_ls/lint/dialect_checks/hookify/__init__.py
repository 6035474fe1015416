"""Checks of hookify rules, based on the behaviour of hookify's own engine (docs/hookify.md)."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import PurePath

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.dialect_checks.hookify.actions import check_action, check_enabled
from ttsr_ls.lint.dialect_checks.hookify.conditions import check_conditions
from ttsr_ls.lint.dialect_checks.hookify.ignored_pattern import check_ignored_pattern
from ttsr_ls.lint.dialect_checks.hookify.lines import check_skipped_lines
from ttsr_ls.lint.dialect_checks.hookify.patterns import check_patterns
from ttsr_ls.lint.dialect_checks.hookify.transcripts import check_transcripts
from ttsr_ls.lint.dialect_checks.hookify.values import check_items, check_values
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.locations.placement import is_in_template_folder
from ttsr_ls.lint.reporting import report
from ttsr_ls.syntax.dialects.locations import HOOKIFY_RULES
from ttsr_ls.syntax.dialects.table import HOOKIFY
from ttsr_ls.syntax.hookify.rule_file import HookifyFile
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span, first_line_span


def check_hookify(file: RuleFile, hookify_file: HookifyFile, context: LintContext) -> Iterator[Finding]:
    """Reports why a hookify rule does not do what it says. `file` is the file as omp would read it."""
    first_line = first_line_span(file.text)
    if hookify_file.enabled:
        yield from _check_location(PurePath(context.location or file.path), first_line)
    if context.has_byte_order_mark:
        message = (
            "hookify does not load this file, because a byte order mark precedes the first `---`. Save the file as "
            "UTF-8 without it."
        )
        yield report("frontmatter-not-recognised", message, first_line)
    if hookify_file.block is None or not hookify_file.block.frontmatter.entries:
        yield report("frontmatter-not-recognised", _not_loaded(hookify_file), first_line)
        return
    yield from check_enabled(hookify_file)
    if not hookify_file.enabled:
        yield from check_items(hookify_file)
        return
    yield from check_skipped_lines(hookify_file)
    findings = list(check_values(hookify_file))
    yield from findings
    explanations = frozenset(finding.span for finding in findings if finding.severity is Severity.ERROR)
    yield from (finding for finding in check_conditions(hookify_file) if not _is_within(finding.span, explanations))
    yield from check_ignored_pattern(hookify_file)
    yield from check_transcripts(hookify_file)
    yield from check_patterns(file, hookify_file, explanations)
    yield from check_action(hookify_file)
    if not hookify_file.file.body.value:
        message = "The rule has no message: hookify shows its name and nothing else. Say what to do instead."
        yield report("empty-body", message, first_line, severity=Severity.WARNING)


def _is_within(span: Span, spans: frozenset[Span]) -> bool:
    return any(other.covers(span) for other in spans)


def _not_loaded(file: HookifyFile) -> str:
    if file.block is None:
        return (
            "hookify does not load this file. Its frontmatter must begin with `---` at the very start of the file, and "
            "a second `---` must end it."
        )
    return (
        "hookify does not load this file: it finds no `key: value` line between the delimiters. Keys must begin at the "
        "start of their lines."
    )


def _check_location(path: PurePath, span: Span) -> Iterator[Finding]:
    if is_in_template_folder(path.parts[:-1], HOOKIFY_RULES.folders) or HOOKIFY.reads(path):
        return
    if HOOKIFY_RULES.path not in path.parts[:-1]:
        if fnmatchcase(path.name, HOOKIFY_RULES.names[0]):
            # The file may be there for others to copy, but has the name of an active rule.
            message = f"hookify does not load this rule from here: it reads `{HOOKIFY_RULES}`."
            yield report("not-discovered", message, span, severity=Severity.INFO)
        return
    name = path.name.removeprefix(HOOKIFY_RULES.prefix).removesuffix(".md").removesuffix(".local") or "rule"
    message = (
        f"hookify never loads this rule: it reads only `{HOOKIFY_RULES}` below the folder in which Claude Code runs. "
        f"Call the file `{str(HOOKIFY_RULES).replace('*', name)}`."
    )
    yield report("not-discovered", message, span, severity=Severity.ERROR)
