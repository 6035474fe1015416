"""Conditions in plain English: the flags in force, and what each part of the pattern matches."""

from __future__ import annotations

import re

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.explain.explain import Explanation, explain
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.ide.markdown import escape_markdown, has_special_characters, inline_code
from ttsr_ls.rules.condition import Condition, compile_condition

# A hover is read at a glance; a longer pattern shows its beginning.
_PARTS = 24
# A text in quotes, or a word, of an explanation.
_LITERAL = re.compile(r'("[^"]*"|[^\s",:]+)')


def condition_text(source: str, at: int | None = None) -> str:
    """The explanation of a condition, in Markdown. For a condition that does not compile: the reason.

    `at` is the offset of the cursor in `source`: the explanation of the innermost part there comes first.
    """
    try:
        condition = compile_condition(source)
    except RegexSyntaxError as error:
        return f"{inline_code(source)} **does not compile**: {escape_markdown(str(error))} The condition is dropped."
    explanations = explain(condition.pattern)
    lines = [f"{inline_code(source)}: a regular expression, {flags_text(condition.flags)}."]
    if at is not None and len(explanations) > 1:
        lines = [*_part_at(condition, explanations, source, at), *lines]
    lines += _parts(condition, explanations)
    if condition.is_end_sensitive:
        lines.append(
            "It looks past the end of its match, so in a stream it fires only once the text behind the match is known."
        )
    return "\n\n".join(lines)


def _part_at(condition: Condition, explanations: tuple[Explanation, ...], source: str, position: int) -> list[str]:
    """The innermost part of a pattern at an offset of its source."""
    units = len(to_units(source[:position])) - condition.pattern_offset
    around_explanations = [
        explanation for explanation in explanations if explanation.span.start <= units < explanation.span.end
    ]
    if not around_explanations:
        return []
    part = min(around_explanations, key=lambda explanation: (len(explanation.span), -explanation.depth))
    return [f"**Here:** {_row(part, to_units(condition.pattern.source)).lstrip(' -')}"]


def _parts(condition: Condition, explanations: tuple[Explanation, ...]) -> list[str]:
    units = to_units(condition.pattern.source)
    rows = [_row(explanation, units) for explanation in explanations[:_PARTS]]
    if len(explanations) > _PARTS:
        rows.append(f"- and {len(explanations) - _PARTS} more parts")
    return ["\n".join(rows)] if rows else []


def _row(explanation: Explanation, units: str) -> str:
    part = units[explanation.span.start : explanation.span.end]
    # Halves of a surrogate pair are joined again: editors cannot display them.
    display = part.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    # A quotation ends at the next quote, so `_LITERAL` cannot find one that contains a quote.
    text = escape_markdown(explanation.text) if '"' in display else _mark_code(explanation.text)
    return f"{'  ' * explanation.depth}- {inline_code(display)} {text}"


def _mark_code(text: str) -> str:
    """An explanation as Markdown in which special characters are in code: some editors show backslashes of escapes."""
    parts = _LITERAL.split(" ".join(text.split()))
    return "".join(
        inline_code(part[1:-1] if part[0] == '"' else part) if number % 2 and has_special_characters(part) else part
        for number, part in enumerate(parts)
    )


def flags_text(flags: Flags) -> str:
    """The flags in force with what each does, in Markdown."""
    names = [
        name
        for name, is_set in (
            ("`i` (case does not count)", flags.ignore_case),
            ("`m` (`^` and `$` at each line)", flags.multiline),
            ("`s` (`.` also matches line ends)", flags.dot_all),
        )
        if is_set
    ]
    return f"with {', '.join(names)}" if names else "without flags"
