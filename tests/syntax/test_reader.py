"""Reading whole rule files."""

import pytest

from ttsr_ls.syntax.reader import decode, read_rule
from ttsr_ls.syntax.rule_file import RuleFile

RULE = """---
condition:
  - '\\bany\\b'
scope: tool:edit(*.ts), text
interrupt-mode: never
---
Do not write `any`.
"""


def read(text: str) -> RuleFile:
    return read_rule(text, name="rule", path="rule.md")


def test_fields_have_their_spans() -> None:
    file = read(RULE)
    [condition] = file.fields.conditions
    assert condition.value == r"\bany\b"
    span = condition.source_span(2, 5)
    assert RULE[span.start : span.end] == "any"
    assert [token.text.value for token in file.fields.scope] == ["tool:edit(*.ts)", "text"]
    assert file.fields.interrupt_mode == "never"
    assert file.body.value == "Do not write `any`."


def test_a_glob_shorthand_becomes_scope_tokens() -> None:
    file = read("---\ncondition: '*.rs'\n---\nx")
    assert [condition.value for condition in file.fields.conditions] == [".*"]
    assert [token.text.value for token in file.fields.scope] == ["tool:edit(*.rs)", "tool:write(*.rs)"]


def test_invalid_yaml_is_read_line_by_line_and_keeps_quotes() -> None:
    file = read('---\ncondition: "\\d+"\nscope: text\n---\nx')
    assert file.frontmatter is not None
    assert file.frontmatter.recovered
    assert [condition.value for condition in file.fields.conditions] == ['"\\d+"']
    assert [token.text.value for token in file.fields.scope] == ["text"]


@pytest.mark.parametrize(
    ("data", "text", "invalid"),
    [
        (b"\xef\xbb\xbf---", "---", None),
        (b"\xef\xbb\xbf\xef\xbb\xbf---", "\ufeff---", None),
        (b"caf\xc3\xa9", "café", None),
        (b"caf\xe9!", "caf\ufffd!", (3, 4)),
        (b"\xef\xbb\xbfcaf\xe9", "caf\ufffd", (3, 4)),
        (b"\xf0\x9f\x98", "\ufffd", (0, 1)),
        (b"\xff\xfe-\x00-\x00", "--", None),
    ],
)
def test_bytes_are_decoded_as_by_the_agent(data: bytes, text: str, invalid: tuple[int, int] | None) -> None:
    decoded, problems = decode(data)
    assert decoded == text
    assert [(problem.code, (problem.span.start, problem.span.end)) for problem in problems] == (
        [] if invalid is None else [("invalid-utf8", invalid)]
    )
