"""Every quick fix that the editor offers is a fix of the command and the reverse, for each bad example of the pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli.command import ttsr_ls
from tests.lint.finding_page import parse_page
from ttsr_ls.ide.actions.quick_fixes import quick_fixes
from ttsr_ls.ide.analysis import analyse
from ttsr_ls.ide.documents import Document
from ttsr_ls.isolation.pattern_shapes import PatternShapeCache
from ttsr_ls.lint.catalogue import CATALOGUE
from ttsr_ls.store.discovery.lint_contexts import LintContexts
from ttsr_ls.text import LineIndex, Span

RULES = [
    (entry.code, example)
    for entry in CATALOGUE
    for example in parse_page(entry.page).bad
    if example.path.endswith((".md", ".mdc"))
]


@pytest.fixture(scope="module")
def patterns() -> Iterator[PatternShapeCache]:
    """The process by which the language server checks AST patterns."""
    checked = PatternShapeCache()
    yield checked
    checked.close()


@pytest.mark.parametrize(("code", "example"), RULES, ids=[f"{code} {example.path}" for code, example in RULES])
def test_actions_are_fixes(
    code: str, example: object, project: Path, capsys: pytest.CaptureFixture[str], patterns: PatternShapeCache
) -> None:
    path = project / example.path  # type: ignore[attr-defined]
    path.parent.mkdir(parents=True, exist_ok=True)
    text: str = example.text  # type: ignore[attr-defined]
    path.write_text(text)
    reported = json.loads(ttsr_ls(capsys, "check", str(path), "--format", "json").out)
    fixes = {
        (finding["code"], fix["title"], fix["safety"], json.dumps(fix["edits"], sort_keys=True))
        for finding in reported
        for fix in finding["fixes"]
    }
    document = Document.of(path.as_uri(), str(path), 1, text)
    context = replace(LintContexts().without_config(path), patterns=patterns)
    actions = quick_fixes(analyse(document, context), Span(0, len(text)))
    lines = LineIndex(text)
    offered = {
        (action.finding.code, action.fix.title, str(action.fix.safety), json.dumps(
            [{"newText": edit.text, "range": _range(lines, edit.span)} for edit in action.fix.edits], sort_keys=True
        ))
        for action in actions
    }  # fmt: skip
    assert offered == fixes


def test_the_cases_include_fixes() -> None:
    assert len(RULES) > 60


def _range(lines: LineIndex, span: Span) -> dict[str, dict[str, int]]:
    start, end = (lines.position(offset) for offset in (span.start, span.end))
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }
