"""Removes findings that are consequences of another finding.

One mistake often has several effects: a misspelt `condition` is an unknown key, and leaves the rule without a trigger.
Fixing the first removes the second, so only the first is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ttsr_ls.lint.finding import Finding
from ttsr_ls.syntax.frontmatter.quoting import with_doubled_quotes
from ttsr_ls.syntax.keys import FIRING_KEYS
from ttsr_ls.syntax.pi.keys import PI_SCOPES
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.text import Span

_QUOTED_LIST = re.compile(r"^[\w-]+:[ \t]*(\[[ \t]*[\"'][^\r\n]*)", re.MULTILINE)
"""A value that begins as a list of quoted texts, up to the end of its line."""
_OF_PARTS = frozenset((
    "redundant-class-member", "suspicious-range", "words-in-class", "split-character", "useless-escape",
    "never-matches",
))  # fmt: skip
_OF_MATCHING = frozenset((
    "never-matches", "unmatchable-part", "never-in-json", "anchor-in-json", "boundary-in-json", "invisible-character",
))  # fmt: skip
"""Findings about the texts that a pattern matches. They are wrong if an escape of YAML changed the pattern."""
_OF_JSON = frozenset(("never-in-json", "anchor-in-json", "boundary-in-json"))
"""Findings about a pattern on JSON arguments. They may be wrong if the tool's name is misspelt."""
_LEAVE_NO_TRIGGER = frozenset(("frontmatter-not-recognised", "yaml-degraded", "truncated-value", "wrong-value-type"))


def without_consequences(findings: Iterable[Finding], problems: Iterable[Problem], text: str) -> tuple[Finding, ...]:
    """Returns the findings that no problem in `problems` explains, in order. `text` is the text of the file."""
    causes = tuple(problems)
    trigger_is_explained = any(_removes_the_trigger(cause) for cause in causes)
    tool_is_unknown = any(cause.code == "unknown-tool" for cause in causes)
    escapes = tuple(cause.span for cause in causes if cause.code == "illegal-escape")
    mutated = tuple(cause.span for cause in causes if cause.code == "mutating-escape")
    lists = tuple(
        cause.span
        for cause in causes
        if cause.code == "yaml-degraded" and text.startswith(("[", "{"), cause.span.start)
    )
    quoted_lists: tuple[Span, ...] = ()
    if any(cause.code == "yaml-degraded" for cause in causes):
        quoted_lists = tuple(Span(*match.span(1)) for match in _QUOTED_LIST.finditer(text))
    doubled = tuple(
        cause.span
        for cause in causes
        if cause.code == "yaml-degraded"
        and cause.replacement is not None
        and cause.replacement == with_doubled_quotes(text[cause.span.start : cause.span.end])
    )
    quoted = tuple(cause.span for cause in causes if cause.code == "literal-quotes" and cause.replacement is not None)
    folded = tuple(cause.span for cause in causes if cause.code == "folded-list")
    without_lost_lines = {cause.span for cause in causes if cause.harmless_message is not None}

    def is_explained(finding: Finding) -> bool:
        # Other findings about the folded text do not apply to the intended items.
        if finding.code != "folded-list" and any(span.start <= finding.span.start < span.end for span in folded):
            return True
        # Nor do findings about a list that was read as one pattern.
        if finding.code != "yaml-degraded" and any(span.covers(finding.span) for span in quoted_lists):
            return True
        if finding.code in _OF_MATCHING and any(span.covers(finding.span) for span in mutated):
            return True
        if finding.code in _OF_JSON and tool_is_unknown:
            return True
        match finding.code:
            case "no-trigger":
                return trigger_is_explained
            case "yaml-degraded":
                # The escape made the YAML invalid, and its message states the effect.
                if any(span.start <= finding.span.start < span.end for span in escapes):
                    return True
                # `literal-quotes` reports the value with a fix; lost lines are a second effect.
                is_quoted = any(span.covers(finding.span) for span in quoted)
                return is_quoted and not finding.fixes and finding.span in without_lost_lines
            case "literal-quotes":
                return finding.span in doubled
            case "regex-does-not-compile":
                # An unclosed list is no pattern with a bracket.
                return any(span.start == finding.span.start for span in lists)
            case "globs-on-prose":
                # A finding about the whole scope may be wrong if a token of it could not be read.
                return any(cause.code == "invalid-scope-token" for cause in causes)
            case _:
                return False

    return tuple(finding for finding in findings if not is_explained(finding))


def without_superseded(findings: Iterable[Finding], text: str) -> tuple[Finding, ...]:
    """Returns the findings without those that another finding explains: a key of another dialect, or of an action."""
    kept = _without_foreign_parts(tuple(findings))
    foreign = [finding for finding in kept if finding.code == "other-dialect-key"]
    actions = {finding.span for finding in kept if finding.code == "hookify-action"}
    if not foreign and not actions:
        return kept
    keys = {finding.span for finding in foreign} | {
        location.span for finding in foreign for location in finding.related
    }

    def is_superseded(finding: Finding) -> bool:
        match finding.code:
            case "unknown-key" | "legacy-key":
                return finding.span in keys | actions
            case "bare-word-tool":
                return bool(foreign) and text[finding.span.start : finding.span.end] in PI_SCOPES
            case "no-trigger" | "pi-missing-trigger" | "pi-invalid-scope":
                return bool(foreign)
            case _:
                return False

    return tuple(finding for finding in kept if not is_superseded(finding))


def _without_foreign_parts(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Returns the findings without those about parts of foreign syntax, and without end-sensitive paths and unreachable
    anchors.
    """
    foreign = [finding.span for finding in findings if finding.code == "foreign-regex-syntax"]
    spans = [finding.span for finding in findings if finding.code in ("path-in-content", "anchor-in-json")]
    return tuple(
        finding
        for finding in findings
        if not (finding.code in _OF_PARTS and _is_within(finding.span, foreign))
        and not (finding.code == "end-sensitive-condition" and _is_within(finding.span, spans))
    )


def _is_within(span: Span, spans: list[Span]) -> bool:
    return any(each_span.covers(span) for each_span in spans)


def _removes_the_trigger(cause: Problem) -> bool:
    """Returns whether a rule can lack a trigger because of this problem."""
    misspelt = cause.code == "unknown-key" and cause.replacement in FIRING_KEYS
    return misspelt or cause.code in _LEAVE_NO_TRIGGER
