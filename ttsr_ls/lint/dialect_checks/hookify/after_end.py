"""Finds patterns that require text after `$`, which Python reads as the end of the text."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ttsr_ls.esregex.analysis.effect.unmatchable_parts import UnmatchableParts, unmatchable_parts
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Assertion,
    AssertionKind,
    Look,
    Node,
    Sequence,
    with_children,
)
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.reporting import report
from ttsr_ls.syntax.hookify.python_pattern import MAX_COMPILED, PythonPatternError, mapped_with_line_ends, split_flags
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition
from ttsr_ls.syntax.mapped_text import MappedText

_REMEDY = "Remove the `$`, or write `\\$` for a dollar sign."


def check_after_end(condition: HookifyCondition) -> Iterator[Finding]:
    """Reports a pattern, or its first alternative, that matches no text for this reason."""
    text = condition.pattern_text
    found = None if text is None else _unmatchable(text)
    if text is None or found is None:
        return
    unmatchable, source = found
    if unmatchable.whole:
        remedy = _REMEDY
        if condition.field_text is None and condition.field in ("new_text", "content"):
            remedy = "For a path and a text, write `conditions`: one with the field `file_path`, one with `content`."
        message = f"`$` is the end of the text, but the pattern requires text after it: the rule never fires. {remedy}"
        yield report("hookify-never-matches", message, text.span)
        return
    span = unmatchable.spans[0]
    message = f"This part never matches: `$` is the end of the text, but the pattern requires text after it. {_REMEDY}"
    yield report("unmatchable-part", message, source.source_span(span.start, span.end), severity=Severity.WARNING)


def is_dead_after_end(condition: HookifyCondition) -> bool:
    """Returns whether no text matches the pattern of a condition, because it requires text after `$`."""
    found = None if condition.pattern_text is None else _unmatchable(condition.pattern_text)
    return found is not None and found[0].whole


def _unmatchable(text: MappedText) -> tuple[UnmatchableParts, MappedText] | None:
    if "$" not in text.value[:-1] or len(text.value) > MAX_COMPILED or "m" in split_flags(text.value)[0]:
        return None
    try:
        source = mapped_with_line_ends(text)
        pattern = parse(source.value)
    except (PythonPatternError, RegexSyntaxError):
        return None
    # Without lookarounds, a pattern matches more, so a part that is unmatchable then is certainly unmatchable. If it is
    # so without the line ends, too, `$` is not the reason.
    parts = unmatchable_parts(replace(pattern, root=fold_tree(pattern.root, _without_looks)))
    if parts is None or unmatchable_parts(replace(pattern, root=fold_tree(pattern.root, _without_ends))) is not None:
        return None
    return parts, source


def _without_ends(node: Node, children: tuple[Node, ...]) -> Node:
    if isinstance(node, Assertion) and node.kind is AssertionKind.LINE_END:
        return Sequence(node.span, ())
    return _without_looks(node, children)


def _without_looks(node: Node, children: tuple[Node, ...]) -> Node:
    return Sequence(node.span, ()) if isinstance(node, Look) else with_children(node, children)
