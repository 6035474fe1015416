"""Finds `^` that matches only the start of the text where the start of a line is intended (spec M6, #6890)."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.esregex.analysis.backtracking.witness import find_witness
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Capture,
    Chars,
    Group,
    Node,
    Repeat,
    Sequence,
)
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Edit, Finding
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_with_spans
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.lint.scalars import ScalarStyle, scalar_at, style_of
from ttsr_ls.rules.path_glob import path_globs
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.syntax.rule_file import RuleFile

_CODE = "anchor-without-multiline"
_WRITERS = frozenset(("edit", "write"))
FILE_STARTS = (
    "<?", "<!doctype", "<html", "<svg", "---", "+++", "\ufeff", "@charset", '"use ', "'use ", "// @", "/* @", "/** @",
    "//go:build", "// +build", "// copyright", "/* copyright", "// spdx-", "/* spdx-", "diff --git", "*** begin",
    "package ", "syntax =", "syntax=", "%pdf", "%yaml",
)  # fmt: skip
"""Texts with which files begin, and lines rarely: in lower case, without leading blanks."""


def check_anchors(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a `^` before text in a rule on files: the content that a tool writes rarely begins with what such a rule
    matches.

    `end-sensitive-condition` reports `$`, which depends on the following text.
    """
    rule = registration.rule
    if rule is None or not _is_on_files(rule):
        return
    for condition in conditions_with_spans(file, context.limits):
        if "^" not in condition.condition.source or condition.condition.flags.multiline or condition.is_shorthand:
            continue
        root = condition.condition.pattern.root
        anchor = _leading_anchor(root)
        if anchor is not None and not _is_about_all_of_file(root):
            yield _finding(file, condition, anchor)


def _finding(file: RuleFile, condition: ConditionWithSpan, anchor: Assertion) -> Finding:
    message = (
        "Without the flag `m`, `^` is the start of all that the tool writes, so the condition fires only when its very "
        "first line matches. Write `(?m)` at the start of the condition for the start of any line."
    )
    fixes = build_fixes(_CODE, _add_multiline_flag(file, condition))
    return report(_CODE, message, condition.source_span(anchor.span), *fixes)


def _add_multiline_flag(file: RuleFile, condition: ConditionWithSpan) -> Edit | None:
    """Returns the edit that adds `m` to the flags; None if the start of the condition is escaped or in a block."""
    scalar = scalar_at(file, condition.text.span)
    if scalar is None or style_of(file, scalar) is ScalarStyle.BLOCK:
        return None
    if condition.condition.pattern_offset:
        place = condition.text.source_span(2, 2)
        return Edit(place, "m") if file.text[place.start - 2 : place.start] == "(?" else None
    return Edit(condition.text.source_span(0, 0), "(?m)")


def _is_on_files(rule: Rule) -> bool:
    """Returns whether the rule applies only to text that tools write to files.

    `globs` with a path exclude prose and commands, and are meant for the calls that write.
    """
    scope, is_gated = rule.scope, bool(path_globs(rule.globs))
    if not is_gated and (scope.text or scope.thinking or scope.any_tool):
        return False
    names = {tool.tool for tool in scope.tools if tool.tool is not None}
    is_open = is_gated and scope.any_tool
    return (is_open or bool(scope.tools)) and (
        _WRITERS.issuperset(names) and all(tool.tool or is_gated or tool.glob for tool in scope.tools)
    )


def _is_about_all_of_file(root: Node) -> bool:
    """Returns whether a pattern describes the start of a file, or a whole file, such as one of blanks."""
    start = (find_witness(root) or "").lstrip(" \t\r\n").lower()
    if start:
        return start.startswith(FILE_STARTS)
    last = root.items[-1] if isinstance(root, Sequence) else root
    return isinstance(last, Assertion) and last.kind is AssertionKind.INPUT_END


def _leading_anchor(root: Node) -> Assertion | None:
    """Returns the `^` at which every match begins, if characters follow it directly.

    Before a lookaround or `[\\s\\S]*`, `^` only makes the matcher try once, and `^#!` is about the first line.
    """
    node = root
    following_node: Node | None = None
    while True:
        match node:
            case Sequence(items=(first, *rest)):
                following_node = rest[0] if rest else following_node
                node = first
            case Capture() | Group():
                node = node.body
            case Assertion(kind=AssertionKind.INPUT_START):
                return node if following_node is not None and _is_text(following_node) else None
            case _:
                return None


def _is_text(node: Node) -> bool:
    match node:
        case Chars():
            return node.units.size < 0x8000 and ord("#") not in node.units
        case Repeat():
            return _is_text(node.body)
        case Capture() | Group():
            return _is_text(node.body)
        case Sequence(items=(first, *_)):
            return _is_text(first)
        case Alternation():
            return all(_is_text(branch) for branch in node.branches)
        case _:
            return False
