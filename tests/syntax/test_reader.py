"""Reading whole rule files."""

from ttsr_ls.syntax.reader import read_rule

RULE = """---
condition:
  - '\\bany\\b'
scope: tool:edit(*.ts), text
interrupt-mode: never
---
Do not write `any`.
"""


def read(text: str):
    return read_rule(text, name="rule", path="rule.md")


def test_fields_know_their_places():
    file = read(RULE)
    [condition] = file.fields.conditions
    assert condition.value == r"\bany\b"
    span = condition.source_span(2, 5)
    assert RULE[span.start : span.end] == "any"
    assert [token.text.value for token in file.fields.scope] == ["tool:edit(*.ts)", "text"]
    assert file.fields.interrupt_mode == "never"
    assert file.body.value == "Do not write `any`."


def test_a_glob_shorthand_becomes_scope():
    file = read("---\ncondition: '*.rs'\n---\nx")
    assert [condition.value for condition in file.fields.conditions] == [".*"]
    assert [token.text.value for token in file.fields.scope] == ["tool:edit(*.rs)", "tool:write(*.rs)"]


def test_broken_yaml_is_read_line_by_line_with_its_quotes():
    file = read('---\ncondition: "\\d+"\nscope: text\n---\nx')
    assert file.frontmatter is not None
    assert file.frontmatter.recovered
    assert [condition.value for condition in file.fields.conditions] == ['"\\d+"']
    assert [token.text.value for token in file.fields.scope] == ["text"]
