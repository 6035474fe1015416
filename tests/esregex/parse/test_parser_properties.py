"""Parsing any text returns a tree with nested spans, or raises an error with a span in the text."""

from hypothesis import given
from hypothesis import strategies as st

from tests.property_examples import examples
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.explain.explain import explain
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Backreference, Capture, Chars, Node, Pattern, Repeat, children, walk
from ttsr_ls.esregex.tree.units import to_units

TOKENS = (
    *"abk019_-,:=!<>^$.*+?|()[]{}\\/ éſ😀\n\ud83d",
    *(
        "(?:",
        "(?=",
        "(?<!",
        "(?<n>",
        "(?<m>",
        "(?i:",
        "(?-s:",
        "{2}",
        "{1,2}?",
        "\\k<n>",
        "\\1",
        "\\b",
        "\\d",
        "[^",
        "a-z",
    ),
    *("\\x61", "\\u0061", "\\u{61}", "\\c", "\\0", "(?<\\u0061>", "]", ")", ")"),
)
SOURCES = st.one_of(
    st.text(alphabet=st.characters(), max_size=40),
    st.lists(st.sampled_from(TOKENS), max_size=25).map("".join),
)
FLAGS = st.builds(Flags, st.booleans(), st.booleans(), st.booleans())


def parsed(source: str, flags: Flags) -> Pattern | None:
    """The tree; None if parsing raises an error, which must have a message and a span in the text."""
    try:
        return parse(source, flags)
    except RegexSyntaxError as error:
        message, span = error.message, error.span
    assert message
    assert 0 <= span.start < span.end <= len(to_units(source))
    return None


@given(SOURCES, FLAGS)
@examples(1000)
def test_every_text_has_a_tree_or_a_syntax_error_with_a_span(source: str, flags: Flags) -> None:
    pattern = parsed(source, flags)
    if pattern is not None:
        assert pattern.source == to_units(source)
        check_spans(pattern)
        check_groups(pattern)
        check_explanation(pattern)


def check_spans(pattern: Pattern) -> None:
    """The spans of nodes cover the pattern, are nested, and are in order."""
    assert (pattern.root.span.start, pattern.root.span.end) == (0, len(pattern.source))
    for node in walk(pattern.root):
        end = node.span.start
        for child in children(node):
            assert end <= child.span.start <= child.span.end <= node.span.end
            end = child.span.end
        if isinstance(node, Chars):
            assert len(node.span) > 0
            inner = node.span.start + 1
            for item in node.items:
                assert inner <= item.span.start < item.span.end < node.span.end
                inner = item.span.end


def check_groups(pattern: Pattern) -> None:
    """Captures are numbered in order, and each repeat has the range of the captures in it."""
    assert captures_in(pattern.root) == list(range(1, pattern.capture_count + 1))
    named = [(node.name, node.index) for node in walk(pattern.root) if isinstance(node, Capture) and node.name]
    assert tuple(named) == pattern.capture_names
    for node in walk(pattern.root):
        if isinstance(node, Repeat):
            assert list(range(node.first_capture, node.end_capture)) == captures_in(node.body)
            assert node.maximum is None or node.minimum <= node.maximum
        if isinstance(node, Backreference):
            assert node.groups
            assert all(1 <= group <= pattern.capture_count for group in node.groups)


def check_explanation(pattern: Pattern) -> None:
    """The explanation consists of printable, encodable lines with valid spans and depths."""
    lines = explain(pattern)
    assert lines
    depth = 0
    for line in lines:
        assert line.text.encode("utf-8")
        assert line.text.isprintable()
        assert 0 <= line.span.start <= line.span.end <= len(pattern.source)
        assert line.depth <= depth
        depth = line.depth + line.text.endswith(":")


def captures_in(root: Node) -> list[int]:
    return [node.index for node in walk(root) if isinstance(node, Capture)]
