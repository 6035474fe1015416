"""Reading documents: requests about the same version share the result."""

from __future__ import annotations

from ttsr_ls.ide.analysis import analyse, read_document
from ttsr_ls.ide.documents import Document
from ttsr_ls.lint.context import LintContext

PATH = "/home/me/shop/.omp/rules/a.md"
RULE = "---\ncondition: word\n---\nDo not.\n"


def document(version: int, text: str = RULE) -> Document:
    return Document.of(f"file://{PATH}", PATH, version, text)


def test_a_version_of_a_document_is_read_once() -> None:
    first = document(1)
    file = read_document(first)
    assert read_document(first) is file
    assert analyse(first, LintContext()).file is file


def test_each_version_of_a_document_is_read() -> None:
    assert read_document(document(2, RULE.replace("word", "other"))).fields.conditions[0].value == "other"
    assert read_document(document(3)).fields.conditions[0].value == "word"
    assert read_document(document(3)) is not read_document(document(3))
