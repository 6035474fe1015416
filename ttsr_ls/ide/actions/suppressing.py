"""Edits that suppress a finding: by a comment above it, or in the configuration for a whole project."""

from __future__ import annotations

import re

from ttsr_ls.ide.analysis import Analysis
from ttsr_ls.lint.finding import Edit, Finding
from ttsr_ls.lint.fixes.fixed_file import apply_edits
from ttsr_ls.text import Span

_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)
_PYPROJECT_TABLE = re.compile(r"^[ \t]*\[tool\.ttsr-ls\][ \t]*(?:#[^\n]*)?(?:\r?\n|\Z)", re.MULTILINE)
_IGNORE = re.compile(r"^[ \t]*ignore[ \t]*=[ \t]*\[[ \t]*", re.MULTILINE)


def suppression_edit(analysis: Analysis, finding: Finding) -> Edit | None:
    """Returns the edit that adds a comment to suppress a finding; None if no comment suppresses only that."""
    for start in _line_starts(analysis, finding):
        text = analysis.document.text
        indent = re.compile(r"[ \t]*").match(text, start)
        comment = (
            f"# ttsr-ls: ignore[{finding.code}]"
            if _is_in_frontmatter(analysis, start)
            else (f"<!-- ttsr-ls: ignore[{finding.code}] -->")
        )
        edit = Edit(Span(start, start), f"{'' if indent is None else indent[0]}{comment}\n")
        # The comment may become part of a value, and a finding may span several lines: so the result is checked.
        if _silences(analysis, finding, edit):
            return edit
    return None


def ignore_code_edit(text: str, code: str, *, is_pyproject: bool) -> Edit | None:
    """Returns the edit that makes a configuration ignore a code; None for a `pyproject.toml` without a table of this
    program.
    """
    start, end = 0, len(text)
    if is_pyproject:
        table = _PYPROJECT_TABLE.search(text)
        if table is None:
            return None
        start = table.end()
    match = _TABLE.search(text, start)
    end = end if match is None else match.start()
    listed_match = _IGNORE.search(text, start, end)
    if listed_match is not None:
        is_empty = text.startswith("]", listed_match.end())
        return Edit(Span(listed_match.end(), listed_match.end()), f'"{code}"' if is_empty else f'"{code}", ')
    line_end = "" if start == 0 or text[start - 1] == "\n" else "\n"
    return Edit(Span(start, start), f'{line_end}ignore = ["{code}"]\n')


def _line_starts(analysis: Analysis, finding: Finding) -> list[int]:
    """The starts of the lines above which a comment can be added: the line of the finding, and that of its key."""
    index = analysis.document.index
    lines = [index.position(finding.span.start).line]
    frontmatter = analysis.file.frontmatter
    for entry in () if frontmatter is None else frontmatter.entries:
        if entry.key_span.start <= finding.span.start <= entry.value.span.end:
            lines.append(index.position(entry.key_span.start).line)
    return [index.line_span(line).start for line in dict.fromkeys(lines) if line > 0]


def _is_in_frontmatter(analysis: Analysis, offset: int) -> bool:
    frontmatter = analysis.file.frontmatter
    return frontmatter is not None and offset <= frontmatter.content_span.end


def _silences(analysis: Analysis, finding: Finding, edit: Edit) -> bool:
    before = [finding.code for finding in analysis.findings]
    after = [finding.code for finding in analysis.check(apply_edits(analysis.document.text, (edit,)))]
    before.remove(finding.code)
    return sorted(after) == sorted(before)
