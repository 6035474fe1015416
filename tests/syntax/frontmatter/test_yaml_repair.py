"""The repair of lines that are not YAML."""

from __future__ import annotations

import pytest

from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile


def read(text: str) -> RuleFile:
    return read_rule(text, name="rule", path="rule.md")


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ("condition: *.rs", "condition: '*.rs'"),
        ("condition: [a-z]+", "condition: '[a-z]+'"),
        ("condition: {2,}x", "condition: '{2,}x'"),
        ("condition: @foo", "condition: '@foo'"),
        ("condition: %d it's", "condition: '%d it''s'"),
        ("condition: |foo", "condition: '|foo'"),
        ("condition: ? foo", "condition: '? foo'"),
        ("condition: foo: bar\nscope: *", "condition: foo: bar\nscope: '*'"),
        ("condition:\n  - *.rs\n  - foo", "condition:\n  - '*.rs'\n  - foo"),
        ("condition: 'it's'", "condition: 'it''s'"),
        ("scope: \"text\",'thinking'", "scope: [\"text\",'thinking']"),
        ("scope: [text, thinking", "scope: [text, thinking]"),
        ("globs: [*.ts, 'src/**', *.{a,b}]", "globs: ['*.ts', 'src/**', '*.{a,b}']"),
        ("scope: [text,, thinking]", "scope: ['text', 'thinking']"),
        ("globs: **/*.ts   # only TS", "globs: '**/*.ts'   # only TS"),
        ("globs: *.ts #x", "globs: '*.ts' #x"),
        ("globs: [*.ts] # x", "globs: ['*.ts'] # x"),
        ("condition:\n  - @foo # x", "condition:\n  - '@foo' # x"),
        ("condition: [a-z]+foo # c", "condition: '[a-z]+foo' # c"),
        ("condition: [a-z]+ #\\d", "condition: '[a-z]+ #\\d'"),
        ("description: *See* # 2", "description: '*See* # 2'"),
        ("condition:'foo'", "condition: 'foo'"),
        ("condition:foo", "condition: foo"),
    ],
)
def test_a_repairable_line_has_a_replacement(line: str, fixed: str) -> None:
    file = read(f"---\nagents: main\n{line}\n---\nBody")
    [problem] = [problem for problem in file.problems if problem.code == "yaml-degraded"]
    assert problem.replacement is not None
    text = file.text[: problem.span.start] + problem.replacement + file.text[problem.span.end :]
    assert text == f"---\nagents: main\n{fixed}\n---\nBody"
    assert "yaml-degraded" not in {problem.code for problem in read(text).problems}


def test_several_broken_lines_are_repaired_one_after_the_other() -> None:
    text = "---\ncondition: [a-z]+x\nscope: *\nglobs: [b]+\n---\nBody"
    for _ in range(3):
        file = read(text)
        [problem] = [problem for problem in file.problems if problem.code == "yaml-degraded"]
        assert problem.replacement is not None
        text = text[: problem.span.start] + problem.replacement + text[problem.span.end :]
    assert text == "---\ncondition: '[a-z]+x'\nscope: '*'\nglobs: '[b]+'\n---\nBody"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("condition: 'foo", "condition: 'foo'"),
        ('description: "Say it', 'description: "Say it"'),
        (r'condition: "\bfoo', r"condition: '\bfoo'"),
        ("condition: ['a', 'b", "condition: ['a', 'b']"),
    ],
)
def test_an_unclosed_quote_is_closed_on_its_line(line: str, expected: str) -> None:
    file = read(f"---\nagents: main\n{line}\nscope: text\n---\nBody")
    (problem,) = [problem for problem in file.problems if problem.code == "yaml-degraded"]
    assert file.text[problem.span.start : problem.span.end] == line.partition(": ")[2]
    assert problem.replacement == expected.partition(": ")[2]
    assert "the quote is not closed" in problem.message


@pytest.mark.parametrize(
    "lines",
    [
        "condition: - foo",
        "condition: {a: b",
        'condition: "foo" bar',
        "condition: foo\nbar",
        "condition: foo\n scope: text",
        "condition: &a b: c",
        "scope: [text,\nthinking]",
        "condition: [*.rs\nscope: [text",
        "globs: ['a # b', *.ts]",
        "condition: [^']+ # c",
    ],
)
def test_uncertain_lines_have_no_replacement(lines: str) -> None:
    file = read(f"---\nagents: main\n{lines}\n---\nBody")
    [problem] = [problem for problem in file.problems if problem.code == "yaml-degraded"]
    assert problem.replacement is None
    assert problem.span.start < problem.span.end


@pytest.mark.parametrize("quote", ["'", '"'])
@pytest.mark.parametrize(
    "following",
    [
        "# a comment",
        "\n# a comment",
        "  # a comment that doesn{quote}t help",
        "  # two of them: {quote}x{quote}, it is",
        "",
        "  - {quote}an item{quote}",
        "{quote}globs{quote}: '*.ts'",
    ],
)
@pytest.mark.parametrize("opening", ["condition: ", "condition:\n  - ", "condition:\n- "])
def test_an_unclosed_quote_is_reported_where_it_opens(opening: str, following: str, quote: str) -> None:
    for rest in ("\nscope: text", ""):
        file = read(f"---\nagents: main\n{opening}{quote}foo\n{following.format(quote=quote)}{rest}\n---\nBody")
        (problem,) = [problem for problem in file.problems if problem.code == "yaml-degraded"]
        assert "the quote is not closed" in problem.message
        assert (file.text[problem.span.start : problem.span.end], problem.replacement) == (
            f"{quote}foo",
            f"{quote}foo{quote}",
        )


def test_an_apostrophe_in_a_two_line_quote_is_not_reported_as_unclosed() -> None:
    file = read("---\ncondition: 'that\n  isn't so'\n---\nBody")
    (problem,) = [problem for problem in file.problems if problem.code == "yaml-degraded"]
    assert "not closed" not in problem.message
