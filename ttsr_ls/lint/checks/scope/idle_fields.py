"""Finds an `alwaysApply` without an effect, and a scope without the thinking that a rule is about (spec B1, S3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.fixes.entry_edits import add_to_scope, remove_entry
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.registration import Bucket, Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_ALWAYS = "ineffective-always-apply"
_THINKING = "thinking-not-in-scope"

# Only phrases that mean the stream: most rules with the word "thinking" are not about the stream.
_ABOUT_THINKING = re.compile(
    r"\b(?:in|from|during|inside(?: of)?) (?:your|its|the(?: agent's| model's)?|their) "
    r"(?:own |private |hidden )?(?:thinking|reasoning|thoughts|chain of thought)\b",
    re.IGNORECASE,
)
# Phrases by which a description names the stream that its rule is about.
_NOUN = r"(?:thinking|reasoning|thoughts?|chain[ -]of[ -]thought|CoT|inner monologue|scratchpad)"
_DESCRIBED = re.compile(
    rf"\b(?:watch(?:es|ing)?|catch(?:es|ing)?|monitors?|interrupts?|scans?|in|inside|within|during|while|when) "
    rf"(?:(?:of|for|the|its|your|their|own|hidden|private|agent's|model's) )*{_NOUN}\b(?! (?:about|through)\b)"
    r"|\b(?:thinking|reasoning) (?:blocks?|streams?|traces?|tokens)\b",
    re.IGNORECASE,
)


def check_always_apply(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports `alwaysApply: true` on a rule with a trigger."""
    if not file.fields.always_apply or registration.bucket is not Bucket.TTSR or file.frontmatter is None:
        return
    entry = file.frontmatter.entry("alwaysApply")
    if entry is None:
        return
    message = (
        "`alwaysApply` has no effect here: the body of a rule with a valid trigger is injected only when it fires. "
        "For a text in every prompt, write a second rule without a trigger."
    )
    span = Span(entry.key_span.start, entry.value.span.end)
    yield report(_ALWAYS, message, span, *remove_entry(file, _ALWAYS, "alwaysApply"))


def check_thinking(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a rule about the agent's reasoning whose scope, given or default, excludes thinking."""
    rule = registration.rule
    if rule is None or rule.scope.thinking or file.frontmatter is None or file.fields.globs:
        return
    described = file.fields.description or ""
    entry = file.frontmatter.entry("condition") or file.frontmatter.entry("question")
    if file.fields.scope:
        # An author who names streams chose them, so only a description that contradicts the scope is reported.
        scope = file.frontmatter.entry("scope")
        if scope is None or not rule.scope.text or not _DESCRIBED.search(described):
            return
        message = (
            "The description is about the agent's thinking, which is not in this scope, so the rule never matches "
            "it. Add `thinking`."
        )
        fixes = add_to_scope(file, _THINKING, "thinking")
        yield report(_THINKING, message, scope.value.span, *fixes)
        return
    if entry is None or not (_ABOUT_THINKING.search(f"{described}\n{file.body.value}") or _DESCRIBED.search(described)):
        return
    message = (
        "This rule is about the agent's thinking, but the default scope has only its text and its tools. Write `scope: "
        "thinking`, or `scope: text, thinking` for both."
    )
    fixes = (*add_to_scope(file, _THINKING, "thinking"), *add_to_scope(file, _THINKING, "text, thinking"))
    yield report(_THINKING, message, entry.key_span, *fixes)
