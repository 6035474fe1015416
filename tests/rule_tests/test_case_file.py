"""Reading a test file: its cases, the spans of its problems, and hostile texts."""

from __future__ import annotations

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.processor_time import processor_time_below
from ttsr_ls.rule_tests.case import CaseExpectation, CaseFix, CaseKind, StreamSpec
from ttsr_ls.rule_tests.case_file import read_case_file
from ttsr_ls.rule_tests.case_file_names import is_case_file, rule_stem
from ttsr_ls.rule_tests.case_fixes import remove_entry
from ttsr_ls.rule_tests.schema import case_file_schema
from ttsr_ls.rule_tests.yaml_document import YamlList, YamlMap, read_yaml
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source

WHOLE = """\
# Tests of a rule.
defaults: {path: cart.ts}
valid:
  - 'let a: number;'
  - {name: not TypeScript, path: notes.md, text: 'let a: any;'}
  - {source: text, text: It is any.}
invalid:
  - text: |
      let b;
      let a: any;
    condition: ': any'
    offset: 19
    line: 2
  - chunks: ['let a: a', 'ny;']
    tool: write
    matching: reference
"""


def test_every_key_is_read() -> None:
    file = read_case_file(WHOLE)
    assert file.problems == ()
    first, second, third, fourth, fifth = file.cases
    assert (first.kind, first.number, first.text) == (CaseKind.VALID, 1, "let a: number;")
    assert first.stream == StreamSpec(Source.TOOL, None, "cart.ts")
    assert (second.label, second.stream.path) == ("valid 2: not TypeScript", "notes.md")
    assert third.stream == StreamSpec(Source.TEXT)
    assert (fourth.kind, fourth.number, fourth.text) == (CaseKind.INVALID, 1, "let b;\nlet a: any;\n")
    assert fourth.expected == CaseExpectation(": any", 19, 2)
    assert WHOLE[fourth.expected_spans["offset"].start : fourth.expected_spans["offset"].end] == "19"
    assert fifth.deltas == ("let a: a", "ny;")
    assert fifth.stream == StreamSpec(Source.TOOL, "write", "cart.ts", Matching.REFERENCE)
    assert WHOLE[fifth.span.start : fifth.span.end] == "chunks"


def test_the_schema_accepts_what_the_reader_accepts() -> None:
    schema = case_file_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(yaml.safe_load(WHOLE), schema)


WRONG = [
    ("", "has the keys `valid` and `invalid`", ""),
    ("- a", "has the keys `valid` and `invalid`", "- a"),
    ("valid: []", "There are no cases", None),
    ("vlaid: [a]\ninvalid: [b]", "no key `vlaid` here. Is `valid` meant?", "vlaid"),
    ("valid: [a]\nvalid: [b]", "`valid` is given twice", "valid"),
    ("valid: a", "`valid` is a list of cases", "a"),
    ("valid: [[a]]", "A case is a text, or has keys", "[a]"),
    ("valid: [{name: x}]", "either `text` or `chunks`", None),
    ("valid: [{text: x, chunks: [y]}]", "either `text` or `chunks`", None),
    ("valid: [{text: x, snippet: y}]", "no key `snippet` here. There are `text`", "snippet"),
    ("valid: [{text: x, line: 1}]", "no key `line` here", "line"),
    ("valid: [yes]", "`text` takes a text. Put the value in quotes.", "yes"),
    ("valid: [{text: 12}]", "`text` takes a text. Put the value in quotes.", "12"),
    ("valid: [{text: x, source: tol}]", "`source` is one of `text`, `thinking`, `tool`", "tol"),
    ("valid: [{text: x, source: text, path: a.ts}]", "Text and thinking have no tool and no path", "a.ts"),
    ("invalid: [{text: x, line: one}]", "`line` takes a whole number", "one"),
    ("invalid: [{text: x, offset: -1}]", "`offset` takes a whole number", "-1"),
    ("valid: [{chunks: x}]", "`chunks` is a list of texts", "x"),
    ("valid: [{chunks: [1]}]", "`chunks` takes a text", "1"),
    ("defaults: 1\nvalid: [a]", "`defaults` has keys of its own", "1"),
    ("defaults: {text: x}\nvalid: [a]", "no key `text` here", "text"),
    ("valid: [&a x, *a]", "no aliases", "*a"),
    ("valid: [!!python/object:os.system x]", "no tags", None),
    ("valid: [a]\n---\nvalid: [b]", "one YAML document", "---"),
    ("valid: [a", "not valid YAML", None),
    ("valid:\n\t- a", "not valid YAML", "\t"),
    ("valid: ['\x1b']", "a character that YAML does not allow", None),
    ("valid: ['\ud800']", "a character that YAML does not allow", None),
    ("? [a]\n: b", "A key is one word", "[a]"),
]


