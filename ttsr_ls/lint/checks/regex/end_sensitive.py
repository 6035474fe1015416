"""Finds conditions that can match the beginning of a text and not the whole text (spec M6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from itertools import islice
from typing import assert_never

from msgspec import Struct

from ttsr_ls.escaping import one_line
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.finality.horizon import end_sensitive_nodes
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
)
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Fix, Safety, Severity
from ttsr_ls.lint.limits import LINT_LIMITS
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_with_spans
from ttsr_ls.lint.regex.counterexample import (
    CounterExample,
    find_counterexample,
    find_longer_word,
    is_word_boundary,
)
from ttsr_ls.lint.regex.decided_form import form_decided_by_next_text
from ttsr_ls.lint.regex.longer_words import IN_CODE, IN_PROSE
from ttsr_ls.lint.regex.universality import PatternBreadth, pattern_breadth
from ttsr_ls.lint.reporting import report
from ttsr_ls.lint.scalars import replaced_part
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.syntax.scope.tool_names import PATHLESS_TOOLS
from ttsr_ls.text import Span

_CODE = "end-sensitive-condition"
_DECODED = frozenset(("edit", "write"))
_MAX_TRIED = 3
_MAX_CONDITIONS = 200
"""Nobody reads more findings of one code, and each takes a search."""


def check_end_sensitive(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each condition with a known text on which firing depends on how the stream was split.

    In a rule with a question it does not: there, conditions are only matched on complete texts (spec J1).
    """
    if file.fields.question is not None:
        return
    goes_on, has_lines = _always_goes_on(registration), _has_lines(registration)
    longer = _longer_words(registration)
    has_early_word = False
    found_count = 0
    for condition in islice(conditions_with_spans(file, context.limits), _MAX_CONDITIONS):
        if (
            not condition.condition.is_end_sensitive
            or condition.condition.cached_analysis(pattern_breadth) is not PatternBreadth.SOME
        ):
            continue
        examination = _examine_cached(condition.condition, longer)
        if examination.is_slow:
            # Slowness on a few characters is a worse defect. Further conditions could be as slow, so none is examined.
            return
        if examination.example is None:
            continue
        if _is_only_a_delta_early(examination.undecided):
            # One finding is enough: the other conditions of a rule end in words as well.
            if has_early_word:
                continue
            has_early_word = True
        # Each suggested form is tested on texts, which takes a while.
        decided = (
            form_decided_by_next_text(condition.condition, has_lines=has_lines) if found_count < _MAX_TRIED else None
        )
        yield _finding(file, condition, examination, examination.example, decided, goes_on=goes_on)
        found_count += 1


def _always_goes_on(registration: Registration) -> bool:
    """Returns whether a text always continues after a match: JSON arguments end in a brace, other text may end in a
    word.
    """
    rule = registration.rule
    if rule is None or rule.scope.text or rule.scope.thinking or rule.scope.any_tool:
        return False
    return all(scope.tool in PATHLESS_TOOLS for scope in rule.scope.tools)


def _has_lines(registration: Registration) -> bool:
    """Returns whether all streams of a rule have line ends, rather than their JSON escapes."""
    rule = registration.rule
    return rule is not None and not rule.scope.any_tool and all(tool.tool in _DECODED for tool in rule.scope.tools)


class _Words(Enum):
    """The longer words that the streams of a rule can have."""

    PROSE = "prose"
    CODE = "code"
    BOTH = "both"


def _longer_words(registration: Registration) -> _Words:
    rule = registration.rule
    if rule is None:
        return _Words.BOTH
    is_prose = rule.scope.text or rule.scope.thinking
    if rule.scope.any_tool or rule.scope.tools:
        return _Words.BOTH if is_prose else _Words.CODE
    return _Words.PROSE


def _table(words: _Words) -> Mapping[str, str]:
    match words:
        case _Words.PROSE:
            return IN_PROSE
        case _Words.CODE:
            return IN_CODE
        case _Words.BOTH:
            return {**IN_CODE, **IN_PROSE}
    assert_never(words)


class _Examination(Struct, frozen=True):
    """The result of examining a condition. `is_slow` is true if the search exceeded its limit."""

    undecided: tuple[Node, ...]
    example: CounterExample | None
    is_slow: bool


def _examine(condition: Condition, words: _Words) -> _Examination:
    undecided_nodes = tuple(end_sensitive_nodes(condition.pattern))
    try:
        if _is_only_a_delta_early(undecided_nodes):
            # Deltas usually are whole words, so only a word with a known longer word is reported.
            return _Examination(undecided_nodes, find_longer_word(condition, _table(words)), is_slow=False)
        return _Examination(undecided_nodes, find_counterexample(condition, undecided_nodes), is_slow=False)
    except MatchLimitExceeded:
        return _Examination(undecided_nodes, None, is_slow=True)


# The search is the costliest of all checks, and a keystroke changes only one condition.
_examine_short = lru_cache(256)(_examine)
# The trees of long conditions take megabytes, and each keystroke makes another condition.
_examine_long = lru_cache(8)(_examine)


def _examine_cached(condition: Condition, words: _Words) -> _Examination:
    is_long = len(condition.source) > LINT_LIMITS.analysed_units
    return _examine_long(condition, words) if is_long else _examine_short(condition, words)


