"""Which documents are rule files, and which Markdown is left alone."""

from __future__ import annotations

import pytest

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.rule_detection import is_rule_document
from ttsr_ls.syntax.dialects.file_roles import rule_name_of

RULE = "---\ncondition: x\n---\nno\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/p/.omp/rules/a.md", "no frontmatter yet"),
        ("/p/.omp/rules/a.mdc", ""),
        ("/p/.agent/rules/a.md", ""),
        ("/p/.agents/rules/a.md", ""),
        ("/home/me/.omp/agent/rules/a.md", ""),
        ("/p/.omp/rules/a.MD", ""),
        ("/p/.pi/rules/a.md", ""),
        ("/p/.cursor/rules/web/a.mdc", ""),
        ("/p/.claude/rules/a.md", ""),
        ("/p/.claude/hookify.a.local.md", ""),
        ("/p/.github/instructions/a.instructions.md", ""),
        ("/p/.github/instructions/copilot-instructions.md", "# How to write code"),
        ("/p/rules/a.md", RULE),
        ("/p/notes/draft.md", "---\nname: x\nttsr-trigger: a\n"),
        ("/p/a.md", "---\r\nquestion : does it?\r\n---\r\n"),
        ("/p/a.md", "\ufeff---\nastCondition: a\n---\n"),
        ("/p/a.mdc", "\n---\nast-condition:\n  - a\n"),
        ("Untitled-1", RULE),
    ],
)
def test_a_file_that_a_program_loads_or_that_has_a_key_of_rules_is_a_rule(path: str, text: str) -> None:
    assert is_rule_document(Document.of("file:///x", path, 1, text))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/p/README.md", "# Hello\n\ncondition: x\n"),
        ("/p/README.md", "---\ntitle: x\n---\ncondition: x\n"),
        ("/p/post.md", "---\npreconditions: x\nmy_condition: x\n---\n"),
        ("/p/.omp/rules/deep/a.md", ""),
        ("/p/.omp/rules/a.txt", RULE),
        ("/p/.claude/CLAUDE.md", "Be kind."),
        ("/p/.github/copilot-instructions.md", ""),
        ("/p/rules/a.md", "---\ndescription: x\n---\n"),
        ("/p/workflow.yaml", RULE),
        ("Untitled-1", "hello"),
        ("", ""),
    ],
)
def test_other_files_are_no_rules(path: str, text: str) -> None:
    assert not is_rule_document(Document.of("file:///x", path, 1, text))


@pytest.mark.parametrize(
    ("path", "is_rule"), [("/p/team/a.md", True), ("/p/team/b/a.md", False), ("/p/team/a.txt", False)]
)
def test_a_markdown_file_in_a_configured_rule_folder_is_a_rule(path: str, is_rule: bool) -> None:
    document = Document.of("file:///x", path, 1, "Be kind.")
    assert is_rule_document(document, {"/p/team"}) is is_rule


@pytest.mark.parametrize(
    ("path", "name"),
    [("/p/a.md", "a"), ("/p/a.b.mdc", "a.b"), ("/p/.md", ".md"), ("/p/a.txt", "a.txt"), ("Untitled-1", "Untitled-1")],
)
def test_a_rule_is_named_after_its_file(path: str, name: str) -> None:
    assert rule_name_of(path) == name
