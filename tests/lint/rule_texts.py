"""Rule files that hypothesis makes: those that somebody wrote, with pieces put in and taken out."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.lint.case_files import CASES, read_cases
from tests.lint.demonstrations import published
from tests.lint.finding_page import parse_page
from ttsr_ls.lint.catalogue import CATALOGUE

WRITTEN = [
    *(text.text for file in sorted(CASES.glob("*.md")) for case in read_cases(file.read_text()) for text in case.texts),
    *(example.text for entry in CATALOGUE for example in (*parse_page(entry.page).bad, *parse_page(entry.page).good)),
    *(rule.text for rule in published()),
]

PIECES = [
    "---", "\n", "condition", "scope", "globs", "interruptMode", "enabled", "name", "ttsr_trigger", "conditions", ": ",
    "'", '"', "[", "]", "{", "}", "(", ")", "(?i)", "(?!", "\\b", "\\d", "\\x2e", "$", "^", "|", "*", "?", ".*", "#",
    " #", "- ", "  ", "\t", ",", "text", "tool:edit", "tool:edit(*.ts)", "prose", "never", "no", "<!--", "-->", "\r\n",
    "\u2028", "\ufeff", "\ud800", "😀", "é", "!tag ", "&a ", "*a", ">", "true", "1", "Say so.", "agents", "question",
    " # ttsr-ls: ignore[", "<!-- ttsr-ls: ignore-file[", "unknown-key", "matches-everything", "./", "*.py", "!",
]  # fmt: skip


@st.composite
def rule_texts(draw: st.DrawFn) -> str:
    """The text of a rule file, good or bad."""
    text = draw(st.sampled_from(["", *WRITTEN]))
    for _ in range(draw(st.integers(1, 6))):
        position = draw(st.integers(0, len(text)))
        gone = draw(st.integers(0, 4))
        text = text[:position] + draw(st.sampled_from(PIECES)) + text[position + gone :]
    return text
