"""Checks one regular expression: how Python reads it, and the checks of conditions that also apply to Python."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from ttsr_ls.esregex.analysis.effect.required_unit import requires_unit
from ttsr_ls.esregex.analysis.slips.dialects import ForeignConstruct, foreign_syntax
from ttsr_ls.esregex.analysis.slips.doubled_backslashes import single_backslashes, single_backslashes_if_certain
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.lint.checks.content.own_advice import check_own_advice
from ttsr_ls.lint.checks.regex.backtracking import find_slow
from ttsr_ls.lint.checks.regex.characters import check_characters
from ttsr_ls.lint.checks.regex.class_members import check_class_members
from ttsr_ls.lint.checks.regex.never_matches import check_never_matches
from ttsr_ls.lint.checks.regex.subsumed import check_subsumed
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.dialect_checks.hookify.after_end import check_after_end
from ttsr_ls.lint.dialect_checks.hookify.alternatives import MATCH_ALL, alternatives
from ttsr_ls.lint.dialect_checks.hookify.paths.path_patterns import is_for_path
from ttsr_ls.lint.finding import Edit, Finding, Fix, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.backtracking_effect import HOOKIFY_EFFORT
from ttsr_ls.lint.regex.universality import PatternBreadth, pattern_breadth
from ttsr_ls.lint.reporting import build_fixes, guess, report
from ttsr_ls.rules.registration import register
from ttsr_ls.syntax.hookify.inputs import NEVER_SENT
from ttsr_ls.syntax.hookify.python_pattern import (
    PythonPatternError,
    compile_problem,
    is_compile_error_caught,
    mapped_to_ecmascript,
    split_flags,
)
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition, HookifyFile
from ttsr_ls.syntax.mapped_text import MappedText, TranslatedText
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_CHECKS = (check_never_matches, check_characters, check_class_members, check_subsumed)
_NEVER_CODE = "hookify-never-matches"
_DOUBLED = re.compile(r"(?<!\\)\\\\(?=[bBdDsSwW.()\[\]{}+*?|^$/-])")
# A literal backslash before a repeated letter is rarely meant.
_REPEATED_CLASS = re.compile(r"(?<!\\)\\\\(?:[dDsSwW][+*?{]|\.\w)|(?:\A|[\s(|])\\\\b\w")
# A pattern between slashes that is no path: it has flags, a space, or an escape. Without flags, a slash inside must be
# escaped, unlike in a path: `/Users/\w+/`. No path begins with `/^` or `/\b`.
_BETWEEN_SLASHES = re.compile(
    r"/(?:(?=(?:\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|[^/\\])*+/\Z).*[\s\\(\[*+?|].*/|(?:\^|\\[bs]).*/|.*/[gimsuy]+)",
    re.DOTALL,
)
_CLASS = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*\]")
_ESCAPE_OR_CLASS = re.compile(rf"\\.|{_CLASS.pattern}(?!\])", re.DOTALL)
_DOUBLED_IN_CLASS = re.compile(r"\[[^\[\]]*?(\\\\[^\\])[^\[\]]*\]")
# In a class, a backslash beside a slash or at the end is intended, and harmless if doubled: `[/\\\\]`.
_MEANT_IN_CLASS = re.compile(r"(?:\\\\)+(?=/|\]\Z)")
_PLAIN = re.compile(r"[^\s\"'#|>\[{][^\"'#]*[^\s\"'#]|[A-Za-z]")
# The fields with text that the agent writes to a shell or a file.
_WRITTEN = frozenset(("command", "content", "new_text", "new_string"))
# Paths are short, so polynomial backtracking is not noticeable.
_SLOW_ON_PATHS = frozenset(("exponential-backtracking", "undecided-backtracking"))
_NAMED_GROUP = re.compile(r"\(\?<(?![=!])")
_HINTS = (
    (_NAMED_GROUP, "Python writes named groups as `(?P<name>…)`."),
    (re.compile(r"\\[pP]\{"), "Python has no `\\p{…}`."),
    (re.compile(r"\\z"), "Python before 3.14 writes the end of the text as `\\Z`."),
    (re.compile(r"\[\^?\]"), "An empty class matches nothing; write `[\\s\\S]` for any character."),
    (re.compile(r"\A[*+?]"), "A file glob is not a regular expression: write `.*` for anything."),
    (re.compile(r"\\[uU]\{"), "Python writes characters as `\\uXXXX`."),
    (re.compile(r"(?!\A)\(\?[aiLmsux]+\)"), "Flags such as `(?i)` must stand at the start of the pattern."),
)
_MAX_SHOWN = 60


def check_regex(file: RuleFile, hookify_file: HookifyFile, condition: HookifyCondition) -> Iterator[Finding]:
    """Reports problems of the pattern of a condition with `regex_match`. `file` is the file as omp reads it."""
    text = condition.pattern_text
    assert text is not None
    doubled_finding = _doubled_backslash_finding(hookify_file, text)
    if doubled_finding is not None:
        yield doubled_finding
        return
    problem = compile_problem(text.value)
    if problem is not None:
        yield _invalid_finding(text, problem)
        return
    yield from check_after_end(condition)
    try:
        source = mapped_to_ecmascript(text)
    except PythonPatternError:
        return  # Constructs that only Python has are not checked.
    letters, _ = split_flags(text.value)
    yield from _report_breadth(hookify_file, condition, source.value, letters)
    group = f"(?{''.join(sorted({'i', *letters}))})"
    start = text.span.start
    runs = ((group, Span(start, start)), *source.runs(0, len(source.value)))
    joined = MappedText.joined(runs, text.span)
    as_condition = TranslatedText(joined.value, joined.span, joined.segments, text)
    fields = replace(file.fields, conditions=(as_condition,), shorthand_globs=())
    as_rule = replace(file, fields=fields)
    registration = register(as_rule, "native")
    context = LintContext()
    findings = [finding for check in _CHECKS for finding in check(as_rule, registration, context)]
    if len(hookify_file.conditions) == 1 and condition.field in _WRITTEN:
        findings += check_own_advice(as_rule, registration, context)
    if condition.field not in NEVER_SENT:
        slow = find_slow(as_rule, registration, HOOKIFY_EFFORT, context.limits)
        is_on_path = condition.field == "file_path" or is_for_path(hookify_file, condition)
        findings += [finding for finding in slow if not is_on_path or finding.code in _SLOW_ON_PATHS]
    for finding in findings:
        if finding.code == "redundant-class-member" and _is_twice(file.text, text, finding.span):
            continue
        # The fixes write a condition of omp.
        yield replace(finding, fixes=())
    yield from _report_foreign_syntax(condition, source)


def _is_twice(text: str, pattern: MappedText, member: Span) -> bool:
    """Returns whether a member of a class is a backslash, or the second of two quotes that YAML requires in quotes."""
    quote = text[pattern.span.start]
    return text[member.start : member.end] == "\\\\" or (
        quote in "'\"" and text[member.start - 1 : member.end] == quote * 2
    )


def _invalid_finding(text: MappedText, problem: str) -> Finding:
    if not is_compile_error_caught(text.value):
        message = f"Python fails on this pattern: {problem}. hookify then skips all other rules of the event, too."
        return report("hookify-raises", message, text.span)
    hint = next((f" {hint}" for pattern, hint in _HINTS if pattern.search(text.value)), "")
    message = f"Python does not compile this pattern, so the rule never fires: {problem}.{hint}"
    fixes: tuple[Fix, ...] = ()
    named = _NAMED_GROUP.sub("(?P<", text.value)
    if named != text.value and compile_problem(named) is None and len(text.span) == len(text.value):
        edits = [
            Edit(text.source_span(match.end() - 1, match.end() - 1), "P") for match in _NAMED_GROUP.finditer(text.value)
        ]
        fixes = build_fixes("regex-does-not-compile", *edits, title="Write named groups as (?P<name>…)")
    return report("regex-does-not-compile", message, text.span, *fixes)


def _without_meant(match: re.Match[str]) -> str:
    """Returns a class without the intended backslashes, and an escape unchanged."""
    return _MEANT_IN_CLASS.sub("", match[0]) if match[0].startswith("[") else match[0]


def _doubled_backslash_finding(file: HookifyFile, text: MappedText) -> Finding | None:
    """Returns the finding about backslashes that are doubled, as double quotes of YAML require."""
    if "\\\\" not in _ESCAPE_OR_CLASS.sub(_without_meant, text.value):
        return None
    source = file.file.text[text.span.start : text.span.end]
    in_quotes = source.startswith('"')
    is_evident = in_quotes or _REPEATED_CLASS.search(text.value) is not None
    is_evident = is_evident or compile_problem(text.value) is not None
    suggestion = single_backslashes(text.value) if is_evident else single_backslashes_if_certain(text.value)
    if suggestion is None and not in_quotes and not _REPEATED_CLASS.search(text.value):
        return None
    problem = compile_problem(text.value)
    needs_backslash = _needs_backslash(text)
    matches_all = not needs_backslash and _matches_all(text)
    in_class = _DOUBLED_IN_CLASS.search(text.value)
    effect = "a part of the pattern matches only a backslash"
    if problem is not None:
        effect = f"Python does not compile the pattern: {problem}"
    elif needs_backslash:
        effect = "the pattern matches only text with a backslash"
    elif in_class is not None and "\\\\" not in _CLASS.sub("", text.value):
        effect = f"{code(in_class[1], _MAX_SHOWN)} in the class means a backslash and `{in_class[1][2:]}`"
        if in_class[1].endswith("]"):
            effect = "the class ends after a backslash, and must be followed by a `]`"
    elif matches_all:
        effect = "the pattern requires only an optional backslash, and every text matches"
    message = (
        f"hookify removes the quotes and keeps the backslashes, so {effect}. Write it without quotes, with each "
        "backslash once."
    )
    fixes: tuple[Fix, ...] = ()
    if suggestion is not None and _PLAIN.fullmatch(suggestion):
        fixes = (guess("Write each backslash once", text.span, suggestion),)
    if needs_backslash:
        return report(_NEVER_CODE, message, text.span, *fixes)
    if matches_all:
        return report("matches-everything", message, text.span, *fixes)
    return report("doubled-backslash", message, text.span, *fixes, severity=Severity.WARNING)


def _needs_backslash(text: MappedText) -> bool:
    """Returns whether the pattern matches no text without a backslash."""
    try:
        return requires_unit(parse(mapped_to_ecmascript(text).value), ord("\\"))
    except (PythonPatternError, RegexSyntaxError):
        return all(_DOUBLED.search(part) for part in alternatives(text.value))


def _matches_all(text: MappedText) -> bool:
    try:
        return pattern_breadth(parse(mapped_to_ecmascript(text).value)) is not PatternBreadth.SOME
    except (PythonPatternError, RegexSyntaxError):
        return False


def _report_breadth(file: HookifyFile, condition: HookifyCondition, source: str, letters: str) -> Iterator[Finding]:
    """Reports a pattern that every text matches, unless it is obviously meant to, such as `.*`."""
    try:
        pattern = parse(source, Flags(ignore_case=True, multiline="m" in letters, dot_all="s" in letters))
    except RegexSyntaxError:
        return
    is_tried = file.event not in ("stop", "prompt") or condition.field == "transcript"
    if pattern_breadth(pattern) is PatternBreadth.SOME or not is_tried:
        return
    assert condition.pattern_text is not None
    span = condition.pattern_text.span
    is_stop = file.event == "stop" and file.action == "block" and len(file.conditions) == 1
    if is_stop:
        message = "This pattern matches every transcript, and `block` then keeps the agent from ever stopping."
        yield report("matches-everything", message, span, severity=Severity.WARNING)
    elif condition.pattern not in MATCH_ALL:
        message = (
            "This pattern matches every text, so the condition always holds. Require a specific text, and remove the "
            "part that makes the whole pattern optional."
        )
        yield report("matches-everything", message, span)


def _is_path(condition: HookifyCondition) -> bool:
    """Returns whether the slashes around a pattern are separators of folders."""
    parts = alternatives(condition.pattern)
    return condition.field == "file_path" and parts[0].endswith("/")


def _report_foreign_syntax(condition: HookifyCondition, source: MappedText) -> Iterator[Finding]:
    """Reports syntax of other languages that Python reads as plain characters."""
    assert condition.pattern_text is not None
    if _BETWEEN_SLASHES.fullmatch(condition.pattern) and not _is_path(condition):
        message = (
            "The slashes around this pattern are a part of it, so it matches only a text with slashes in these places. "
            "Write the pattern without them; hookify always ignores case."
        )
        yield report("foreign-regex-syntax", message, condition.pattern_text.span)
        return
    for found in foreign_syntax(source.value):
        source_text = source.value[found.span.start : found.span.end]
        if not isinstance(found, ForeignConstruct) or not source_text.startswith(("[[:", "[:", "[^[:", "r'", 'r"')):
            continue
        message = (
            f"{code(source_text, _MAX_SHOWN)} is {found.meant} in other languages, but not in Python, so the condition "
            "does not match the intended text."
        )
        yield report("foreign-regex-syntax", message, source.source_span(found.span.start, found.span.end))
