"""The messages and offsets of YAML errors."""

from __future__ import annotations

import pytest

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.text import Span


def error_of(text: str) -> YamlError:
    with pytest.raises(YamlError) as caught:
        parse_yaml(MappedText.verbatim(text, Span(0, len(text))))
    return caught.value


# `^` marks the character at the offset of the error.
@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ('a: "x^\\d"', "`\\d` is not an escape that YAML knows"),
        ('a: "^\\x4g"', "the escape needs 2 hexadecimal digits"),
        ('a: "^\\uD83D"', "the escape is not a character"),
        ('a: ^"x', "the quote is not closed"),
        ("a: ^'x", "the quote is not closed"),
        ("a: 'x\n^y'", "a quoted text must be indented on its further lines"),
        ('a: "x" ^y', "something follows the end of the value"),
        ("a: b^: c", "a value with `: ` in it needs quotes"),
        ("a: b\n^ c: d", "an indented line goes on with the value before it, which lacks quotes"),
        ("a: ^- b", "`-` cannot begin a value on this line"),
        ("a: ^@b", "a value cannot begin with `@`"),
        ("a: ^`b", "a value cannot begin with a backtick"),
        ("a: ^*b", "a value that begins with `*` is an alias, and no `&b` stands before it"),
        ("a: &b [^*b]", "`&b` would contain itself"),
        ("a: ^* b", "`*` needs a name directly after it"),
        ("a: &b ^&c d", "a value has two anchors"),
        ("a: !b ^!c d", "a value has two tags"),
        ("a: ^!b!c d", "the tag handle `!b!` is not declared"),
        ("a: ^[[b]", "a bracket is not closed"),
        ("a: [b,^, c]", "`,` stands where a value is expected"),
        ("a: ['b' ^'c']", "`,` or `]` is missing"),
        ("a: [b,\n^c]", "the lines of a list in brackets must be indented"),
        ("a: 1\n^b", "`key: value` is expected here"),
        ("a:\n  b: 1\n ^c: 2", "the line is indented deeper than the entries before it"),
        ("a: ^|x", "only `+`, `-`, one digit and a comment can follow the sign of a block scalar"),
        ("a: |\n   \n^  b", "an empty line of the block scalar is indented deeper than its text"),
        ("^a\nb: c", "a key must stand on one line"),
        ("%YAML 1.2\n^a: b", "`---` must follow a directive"),
        ("a: b\n... ^c", "something follows the end of the document"),
        ("-^\ta: b", "a tab cannot be used for indentation"),
        ("a: ^\0", "the character U+0000 cannot be in YAML"),
    ],
)
def test_a_yaml_error_has_a_message_and_an_offset(marked: str, message: str) -> None:
    error = error_of(marked.replace("^", "", 1))
    assert (str(error), error.offset) == (message, marked.index("^"))