@pytest.mark.parametrize(("text", "message", "marked"), WRONG)
def test_problems_of_a_test_file_have_message_and_span(text: str, message: str, marked: str | None) -> None:
    problems = read_case_file(text).problems
    assert problems
    assert message in problems[0].message
    if marked is not None:
        assert text[problems[0].span.start : problems[0].span.end].strip("\n ") == marked.strip("\n ")


FIXED = [
    ("vlaid: [a]\n", "Write valid", "valid: [a]\n"),
    ("valid: [a]\nvalid: [b]", "Remove the key valid", "valid: [a]\n"),
    ("valid: [a]\nwibble:\n  x: y\ninvalid: [b]\n", "Remove the key wibble", "valid: [a]\ninvalid: [b]\n"),
    ("valid:\n  - wibble: 1\n    text: a\n", "Remove the key wibble", "valid:\n  - text: a\n"),
    ("valid:\r\n- text: a\r\n  wibble: 1\r\n- b", "Remove the key wibble", "valid:\r\n- text: a\r\n- b"),
    ("valid:\n- text: a\n  wibble: |\n    x\n\n- b\n", "Remove the key wibble", "valid:\n- text: a\n- b\n"),
    ("valid:\n- text: |\n    x\n  wibble: 1", "Remove the key wibble", "valid:\n- text: |\n    x\n"),
    ("valid: [{wibble: 1, text: a}]", "Remove the key wibble", "valid: [{text: a}]"),
    ("valid: [{text: a, wibble: 1}, b]", "Remove the key wibble", "valid: [{text: a}, b]"),
    ("valid: [{text: a, line: 1}]", "Remove the key line", "valid: [{text: a}]"),
    ("valid: [yes]", "Write 'yes'", "valid: ['yes']"),
    ("valid: [{text: x, source: tol}]", "Write tool", "valid: [{text: x, source: tool}]"),
    ("invalid: [{text: x, line: '12'}]", "Write 12", "invalid: [{text: x, line: 12}]"),
    ("valid: [!text x]", "Remove the tag", "valid: [x]"),
    ("valid: print(1)\n", "Write it as a list", "valid:\n  - print(1)\n"),
    ("valid: {text: a}\ninvalid: [b]", "Write it as a list", "valid:\n  - {text: a}\ninvalid: [b]"),
    ("valid:\n  text: |\n    a\n\n  path: x", "Write it as a list", "valid:\n  - text: |\n      a\n\n    path: x"),
]


@pytest.mark.parametrize(("text", "title", "fixed"), FIXED)
def test_a_problem_with_a_mechanical_correction_has_a_fix(text: str, title: str, fixed: str) -> None:
    (problem,) = read_case_file(text).problems
    assert problem.fix is not None
    assert problem.fix.title == title
    assert apply(text, problem.fix) == fixed
    assert read_case_file(fixed).problems == ()


NOT_FIXED = [
    "valid:\n  - wibble: 1\n",
    "valid:\n  - text: a\n    # Why.\n    wibble: 1 # Why.\n",
    "valid:\n  - ? wibble\n    : 1\n    ? text\n    : a\n",
    "valid:\n  print(1)\n  print(2)\n",
    "valid: |\n  print(1)\n",
    "invalid: [{text: x, line: |\n  12\n}]",
]


@pytest.mark.parametrize("text", NOT_FIXED)
def test_a_problem_without_a_certain_correction_has_no_fix(text: str) -> None:
    problems = read_case_file(text).problems
    assert problems
    assert not [problem.fix for problem in problems if problem.fix is not None]


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]) | st.just("\n"), min_size=1)