def _finding(
    file: RuleFile,
    condition: ConditionWithSpan,
    examination: _Examination,
    example: CounterExample,
    decided: str | None,
    *,
    goes_on: bool,
) -> Finding:
    undecided_nodes = examination.undecided
    spans = [condition.source_span(node.span) for node in undecided_nodes]
    span = spans[0] if len(spans) == 1 else condition.text.span
    advice = _advice(undecided_nodes, example, decided, goes_on=goes_on)
    message = f"{_trace(example)} ttsr-ls waits until no further text can undo a match. {advice}"
    is_early_word = example.is_longer_word and any(is_word_boundary(node) for node in undecided_nodes)
    severity = Severity.INFO if _is_only_a_delta_early(undecided_nodes) or is_early_word else None
    fixes = _fixes(file, span, undecided_nodes, example, goes_on=goes_on)
    return report(_CODE, message, span, *fixes, severity=severity)


def _is_only_a_delta_early(undecided_nodes: tuple[Node, ...]) -> bool:
    """Returns whether only the end of a word is undecided. The next delta decides it, and deltas usually are whole
    words.
    """
    return bool(undecided_nodes) and all(is_word_boundary(node) for node in undecided_nodes)


def _fixes(
    file: RuleFile, span: Span, undecided_nodes: tuple[Node, ...], example: CounterExample, *, goes_on: bool
) -> tuple[Fix, ...]:
    """Returns the fix that requires the character that decides a boundary, if such a character always follows.

    On a text that ends in the word, the fixed rule would no longer fire.
    """
    match undecided_nodes:
        case (Assertion(kind=AssertionKind.WORD_BOUNDARY),) if goes_on or not _ends_in_word(example.shown):
            follower = "(?=\\W)" if _ends_in_word(example.shown) else "(?=\\w)"
            edit = replaced_part(file, span, "\\b", follower)
            if edit is not None:
                return (Fix(f"Replace \\b by {follower}", (edit,), Safety.UNSAFE),)
    return ()


def _ends_in_word(text: str) -> bool:
    return text[-1:].isascii() and (text[-1:].isalnum() or text[-1:] == "_")


def _trace(example: CounterExample) -> str:
    begins = f"at `{_display(example.shown)}`" if example.shown else "before anything has arrived"
    full_text = _display(example.shown + example.rest)
    return (
        f"This fires too early in oh-my-pi, which tests the text after each delta: it fires {begins}, although the "
        f"text can go on to `{full_text}`, which does not match."
    )


def _advice(undecided_nodes: tuple[Node, ...], example: CounterExample, decided: str | None, *, goes_on: bool) -> str:
    if not example.shown:
        return "A condition cannot wait for a text that stays absent: match a text that must be there."
    if decided is not None:
        return (
            "Match the text that the lookahead tests, and the character after it, such as "
            f"{code(decided, 200)}. A text that ends there is then not matched."
        )
    is_word = not goes_on and _ends_in_word(example.shown)
    if len(undecided_nodes) != 1 and is_word and any(is_word_boundary(node) for node in undecided_nodes):
        return (
            "In ttsr-ls the condition is right as it is. Keep the `\\b`: a pattern that demands a character after the "
            "word misses it at the end of a text."
        )
    if len(undecided_nodes) != 1:
        return "Include the deciding text in the match, if such a text always follows."
    node = undecided_nodes[0]
    match node:
        case Assertion():
            return _assertion_advice(node.kind, goes_on=goes_on)
        case Look() if not example.shown.endswith("("):
            return "Match what must come next instead of excluding what must not, such as `(?=[;)])`."
        case Look():
            return (
                "Extend the match past the lookahead to the text that decides it, such as `[^)]*\\)` for the arguments "
                "of a call."
            )
        case Chars() | Backreference() | Capture() | Group() | Repeat() | Sequence() | Alternation():
            return "Include the deciding text in the match."
        case _:
            assert_never(node)


def _assertion_advice(kind: AssertionKind, *, goes_on: bool) -> str:
    match kind:
        case AssertionKind.WORD_BOUNDARY if not goes_on:
            return (
                "If a text can end in the word, keep the `\\b`, because a pattern that requires another character "
                "misses the word there. Else require the next text, such as `\\s*[;,)]`."
            )
        case AssertionKind.WORD_BOUNDARY:
            return "Write `(?=\\W)` in place of this `\\b`, so that the character after the word must have arrived."
        case AssertionKind.NOT_WORD_BOUNDARY:
            return "Write `(?=\\w)` in place of this `\\B` where the word must go on."
        case AssertionKind.LINE_END:
            return "Write `\\n` in place of this `$` where a line end always comes; a text that ends there has none."
        case AssertionKind.INPUT_END:
            return "The end of a text is known only when the agent has finished; match the text before it, or `\\n`."
        case AssertionKind.INPUT_START | AssertionKind.LINE_START:
            return "Include the deciding text in the match."
    assert_never(kind)


def _display(units: str) -> str:
    """Returns units as text on one line, for a message."""
    text = units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return one_line(text.replace("\r", "\\r").replace("`", "'"))
