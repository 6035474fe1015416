import pytest

from tests.esregex.tree_text import tree_text
from ttsr_ls.esregex.parse.flags import NO_FLAGS, Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import CharForm, Chars, Repeat, walk
from ttsr_ls.text import Span

IGNORE_CASE = Flags(ignore_case=True)
MULTILINE = Flags(multiline=True)
DOT_ALL = Flags(dot_all=True)

NOT_LINE_END = "dot[<0>-<9><B>-<C><E>-<2027><202A>-<FFFF>]"


def text_of(source: str, flags: Flags = NO_FLAGS) -> str:
    return tree_text(parse(source, flags).root)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", "empty"),
        ("a", "a"),
        ("ab", "a b"),
        ("a|b", "a | b"),
        ("|", "empty | empty"),
        ("(a)", "#1(a)"),
        ("(?:a)", "(a)"),
        ("(a(b))(c)", "#1(a #2(b)) #3(c)"),
        ("(?<x>a)\\k<x>", "#1:x(a) ref(1)"),
        ("\\k<x>(?<x>a)", "ref(1) #1:x(a)"),
        ("(?<x>a)|(?<x>b)\\k<x>", "#1:x(a) | #2:x(b) ref(1,2)"),
        ("a*", "repeat{0,}(a)"),
        ("a+?", "repeat{1,}?(a)"),
        ("a??", "repeat{0,1}?(a)"),
        ("a{2}", "repeat{2,2}(a)"),
        ("a{2,}?", "repeat{2,}?(a)"),
        ("ab{2,3}c", "a repeat{2,3}(b) c"),
        ("(a)((b)c)*", "#1(a) repeat{0,}(#2(#3(b) c)) resets 2..3"),
        ("(?:(a)|b)*(c)", "repeat{0,}((#1(a) | b)) resets 1..1 #2(c)"),
        ("(a)b*", "#1(a) repeat{0,}(b)"),
        ("(?=a)*", "repeat{0,}(AHEAD(a))"),
        ("(?!(a)){2}", "repeat{2,2}(NOT_AHEAD(#1(a))) resets 1..1"),
        ("(?<=a)(?<!b)", "BEHIND(a) NOT_BEHIND(b)"),
        ("^$\\b\\B", "<INPUT_START> <INPUT_END> <WORD_BOUNDARY> <NOT_WORD_BOUNDARY>"),
        (".", NOT_LINE_END),
        ("\\d", "class escape[0-9]"),
        ("[a-c]", "class[a-c]"),
        ("[]", "class[]"),
        ("[^]", "class[<0>-<FFFF>]"),
    ],
)
def test_trees_of_all_syntax(source: str, expected: str) -> None:
    assert text_of(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("]}", "[]] [}]"),
        ("{", "[{]"),
        ("a{,3}", "a [{] [,] 3 [}]"),
        ("a{1", "a [{] 1"),
        ("a{1,2", "a [{] 1 [,] 2"),
        ("a{ 1}", "a [{] [<20>] 1 [}]"),
        ("x{{1}", "x repeat{1,1}([{])"),
        ("\\c", "[\\] c"),
        ("\\c*", "[\\] repeat{0,}(c)"),
        ("\\cA\\cj", "escape[<1>] escape[<A>]"),
        ("\\c1", "[\\] c 1"),
        ("[\\c1]", "class[<11>]"),
        ("[\\c_]", "class[<1F>]"),
        ("[\\c]", "class[\\c]"),
        ("[\\c*]", "class[*\\c]"),
        ("\\x4", "x 4"),
        ("\\x41", "escapeA"),
        ("\\u004", "u 0 0 4"),
        ("\\u{2}", "repeat{2,2}(u)"),
        ("\\k<a>", "k [<] a [>]"),
        ("[\\k]", "classk"),
        ("\\p{L}", "p [{] L [}]"),
        ("\\8\\9", "8 9"),
        ("\\1", "escape[<1>]"),
        ("\\1(a)", "ref(1) #1(a)"),
        ("(a)\\2", "#1(a) escape[<2>]"),
        ("(a)\\10", "#1(a) escape[<8>]"),
        ("(a)\\18", "#1(a) escape[<1>] 8"),
        ("[(]\\1", "class[(] escape[<1>]"),
        ("\\(\\1", "[(] escape[<1>]"),
        ("\\0", "escape[<0>]"),
        ("\\08", "escape[<0>] 8"),
        ("\\012", "escape[<A>]"),
        ("\\377\\400", "escape[<FF>] escape[<20>] 0"),
        ("[\\1\\8]", "class[<1>8]"),
        ("[\\b]", "class[<8>]"),
        ("[\\B-]", "class[-B]"),
        ("[\\w-a]", "class[-0-9A-Z_a-z]"),
        ("[a-\\d]", "class[-0-9a]"),
        ("[\\d-a-z]", "class[-0-9az]"),
        ("[--a]", "class[--a]"),
        ("[a-]", "class[-a]"),
        ("[^\\]\\\\]", "class[<0>-[^-<FFFF>]"),
        ("[[a]", "class[[a]"),
    ],
)
def test_annex_b_reads_incomplete_syntax_literally(source: str, expected: str) -> None:
    assert text_of(source) == expected


