"""Completion in test files of rules. `|` is the cursor."""

from __future__ import annotations

import pytest

from ttsr_ls.ide.completion.case_file import complete_case_file
from ttsr_ls.ide.completion.completion import Completion
from ttsr_ls.ide.completion.plain_snippet import snippet_as_text
from ttsr_ls.rule_tests.case import CaseKind
from ttsr_ls.rule_tests.case_file import read_case_file
from ttsr_ls.rule_tests.keys import INVALID_KEYS, VALID_KEYS
from ttsr_ls.rules.registration import register
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import LineIndex

VALID = {key.name for key in VALID_KEYS}
INVALID = {key.name for key in INVALID_KEYS}
STREAM = {"source", "tool", "path", "matching"}


def complete(marked: str, files: tuple[str, ...] = ()) -> tuple[Completion, ...]:
    before, _, after = marked.rpartition("|")
    return complete_case_file(LineIndex(before + after), len(before), lambda: files)


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
def test_completions_of_a_test_file(text: str, expected: set[str]) -> None:
    assert labels(text) == expected


def test_tools_are_offered() -> None:
    assert {"bash", "edit", "write"} <= labels("valid:\n  - tool: |")


def test_a_key_replaces_its_beginning() -> None:
    [found] = [each for each in complete("invalid:\n  - na|") if each.label == "name"]
    assert (found.text, found.span.start, found.span.end) == ("name: ", 13, 15)
    [found] = [each for each in complete("valid: [a]\ndef|", ("a.py",)) if each.label == "defaults"]
    assert (snippet_as_text(found.text), found.is_snippet) == ("defaults: {path: a.py}", True)


@pytest.mark.parametrize("text", ["invalid:\n  - {tool: ", "invalid:\n  - te", "invalid:\n  - condition: "])
def test_the_workspace_is_listed_only_for_completions_with_paths(text: str) -> None:
    def fail() -> tuple[str, ...]:
        raise AssertionError("the workspace was listed")

    complete_case_file(LineIndex(text), len(text), fail)


CONDITIONS = {"let", r"it's \d", "console.log($$$)"}


def complete_for_rule(marked: str, files: tuple[str, ...] = ()) -> tuple[str, tuple[Completion, ...]]:
    """The text without the mark, and the completions for a rule of two patterns and an AST condition."""
    source = (
        "---\ncondition: [let, 'it''s \\d']\nastCondition: console.log($$$)\nglobs: '*.ts'\n"
        "scope: tool:edit(src/**)\n---\nBody\n"
    )
    rule = register(read_rule(source, name="a", path="a.md"), "native").rule
    assert rule is not None
    before, _, after = marked.rpartition("|")
    text = before + after
    return text, complete_case_file(LineIndex(text), len(before), lambda: files, lambda: rule)


@pytest.mark.parametrize(
    "marked",
    [
        "invalid:\n  - text: x\n    condition: |",
        "invalid:\n  - condition: l|",
        "invalid:\n  - text: x\n    condition: 'ol|d # no''t'   # comment\n    line: 1\n",
        "invalid:\n  - text: x\n    condition: 'old|\n",
        'invalid:\n  - text: x\n    condition: "ol|d"\n',
        "invalid:\n  - text: x\n    condition: |old # comment\n",
        "invalid:\n  - {text: 'a, path: b', condition: |}\n",
        "invalid:\n  - {text: x, condition: 'o, }l|d', line: 1}\n",
        "invalid:\n  - {text: x, condition: ol|d, line: 1}\n",
        "invalid:\n  - {text: x, condition: 'ol|, line: 1}\n",
    ],
)
def test_a_condition_replaces_the_whole_value(marked: str) -> None:
    text, found = complete_for_rule(marked)
    assert {completion.label for completion in found} == CONDITIONS
    for completion in found:
        span = completion.span
        case = text[: span.start] + completion.text + text[span.end :]
        if "text:" not in case:
            case += "\n    text: x"
        file = read_case_file(case)
        assert file.problems == ()
        assert file.cases[0].expected.condition == completion.label
        typed = text[span.start : span.start + 1]
        assert completion.filter_text == (typed if typed in "'\"" else "") + completion.label


@pytest.mark.parametrize(
    "marked", ["invalid:\n  - text: x\n    condition: '|'\n", 'invalid:\n  - {text: x, condition: "b|c"}\n']
)
def test_a_completion_between_quotes_keeps_the_quotes(marked: str) -> None:
    """Neovim leaves what is behind the cursor, and an editor that closes quotes has a quote there."""
    text, found = complete_for_rule(marked)
    assert found
    for completion in found:
        span = completion.span
        assert text[span.start - 1] == text[span.end] in "'\""
        assert (completion.filter_text or completion.label) == completion.label
        file = read_case_file(text[: span.start] + completion.text + text[span.end :])
        assert (file.problems, file.cases[0].expected.condition) == ((), completion.label)


def test_files_to_which_the_rule_applies_come_first() -> None:
    files = ("a.ts", "b.py", "src/true", "src/x, y.ts", "src/z.ts", "yes")
    for marked in ("defaults: {path: |}", "valid:\n  - text: x\n    path: ol|d.ts\n", "defaults:\n  path: 'a|'\n"):
        text, found = complete_for_rule(marked, files)
        assert [completion.label for completion in found] == [
            "src/x, y.ts",
            "src/z.ts",
            "a.ts",
            "b.py",
            "src/true",
            "yes",
        ]
        for completion in found:
            case = text[: completion.span.start] + completion.text + text[completion.span.end :]
            file = read_case_file(case if "text:" in case else case.rstrip() + "\nvalid: [x]\n")
            assert (file.problems, file.cases[0].stream.path) == ((), completion.label)


@pytest.mark.parametrize(
    "marked",
    [
        "valid:\n  - condition: |",
        "invalid:\n  - condition: 'a' |",
        "invalid:\n  - condition: a # b|",
        "invalid:\n  - 'call({condition: |",
        "invalid:\n  - {text: 'a, condition: |'}",
        "invalid:\n  - |\n    condition: |",
    ],
)
def test_no_condition_is_offered_elsewhere(marked: str) -> None:
    assert complete_for_rule(marked)[1] == ()


def test_without_a_rule_only_files_are_offered() -> None:
    assert complete("invalid:\n  - condition: |") == ()
    assert [each.label for each in complete("valid:\n  - path: |", ("a.ts", "b.ts"))] == ["a.ts", "b.ts"]
