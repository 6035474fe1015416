"""Checking any file of another dialect raises nothing, and all spans lie inside the file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.lint.case_files import CASES, findings_of, read_cases
from tests.property_examples import examples
from ttsr_ls.lint.catalogue import find

PATHS = [
    ".pi/rules/r.md", ".maestro/rules/r.md", ".claude/hookify.r.local.md", ".cursor/rules/r.mdc",
    ".windsurf/rules/r.md", ".clinerules/r.md", ".github/instructions/r.instructions.md", ".claude/rules/r.md",
    ".omp/rules/r.md", "r.md",
]  # fmt: skip
CASE_TEXTS = [text.text for case in read_cases((CASES / "dialects.md").read_text()) for text in case.texts]
PIECES = [
    "---", "\n", "\r\n", "trigger", "flags", "scope", "maxFirings", "cooldown", "event", "pattern", "conditions",
    "globs", "paths", "applyTo", "alwaysApply", "condition", ": ", "'", '"', "[", "]", "{", "}", "(?i)", "\\n", "(",
    "|", "*", ",", "- ", "  ", "\t", "#", "g", "y", "u", "\\p{L}", "0", "-1", ".nan", "true", "null", "bash", "line",
    "always_on", "glob", "<!--", "-->", "\ufeff", "\ud800", "😀", "&a ", "*a", "!t ",
]  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(["", *CASE_TEXTS]))
    for _ in range(draw(st.integers(1, 6))):
        position = draw(st.integers(0, len(text)))
        text = text[:position] + draw(st.sampled_from(PIECES)) + text[position + draw(st.integers(0, 4)) :]
    return text


@given(st.sampled_from(PATHS), texts())
@examples(300)
def test_any_text_is_checked_and_every_span_lies_inside_it(path: str, text: str) -> None:
    (findings,) = findings_of([(path, text)])
    for finding in findings:
        assert find(finding.code) is not None
        assert finding.message.endswith((".", "?"))
        places = [finding.span, *(edit.span for fix in finding.fixes for edit in fix.edits)]
        places += [related.span for related in finding.related if related.path is None]
        assert all(0 <= place.start <= place.end <= len(text) for place in places)
