"""Completion in test files of rules. `|` is the cursor."""

from __future__ import annotations

import pytest

from ttsr_ls.ide.completion.case_file import complete_case_file
from ttsr_ls.ide.completion.completion import Completion
from ttsr_ls.ide.completion.plain_snippet import snippet_as_text
from ttsr_ls.rule_tests.case import CaseKind
from ttsr_ls.rule_tests.case_file import read_case_file
from ttsr_ls.rule_tests.keys import INVALID_KEYS, VALID_KEYS
from ttsr_ls.text import LineIndex

VALID = {key.name for key in VALID_KEYS}
INVALID = {key.name for key in INVALID_KEYS}
STREAM = {"source", "tool", "path", "matching"}


def complete(marked: str, files: tuple[str, ...] = ()) -> tuple[Completion, ...]:
    before, _, after = marked.rpartition("|")
    return complete_case_file(LineIndex(before + after), len(before), files)


def labels(marked: str) -> set[str]:
    return {completion.label for completion in complete(marked)}


@pytest.mark.parametrize("text", ["|", "\n|", "  |\n\n"])
def test_an_empty_file_is_offered_whole_test_files(text: str) -> None:
    found = complete(text, ("a.py", "b.py"))
    assert [completion.label.split(":")[0] for completion in found] == ["tests", "tests"]
    for completion in found:
        assert completion.is_snippet
        assert (completion.span.start, completion.span.end) == (0, len(text) - 1)
        file = read_case_file(snippet_as_text(completion.text))
        assert file.problems == ()
        assert [case.kind for case in file.cases] == [CaseKind.VALID, CaseKind.INVALID]
    assert [case.stream.path for case in file.cases] == ["a.py", "a.py"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# tests\n|", {"valid", "invalid", "defaults"}),
        ("valid:\n  - a\ninv|", {"invalid", "defaults"}),
        ("valid|:\n", {"valid", "invalid", "defaults"}),
        ("valid:\n  - |", VALID),
        ("invalid:\n  - na|", INVALID),
        ("invalid:\n- |", INVALID),
        ("valid: [a]\ninvalid:\n  - name: x\n    |", INVALID - {"name"}),
        ("invalid:\n  - text: x\n    line: 2\n    co|", INVALID - {"text", "chunks", "line"}),
        ("invalid:\n  - text: x\n    line: 2\n  - |", INVALID),
        ("invalid:\n  - text: |\n      let a\n    |", INVALID - {"text", "chunks"}),
        ("invalid:\n  - {name: a, |", INVALID - {"name"}),
        ("invalid:\n  - {|}", INVALID),
        ("defaults: {|", STREAM),
        ("defaults: {path: a.ts, s|}", STREAM - {"path"}),
        ("defaults:\n  |", STREAM),
        ("defaults:\n  path: a.ts\n  |", STREAM - {"path"}),
        ("invalid:\n  - source: t|", {"text", "thinking", "tool"}),
        ("invalid:\n  - {source: |", {"text", "thinking", "tool"}),
        ("defaults: {matching: |}", {"stable", "reference"}),
        # Where a person writes a text, nothing is in the way.
        ("valid:\n  - text: |", set()),
        ("valid:\n  - 'a |", set()),
        ("valid:\n  - 'call({|", set()),
        ("valid:\n  - text: |\n      |", set()),
        ("valid:\n  - text: >-\n      a\n\n      b|", set()),
        ("valid:\n  - |\n    |", set()),
        ("defaults:\n  - |", set()),
        ("other:\n  - |", set()),
        ("valid: |", set()),
        ("invalid:\n  - line: |", set()),
        (f"valid:\n  - {'x' * 3000}|", set()),
    ],
)
def test_what_is_offered(text: str, expected: set[str]) -> None:
    assert labels(text) == expected


def test_tools_are_offered() -> None:
    assert {"bash", "edit", "write"} <= labels("valid:\n  - tool: |")


def test_a_key_replaces_its_beginning() -> None:
    [found] = [each for each in complete("invalid:\n  - na|") if each.label == "name"]
    assert (found.text, found.span.start, found.span.end) == ("name: ", 13, 15)
    [found] = [each for each in complete("valid: [a]\ndef|", ("a.py",)) if each.label == "defaults"]
    assert (snippet_as_text(found.text), found.is_snippet) == ("defaults: {path: a.py}", True)