@pytest.mark.parametrize(
    ("source", "flags", "expected"),
    [
        ("a", IGNORE_CASE, "[Aa]"),
        ("[a-c]", IGNORE_CASE, "class[A-Ca-c]"),
        ("[^a]", IGNORE_CASE, "class[<0>-@B-`b-<FFFF>]"),
        ("\\x61", IGNORE_CASE, "escape[Aa]"),
        ("(a)\\1", IGNORE_CASE, "#1([Aa]) refi(1)"),
        ("^$", MULTILINE, "<LINE_START> <LINE_END>"),
        (".", DOT_ALL, "dot[<0>-<FFFF>]"),
        ("a(?i:b(?-i:c)d)e", NO_FLAGS, "a ([Bb] (c) [Dd]) e"),
        ("(?-i:a)b", IGNORE_CASE, "(a) [Bb]"),
        ("(?m:^)^", NO_FLAGS, "(<LINE_START>) <INPUT_START>"),
        ("(?-m:$)$", MULTILINE, "(<INPUT_END>) <LINE_END>"),
        ("(?s:.).", NO_FLAGS, f"(dot[<0>-<FFFF>]) {NOT_LINE_END}"),
        ("(?i-s:a.)", DOT_ALL, f"([Aa] {NOT_LINE_END})"),
        ("(?i:(a)|b)c", NO_FLAGS, "(#1([Aa]) | [Bb]) c"),
    ],
)
def test_flags_are_resolved_on_the_nodes(source: str, flags: Flags, expected: str) -> None:
    assert text_of(source, flags) == expected


def test_characters_beyond_the_basic_plane_are_two_units() -> None:
    pattern = parse("😀*")
    assert pattern.source == "\ud83d\ude00*"
    assert tree_text(pattern.root) == "[<D83D>] repeat{0,}([<DE00>])"


def test_captures_are_counted_and_named_in_order() -> None:
    pattern = parse("(a)(?<x>b)|(?<y>c)|(?<x>d)")
    assert pattern.capture_count == 4
    assert pattern.capture_names == (("x", 2), ("y", 3), ("x", 4))


def test_group_names_are_read_through_escapes_and_pairs() -> None:
    pattern = parse("(?<\\u0061\\u{62}\\ud801\\udc00𐐨>x)")
    assert pattern.capture_names == (("ab𐐀𐐨", 1),)


def test_class_items_are_kept_as_written() -> None:
    (chars,) = walk(parse("[^a\\d-\\x41-C]", IGNORE_CASE).root)
    assert isinstance(chars, Chars)
    assert chars.negated
    assert [(item.span, item.form, item.is_range) for item in chars.items] == [
        (Span(2, 3), CharForm.LITERAL, False),
        (Span(3, 5), CharForm.CLASS_ESCAPE, False),
        (Span(5, 6), CharForm.LITERAL, False),
        (Span(6, 10), CharForm.ESCAPE, False),
        (Span(10, 11), CharForm.LITERAL, False),
        (Span(11, 12), CharForm.LITERAL, False),
    ]


@pytest.mark.parametrize(
    ("source", "minimum", "maximum"),
    [
        ("a{2147483646}", 2147483646, 2147483646),
        ("a{2147483647}", 2147483647, None),
        ("a{0,99999999999999999999}", 0, None),
        ("a{99999999999999999999,}", 2147483647, None),
        (f"a{{{'0' * 9000}2,{'0' * 9000}3}}", 2, 3),
        (f"a{{{'9' * 9000}}}", 2147483647, None),
    ],
)
def test_huge_counts_are_clamped_and_huge_maxima_mean_no_bound(source: str, minimum: int, maximum: int | None) -> None:
    repeat = parse(source).root
    assert isinstance(repeat, Repeat)
    assert (repeat.minimum, repeat.maximum) == (minimum, maximum)
