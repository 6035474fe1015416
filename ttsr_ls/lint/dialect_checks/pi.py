"""Checks of pi-ttsr rules (spec P)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ttsr_ls.esregex.tree.line_form import line_feed_nodes, matches_some_line
from ttsr_ls.lint.checks.file.untouched_template import untouched_body, untouched_condition
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety, Severity
from ttsr_ls.lint.fixes.list_edits import remove_entry_lines
from ttsr_ls.lint.regex.universality import PatternBreadth, pattern_breadth
from ttsr_ls.lint.reporting import build_fixes, guess, report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.pi.keys import PI_SCOPES, PiScope
from ttsr_ls.syntax.pi.pattern import FlagsError, read_flags
from ttsr_ls.syntax.pi.rule_file import PiRuleFile
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.syntax.yaml.core_schema import resolve
from ttsr_ls.text import LineIndex, Span, first_line_span

_NUMBERS = ("maxFirings", "cooldown")


def check_pi(file: RuleFile, pi_file: PiRuleFile, registration: Registration) -> Iterator[Finding]:
    """Returns all findings that are specific to pi-ttsr. `file` is the file as omp would read it, `registration` that
    of `pi_file`.
    """
    if pi_file.file.frontmatter is None:
        # `.pi/rules` may also contain notes for the agent. `unseen` reports frontmatter that is not recognised.
        return
    if not pi_file.file.body.value:
        yield report("empty-body", _NO_BODY, first_line_span(file.text), severity=Severity.WARNING)
    for problem in registration.problems:
        yield report(problem.code, problem.message, problem.span, *_flags_fixes(pi_file, problem.code))
    if pi_file.trigger is None:
        span = _span(pi_file, "trigger") or first_line_span(file.text)
        yield report("pi-missing-trigger", _NO_TRIGGER, span)
    yield from _flags(pi_file)
    yield from _scope(pi_file)
    yield from _numbers(pi_file)
    if registration.rule is not None:
        yield from _trigger(pi_file, registration.rule)
    if pi_file.trigger is not None:
        yield from untouched_condition([(pi_file.trigger.value, pi_file.trigger.span)])
    yield from untouched_body(file)


def _flags_fixes(file: PiRuleFile, code: str) -> tuple[Fix, ...]:
    """Returns the fix that removes repeated and unknown flags."""
    text = file.file.text_value("flags")
    if text is None or code != "pi-invalid-flags":
        return ()
    kept = "".join(dict.fromkeys(letter for letter in text.value if letter in "imsu"))
    return build_fixes(code, Edit(text.span, kept or "''")) if kept != text.value else ()


def _flags(file: PiRuleFile) -> Iterator[Finding]:
    text = file.file.text_value("flags")
    try:
        flags = read_flags(file.flags)
    except FlagsError:
        return
    if text is None or not flags.is_stateful:
        return
    kept = "".join(letter for letter in flags.letters if letter not in "gy")
    fixes = build_fixes("pi-stateful-flag", Edit(text.span, kept or "''"))
    yield report("pi-stateful-flag", _STATEFUL, text.span, *fixes)


def _scope(file: PiRuleFile) -> Iterator[Finding]:
    span = _span(file, "scope")
    text = file.file.text_value("scope")
    if span is None or (text is not None and text.value in PI_SCOPES):
        return
    listing = ", ".join(f"`{scope}`" for scope in PI_SCOPES)
    message = (
        f"`scope` must be one of {listing}. Every other value counts as `line`, so the pattern only sees single lines."
    )
    suggestion = None if text is None else nearest_word(text.value, PI_SCOPES)
    # The scope `text` of omp is the text that the agent has written so far.
    if text is not None and text.value in ("text", "all"):
        suggestion = "accumulated"
    fixes = () if suggestion is None else (guess(f"Write {suggestion}", span, suggestion),)
    yield report("pi-invalid-scope", message, span, *fixes)


def _numbers(file: PiRuleFile) -> Iterator[Finding]:
    for key, number in zip(_NUMBERS, (file.max_firings, file.cooldown), strict=True):
        span = _span(file, key)
        if span is not None and math.isnan(number):
            message = f"`{key}` is not a number, so it limits nothing. Write a number without quotes."
            yield report("pi-not-a-number", message, span)
        text = file.file.text_value(key)
        if span is not None and text is not None and not math.isnan(number):
            plain = text.value.strip()
            if isinstance(resolve(plain), int | float):
                fix = Fix("Remove the quotes", (Edit(span, plain),), Safety.SAFE)
                yield report("pi-not-a-number", f"`{key}` {_QUOTED}", span, fix, severity=Severity.INFO)
            else:
                yield report("pi-not-a-number", f"`{key}` {_TEXT}", span, severity=Severity.INFO)
    max_firings = _span(file, "maxFirings")
    if max_firings is not None and file.max_firings <= 0:
        fixes = build_fixes("pi-never-fires", Edit(max_firings, "1"))
        yield report("pi-never-fires", _NEVER_FIRES, max_firings, *fixes)
    cooldown = _span(file, "cooldown")
    if cooldown is not None and file.cooldown > 0 and file.max_firings <= 1:
        yield report("pi-dead-cooldown", _DEAD_COOLDOWN, cooldown, *_removal(file, "cooldown"))


def _trigger(file: PiRuleFile, rule: Rule) -> Iterator[Finding]:
    assert rule.pi is not None
    assert file.trigger is not None, "a rule was registered for it"
    pattern = rule.pi.condition.pattern
    if file.scope is PiScope.LINE and not matches_some_line(pattern):
        # Spans in the tree are spans in the trigger, because its flags have a key of their own.
        feeds = line_feed_nodes(pattern)
        span = file.trigger.span
        if feeds:
            span = file.trigger.source_span_of_units(feeds[0].span)
        yield report("pi-line-feed", _LINE_FEED, span, *_accumulated_fixes(file))
    if pattern_breadth(pattern) is not PatternBreadth.SOME:
        message = "The trigger matches any text, so the rule interrupts every answer. Require a specific text."
        yield report("matches-everything", message, file.trigger.span)


def _accumulated_fixes(file: PiRuleFile) -> tuple[Fix, ...]:
    span = _span(file, "scope")
    if span is not None:
        return build_fixes("pi-line-feed", Edit(span, "accumulated"))
    assert file.file.frontmatter is not None
    position = file.file.frontmatter.content_span.start
    return build_fixes("pi-line-feed", Edit(Span(position, position), "scope: accumulated\n"))


def _removal(file: PiRuleFile, key: str) -> tuple[Fix, ...]:
    frontmatter = file.file.frontmatter
    entry = None if frontmatter is None else frontmatter.entry(key)
    if frontmatter is None or entry is None:
        return ()
    return build_fixes("pi-dead-cooldown", remove_entry_lines(LineIndex(file.file.text), frontmatter, entry.key_span))


def _span(file: PiRuleFile, key: str) -> Span | None:
    value = file.file.value(key)
    return None if value is None else value.span


_NO_TRIGGER = "pi-ttsr requires a `trigger` that is a text, so it cannot load this rule."
_NO_BODY = (
    "The rule has no body: when it fires, the model gets only its name and the request to answer again. Write the "
    "body below the frontmatter."
)
_TEXT = "is a text, which pi-ttsr converts to a number only in comparisons. Write a number."
_QUOTED = "is a quoted text, which pi-ttsr converts to a number only in comparisons. Write it without quotes."
_STATEFUL = (
    "With `g` or `y` the pattern continues where its last match ended, even in the next text, so it misses every other "
    "text. Remove the flag."
)
_NEVER_FIRES = "With this value, the rule never fires. Write 1 or more, or remove the file."
_DEAD_COOLDOWN = "`cooldown` has no effect, because the rule fires once in a session. Remove it, or raise `maxFirings`."
_LINE_FEED = (
    "The pattern requires a line end, but is matched on single lines: the rule never fires. Use `scope: accumulated`."
)
