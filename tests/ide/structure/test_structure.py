"""The outline, folds and selections of rule files, and the rules that they name."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.lint.rule_texts import rule_texts
from ttsr_ls.ide.structure.folds import FoldingRange, folding_ranges
from ttsr_ls.ide.structure.rule_links import rule_links
from ttsr_ls.ide.structure.selections import selection_ranges
from ttsr_ls.ide.structure.symbols import document_symbols
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import LineIndex, Span

TEXT = """\
---
condition:
  - 'a(?:b|cd+)'
  - x
scope: text
---

Say so. See rule://no-log.

# Why

```ts
a
```
"""
FILE = read_rule(TEXT, name="a", path="a.md")


def test_the_outline_has_keys_items_and_headings() -> None:
    found = [
        (symbol.name, symbol.detail, [child.name for child in symbol.children]) for symbol in document_symbols(FILE)
    ]
    assert found == [
        ("condition", "", ["a(?:b|cd+)", "x"]),
        ("scope", "text", []),
        ("body", "Say so. See rule://no-log.", ["Why"]),
    ]


def test_the_frontmatter_its_lists_and_blocks_of_code_fold() -> None:
    assert folding_ranges(FILE, LineIndex(TEXT)) == (FoldingRange(0, 5), FoldingRange(1, 3), FoldingRange(11, 13))


def test_a_selection_grows_over_the_parts_of_a_pattern() -> None:
    chain = [TEXT[span.start : span.end] for span in selection_ranges(FILE, TEXT.index("d+"))]
    assert chain[:3] == ["c", "cd+", "b|cd+"]
    assert "(?:b|cd+)" in chain
    assert chain.index("(?:b|cd+)") < chain.index("a(?:b|cd+)") < chain.index("'a(?:b|cd+)'")
    assert chain[-1] == TEXT


def test_a_selection_grows_over_the_parts_of_a_pattern_with_astral_characters() -> None:
    text = "---\ncondition: '(?i)😀a(?:b|c😀d+)'\n---\n\nx\n"
    file = read_rule(text, name="a", path="a.md")
    chain = [text[span.start : span.end] for span in selection_ranges(file, text.index("d+") + 1)]
    assert chain[:3] == ["d", "d+", "c😀d+"]


def test_the_outline_has_no_headings_from_blocks_of_code() -> None:
    text = "---\ncondition: x\n---\n\nDo.\n\n```sh\n# install\n~~~\n# more\n```\n\n# Why\n"
    *_, body = document_symbols(read_rule(text, name="a", path="a.md"))
    assert [heading.name for heading in body.children] == ["Why"]


def test_rule_links_are_found() -> None:
    (link,) = rule_links(TEXT)
    assert link.name == "no-log"
    assert TEXT[link.span.start : link.span.end] == "rule://no-log"


@given(rule_texts(), st.integers(min_value=0, max_value=400))
def test_spans_of_any_file_are_nested(text: str, offset: int) -> None:
    file, index = read_rule(text, name="a", path="a.md"), LineIndex(text)
    offset = min(offset, len(text))
    chain = selection_ranges(file, offset)
    assert chain[-1] == Span(0, len(text))
    for inner, outer in pairwise(chain):
        assert outer.start <= inner.start <= inner.end <= outer.end
    for symbol in document_symbols(file):
        assert symbol.span.start <= symbol.name_span.start <= symbol.name_span.end <= symbol.span.end
    assert all(0 <= fold.first < fold.last < index.line_count for fold in folding_ranges(file, index))
