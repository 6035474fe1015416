import pytest

from ttsr_ls.esregex.explain.explain import explain
from ttsr_ls.esregex.parse.flags import NO_FLAGS, Flags
from ttsr_ls.esregex.parse.parser import parse

IGNORE_CASE = Flags(ignore_case=True)
MULTILINE = Flags(multiline=True)
DOT_ALL = Flags(dot_all=True)


def lines(source: str, flags: Flags = NO_FLAGS) -> list[str]:
    return ["  " * line.depth + line.text for line in explain(parse(source, flags))]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", "nothing (the empty text)"),
        ("a", '"a"'),
        ("foo bar", '"foo bar"'),
        ("a\\.b", '"a.b"'),
        ('say "it\'s"', '"say "it\'s""'),
        ('"x"', "'\"x\"'"),
        ("😀", '"😀"'),
        ("\\x41", '"A"'),
        ("\\t", "tab"),
        ("\\0", "NUL"),
        ("\\u2028", "line separator"),
        ("\\u200b", "U+200B"),
        (" ", "space"),
        ("\\ud83d", "half of a surrogate pair (U+D83D)"),
        (".", "any character but a line end"),
        ("[^]", "any character"),
        ("[\\s\\S]", "any character"),
        ("[]", "nothing at all (this class is empty and never matches)"),
        ("\\d", "a digit"),
        ("\\D", "any character but a digit"),
        ("\\w", "a word character (A–Z, a–z, 0–9 or _)"),
        ("\\s", "white space"),
        ("[a-z0-9_]", "one of a–z, 0–9 or _"),
        ("[^a-z]", "any character but a–z"),
        ("[,;]", 'one of "," or ";"'),
        ("[\\r\\n]", "one of carriage return or line feed"),
        ("[\\w-]", 'one of a word character or "-"'),
        ("[x]", '"x"'),
        ("[\\d]", "a digit"),
        ("\U000e0001", '"<U+E0001>"'),
        ("[abcdefghijkl]", "one of a, b, c, d, e, f, g, h or 4 more"),
        ("^", "the start of the text"),
        ("$", "the end of the text"),
        ("\\b", "a word boundary"),
        ("\\B", "no word boundary"),
        ("a*", '"a", any number of times'),
        ("a+?", '"a", one or more times, as few as possible'),
        ("a?", '"a", optional'),
        ("a??", '"a", optional, left out if possible'),
        ("a{3}", '"a", 3 times'),
        ("a{3}?", '"a", 3 times'),
        ("a{2,}", '"a", 2 or more times'),
        ("a{0,4}", '"a", at most 4 times'),
        ("\\d{2,5}?", "a digit, between 2 and 5 times, as few as possible"),
        ("a{1}", '"a", once'),
        ("a{0}", '"a", zero times'),
        ("(?=a)", 'followed by "a"'),
        ("(?!_or)", 'not followed by "_or"'),
        ("(?<=\\.)", 'preceded by "."'),
        ("(?<!no-)", 'not preceded by "no-"'),
        ("(\\d+)", "group 1: a digit, one or more times"),
        ("(?<year>\\d{4})", "group 1, named year: a digit, 4 times"),
        ("(?:foo|bar|baz)", '"foo", "bar" or "baz"'),
        ("foo|bar", '"foo" or "bar"'),
        ("(?:TODO|FIXME)+", '"TODO" or "FIXME", one or more times'),
    ],
)
def test_simple_parts_take_one_line(source: str, expected: str) -> None:
    assert lines(source) == [expected]


@pytest.mark.parametrize(
    ("source", "flags", "expected"),
    [
        ("any", IGNORE_CASE, ['"any", in either case']),
        ("[a-c]", IGNORE_CASE, ["one of a–c, in either case"]),
        ("[^a]", IGNORE_CASE, ["any character but a, in either case"]),
        ("1", IGNORE_CASE, ['"1"']),
        ("(a)\\1", IGNORE_CASE, ['group 1: "a", in either case', "the same text as group 1, in either case"]),
        ("^.$", MULTILINE, ["the start of a line", "any character but a line end", "the end of a line"]),
        (".", DOT_ALL, ["any character"]),
    ],
)
def test_descriptions_include_the_effect_of_flags(source: str, flags: Flags, expected: list[str]) -> None:
    assert lines(source, flags) == expected


def test_parts_are_explained_in_source_order() -> None:
    assert lines("\\bconst\\s+(\\w+)\\s*=\\s*(?:require|import)\\(([\"'])[^\"']+\\2\\)") == [
        "a word boundary",
        '"const"',
        "white space, one or more times",
        "group 1: a word character (A–Z, a–z, 0–9 or _), one or more times",
        "white space, any number of times",
        '"="',
        "white space, any number of times",
        '"require" or "import"',
        '"("',
        "group 2: one of '\"' or \"'\"",
        "any character but '\"' or \"'\", one or more times",
        "the same text as group 2",
        '")"',
    ]


def test_parts_of_a_complex_part_follow_its_heading() -> None:
    assert lines("(?<q>[\"'])(?:\\\\.|(?!\\k<q>).)*\\k<q>") == [
        "group 1, named q: one of '\"' or \"'\"",
        "one of these, any number of times:",
        "  this, in order:",
        '    "\\"',
        "    any character but a line end",
        "  this, in order:",
        "    not followed by the same text as the group named q",
        "    any character but a line end",
        "the same text as the group named q",
    ]


def test_complex_alternatives_are_listed_below_a_heading() -> None:
    assert lines("foo\\d|bar") == ["one of these:", "  this, in order:", '    "foo"', "    a digit", '  "bar"']


def test_parts_of_a_lookaround_follow_its_heading() -> None:
    assert lines("(?=.*\\d)x") == [
        "followed by:",
        "  any character but a line end, any number of times",
        "  a digit",
        '"x"',
    ]


def test_explanations_have_the_spans_of_their_parts() -> None:
    source = "ab+(?:c|d1)$"
    shown = [source[line.span.start : line.span.end] for line in explain(parse(source))]
    assert shown == ["a", "b+", "(?:c|d1)", "$"]


def test_long_texts_and_many_parts_are_truncated() -> None:
    assert lines("x" * 100) == ['"' + "x" * 48 + '…"']
    many = lines("a\\d" * 100)
    assert len(many) == 41
    assert many[-1] == "… and more that is not shown"


def test_parts_that_are_nested_too_deep_are_left_out() -> None:
    assert lines("((((((((a|b)c)d)e)f)g)h)i)")[:7] == [
        "group 1:",
        "  group 2:",
        "    group 3:",
        "      group 4:",
        "        group 5:",
        "          … a nested part that is not shown",
        '          "e"',
    ]