@given(
    st.dictionaries(TEXTS, TEXTS | st.lists(TEXTS), min_size=1), TEXTS, st.data(), st.sampled_from([True, False, None])
)
def test_the_removal_of_a_key_keeps_all_other_entries(
    others: dict[str, object], name: str, data: st.DataObject, is_flow: bool | None
) -> None:
    entries = [(key, value) for key, value in others.items() if key != name]
    index = data.draw(st.integers(0, len(entries)))
    entries.insert(index, (name, data.draw(TEXTS)))
    text = yaml.dump({"cases": [dict(entries)]}, default_flow_style=is_flow, sort_keys=False, allow_unicode=True)
    document = read_yaml(text).value
    assert isinstance(document, YamlMap)
    (cases,) = [value for _, value in document.entries]
    assert isinstance(cases, YamlList)
    (case,) = cases.items
    assert isinstance(case, YamlMap)
    fix = remove_entry(text, case, index)
    if fix is not None:
        assert yaml.safe_load(apply(text, fix)) == {"cases": [{key: value for key, value in entries if key != name}]}


def apply(text: str, fix: CaseFix) -> str:
    for replacement in reversed(fix.replacements):
        text = text[: replacement.span.start] + replacement.text + text[replacement.span.end :]
    return text


# A schema cannot express that keys are repeated, are aliases, or contradict each other.
BEYOND_A_SCHEMA = {
    "valid: []",
    "valid: [a]\nvalid: [b]",
    "valid: [&a x, *a]",
    "valid: [{text: x, source: text, path: a.ts}]",
}


@pytest.mark.parametrize("text", [text for text, _, _ in WRONG if text.isprintable() or "\n" in text])
def test_the_schema_refuses_what_the_reader_refuses(text: str) -> None:
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        return
    assert jsonschema.Draft7Validator(case_file_schema()).is_valid(value) is (text in BEYOND_A_SCHEMA)


def test_the_good_cases_of_a_file_with_a_wrong_one_are_kept() -> None:
    file = read_case_file("valid: [a, {text: [b]}, c]\n")
    assert [(case.number, case.text) for case in file.cases] == [(1, "a"), (3, "c")]
    assert len(file.problems) == 1


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x]\nb: &b [*a,*a]\nc: [*b,*b]\n",
        "[" * 100_000,
        "valid:\n" + " - {text: x}\n" * 100_000,
        "valid: [" + "x," * 400_000 + "]",
        "- " * 50_000,
        "valid: ['" + "x" * 10_000_000 + "']",
        "{a: " * 20_000,
        "valid: [" + "&a x, " * 50_000 + "]",
        "?" * 100_000,
        "! " * 50_000,
    ],
)
def test_hostile_texts_are_refused_in_bounded_time(text: str) -> None:
    with processor_time_below(5.0):
        file = read_case_file(text)
    assert len(file.problems) >= 1
    for problem in file.problems[:10]:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)


@given(st.text(alphabet="valid: invalid[]{}-\n'\"texchunks,&*!|>#%@\t\r\x00é😀\ud800\u2028", max_size=80))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    file = read_case_file(text)
    assert all(0 <= problem.span.start <= problem.span.end <= len(text) for problem in file.problems)


def test_is_case_file_recognises_test_files_by_name() -> None:
    assert is_case_file("a/no-any.test.yml")
    assert is_case_file("no-any.test.yaml")
    assert not is_case_file("test.yml")
    assert rule_stem("a/no-any.test.yml") == "a/no-any"


@pytest.mark.parametrize(
    "text",
    [
        "invalids:\n  - nothing\n",
        "invalid:\n  - txt: nothing\n",
        "invalid:\n  - text: nothing\n    line: x\n",
        "invalid:\n  - text: nothing\n    name: [x]\n",
        "invalid:\n  - text: nothing\n    nosuch: 1\n",
    ],
)
def test_a_mistake_hides_no_case(text: str) -> None:
    file = read_case_file(text)
    assert [(case.kind, case.text) for case in file.cases] == [(CaseKind.INVALID, "nothing")]
    assert len(file.problems) == 1


def test_a_misspelt_key_is_read_as_the_nearest_key_unless_that_is_given() -> None:
    (case,) = read_case_file("valid:\n  - {text: a, pth: a.ts}\n").cases
    assert case.stream.path == "a.ts"
    (case,) = read_case_file("valid:\n  - {pth: b.ts, text: a, path: a.ts}\n").cases
    assert case.stream.path == "a.ts"
