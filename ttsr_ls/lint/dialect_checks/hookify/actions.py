"""Checks of `enabled` and `action`."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.finding import Edit, Finding, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import build_fixes, guess, report
from ttsr_ls.syntax.dialects.table import HOOKIFY
from ttsr_ls.syntax.hookify.keys import HOOKIFY_ACTIONS
from ttsr_ls.syntax.hookify.rule_file import HookifyFile
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.rule_file import ScalarValue
from ttsr_ls.text import Span

_OFF = ("no", "off", "n", "f", "0", "disabled", "null", "none", "~", "false")
# Synonyms of `warn`. Every unknown value counts as `warn`, so these rules do what is intended.
_WARNING = ("notify", "inform", "remind", "suggest", "advise", "alert", "hint", "message", "log")
# Under another key, `error` or `stop` may have another meaning; these words cannot.
_BLOCKING_ELSEWHERE = frozenset(("block", "deny", "reject", "forbid", "prevent"))
_BLOCKING = ("deny", "reject", "error", "stop", "prevent", "fail", "forbid", "abort", "ask")


def check_enabled(file: HookifyFile) -> Iterator[Finding]:
    """Reports a value of `enabled` that is neither `true` nor `false`."""
    value = file.file.value("enabled")
    if value is None or (isinstance(value, ScalarValue) and isinstance(value.data, bool)):
        return
    span = _span(file, "enabled")
    if not isinstance(value, ScalarValue) or not value.text.value:
        state = "The rule is on" if file.enabled else "The rule is off"
        message = f"`enabled` has no value. {state}; write `true` or `false`."
        yield report("wrong-value-type", message, span, severity=Severity.ERROR)
        return
    words = value.text.value.lower().replace("'", " ").replace('"', " ").split()
    is_off = bool(words) and words[0] in _OFF and not set(words) & {"true", "yes", "on"}
    message = f"hookify knows only `true` and `false`: {code(value.text.value, 40)} is a text, so the rule is on."
    fix = guess("Switch the rule off", span, "false") if is_off else guess("Switch the rule on", span, "true")
    yield report("wrong-value-type", message, span, fix, severity=Severity.ERROR if is_off else Severity.INFO)


def check_action(file: HookifyFile) -> Iterator[Finding]:
    """Reports an action that has no effect."""
    value = file.file.value("action")
    if value is None:
        yield from _action_elsewhere(file)
        return
    span = _span(file, "action")
    if (file.action or "").lower() in _WARNING:
        return
    if file.action not in HOOKIFY_ACTIONS:
        source = file.action or ""
        suggestion = nearest_word(source, HOOKIFY_ACTIONS)
        words = source.lower().split()
        if words and (words[0] in HOOKIFY_ACTIONS or words[0] in _BLOCKING):
            suggestion = words[0] if words[0] in HOOKIFY_ACTIONS else "block"
        message = (
            "`action` must be `warn` or `block`. hookify treats every other value as `warn`, so nothing is blocked."
        )
        fixes = () if suggestion is None else (guess(f"Write {suggestion}", span, suggestion),)
        means_warn = suggestion == "warn" or source.strip("`'\" {}[]").lower() == "warn"
        severity = Severity.WARNING if means_warn else Severity.ERROR
        yield report("hookify-action", message, span, *fixes, severity=severity)
    elif file.action == "block" and file.event == "prompt":
        message = "hookify cannot block a prompt: it shows the message, but the prompt is sent all the same."
        yield report("hookify-action", message, span, severity=Severity.WARNING)


def _action_elsewhere(file: HookifyFile) -> Iterator[Finding]:
    """Reports another key with the value of an action, in a rule without `action`: `severity: block`."""
    for entry in () if file.block is None else file.block.frontmatter.by_name().values():
        value = entry.value
        if HOOKIFY.find_key(entry.key) is not None or not isinstance(value, ScalarValue):
            continue
        if value.text.value.strip().lower() not in _BLOCKING_ELSEWHERE:
            continue
        message = (
            f"hookify does not read {code(entry.key, 40)}, and the rule has no `action`, so nothing is blocked. Write "
            "`action: block`."
        )
        edits = Edit(entry.key_span, "action"), Edit(value.span, "block")
        fixes = build_fixes("hookify-action", *edits, title="Write action: block")
        yield report("hookify-action", message, entry.key_span, *fixes, severity=Severity.ERROR)


def _span(file: HookifyFile, key: str) -> Span:
    entry = None if file.file.frontmatter is None else file.file.frontmatter.entry(key)
    assert entry is not None
    return entry.value.span if len(entry.value.span) else entry.key_span
