"""Finds alternatives of patterns for `file_path` that no path matches: two slashes or backslashes in a row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ttsr_ls.esregex.analysis.graph.language import MAX_LENGTH, graphs_of, is_search_included
from ttsr_ls.esregex.analysis.graph.work import WorkBudget, WorkExhausted
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Alternation, Capture, Group, Node, walk
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.reporting import report
from ttsr_ls.syntax.hookify.python_pattern import PythonPatternError, mapped_to_ecmascript
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition

_SLASHES = parse("//").root
# A network path of Windows begins with two backslashes.
_BACKSLASHES = parse(r"[^\\]\\\\").root
_MAX_WORK = 100_000
_WORK_OF_UNIT = 20
_MAX_BRANCHES = 50


def check_impossible_path(condition: HookifyCondition) -> Iterator[Finding]:
    """Reports the first alternative of a condition with `regex_match` on `file_path` that never matches."""
    text = condition.pattern_text
    if text is None or len(text.value) > MAX_LENGTH or not any(part in text.value for part in ("/", "\\\\")):
        return
    try:
        source = mapped_to_ecmascript(text)
        root = parse(source.value).root
    except (PythonPatternError, RegexSyntaxError):
        return
    work = WorkBudget(_MAX_WORK)
    with suppress(WorkExhausted):
        for node in _branches(root):
            is_all = node is root
            effect = "the condition never holds" if is_all else "this alternative never matches"
            if _requires(node, _SLASHES, work):
                message = (
                    f"This requires two consecutive slashes, which no path has, so {effect}. Remove one of them: after "
                    "`folder/`, write `.*` instead of `/.*`."
                )
                code_of, severity = "hookify-never-matches", None if is_all else Severity.WARNING
            elif _requires(node, _BACKSLASHES, work):
                message = (
                    f"This requires two consecutive backslashes, which no path has after its start, so {effect}. Write "
                    "`[\\\\/]` for each separator of folders."
                )
                code_of, severity = "doubled-backslash", Severity.WARNING
            else:
                continue
            yield report(code_of, message, source.source_span(node.span.start, node.span.end), severity=severity)
            return


def _branches(root: Node) -> Iterator[Node]:
    """Yields the pattern and its alternatives."""
    yield root
    remaining = _MAX_BRANCHES
    for node in walk(root):
        if isinstance(node, Alternation):
            yield from node.branches[:remaining]
            remaining -= len(node.branches)
        if remaining <= 0:
            return


def _requires(node: Node, part: Node, work: WorkBudget) -> bool:
    """Returns whether every text that the node matches has `part` in the match."""
    body = node
    while isinstance(body, Group | Capture):
        body = body.body
    work.spend(_WORK_OF_UNIT * max(len(body.span), 1))
    graphs = graphs_of([body, part])
    return graphs is not None and bool(graphs[0].useful()) and is_search_included(graphs[0], graphs[1], work)
