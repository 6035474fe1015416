"""Finds escapes of JSON in conditions on file content, which is not JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.esregex.tree.nodes import Chars, Pattern, Sequence, walk
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_to_analyse
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.syntax.scope.tool_names import DECODED_TOOLS
from ttsr_ls.text import Span

_CODE = "doubled-backslash"
_ESCAPED = {"n": "\n", "t": "\t"}
_NAMES = {"n": "a line end", "t": "a tab"}
_FEW = 4
_ALTERNATIVE = 2
_QUOTES = frozenset("\"'`/")
# Files in which a backslash and a letter are ordinary text: macros, quoted strings, paths.
_WITH_ESCAPES = re.compile(
    r"\.(?:tex|sty|cls|bib|md|mdx|rst|json\w*|ipynb|ya?ml|toml|po|ps1|bat|cmd|reg|l|y)\b", re.IGNORECASE
)


def check_content_escapes(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    r"""Reports `\\n` and `\\t`, which match a backslash and a letter, where a line end or a tab is intended."""
    rule = registration.rule
    if rule is None or not _is_on_code(rule):
        return
    for condition in conditions_to_analyse(file, context.limits):
        if "\\\\" not in condition.condition.source:
            continue
        found = _find_escape(condition.condition.pattern)
        if found is not None:
            yield _finding(condition, file, *found)


def _is_on_code(rule: Rule) -> bool:
    """Returns whether a rule applies only to the content of files, and its globs name files of code."""
    scope = rule.scope
    if scope.text or scope.thinking or scope.any_tool or any(tool.tool not in DECODED_TOOLS for tool in scope.tools):
        return False
    globs = [*map(str, rule.globs), *(str(tool.glob) for tool in scope.tools if tool.glob is not None)]
    return bool(globs) and not any(_WITH_ESCAPES.search(glob) for glob in globs)


def _find_escape(pattern: Pattern) -> tuple[Span, str] | None:
    """Returns the first literal backslash before `n` or `t`, and that letter.

    None for a pattern with quotes, which describes a string of the code, and for one that has the line end or tab too.
    """
    nodes = list(walk(pattern.root))
    unit_sets = [node.units for node in nodes if isinstance(node, Chars) and node.units.size <= _FEW]
    if any(ord(quote) in units for units in unit_sets for quote in _QUOTES):
        return None
    for node in nodes:
        # Two items are an alternative to something else, such as `^`.
        if not isinstance(node, Sequence) or len(node.items) == _ALTERNATIVE:
            continue
        for index, item in enumerate(node.items[:-1]):
            letter = _letter(node.items[index + 1])
            if _letter(item) != "\\" or letter not in _ESCAPED:
                continue
            is_escaped = index > 0 and _letter(node.items[index - 1]) == "\\"
            if not is_escaped and not any(ord(_ESCAPED[letter]) in units for units in unit_sets):
                return Span(item.span.start, node.items[index + 1].span.end), letter
    return None


def _letter(node: object) -> str | None:
    return chr(node.units.single_unit) if isinstance(node, Chars) and node.units.single_unit is not None else None


def _finding(condition: ConditionWithSpan, file: RuleFile, span: Span, letter: str) -> Finding:
    message = (
        f"This matches a backslash and the letter {letter}. Text that `edit` and `write` put into a file is matched "
        f"as it is, without JSON, and {_NAMES[letter]} is one character in it. Write `\\{letter}`."
    )
    return condition.report(file, _CODE, message, span, f"\\{letter}")
