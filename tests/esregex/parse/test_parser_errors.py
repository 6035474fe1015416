import pytest

from ttsr_ls.errors import TtsrError
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse

# Pattern, carets under the span of the error, and a part of the message.
CASES = (
    # Quantifiers
    ("*a", "^", "nothing before this to repeat; for a literal * write \\*"),
    ("a|+", "  ^", "for a literal + write \\+"),
    ("(?:?)", "   ^", "nothing before this"),
    ("{2,3}", "^^^^^", "for a literal { write \\{"),
    ("a++", "  ^", "Possessive quantifiers do not exist in ECMAScript; remove the second +"),
    ("a{2}+", "    ^", "Possessive"),
    ("a**", "  ^", "repeated already"),
    ("a{2}{3}", "    ^^^", "put it in a group"),
    ("a???", "   ^", "repeated already"),
    ("^*", " ^", "^ matches a position, not text"),
    ("\\b{2}", "  ^^^", "\\b matches a position, not text"),
    ("(?<=a)+", "      ^", "A lookbehind cannot be repeated"),
    ("(?<!a){2}", "      ^^^", "A lookbehind cannot be repeated"),
    ("a{3,2}b", " ^^^^^", "did you mean {2,3}?"),
    ("a{99999999999999999999,1}", " ^^^^^^^^^^^^^^^^^^^^^^^^", "out of order"),
    # Groups
    ("a(b", " ^", "This group has no end; close it with ), or write \\("),
    ("(a)(?:b", "   ^^^", "no end"),
    ("((?<name>a)", "^", "no end"),
    ("(?<name>a", "^^^^^^^^", "no end"),
    ("a)b", " ^", "closes no group"),
    ("(?", "^^", "must be one of"),
    ("(?@a)", "^^", "must be one of"),
    # Syntax of other dialects
    ("(?>a)", "^^^", "Atomic groups"),
    ("a(?P<n>b)", " ^^^^", "write (?<name>…)"),
    ("(?P=n)", "^^^^", "write \\k<name>"),
    ("(?#x)", "^^^", "comments"),
    ("(?|a)", "^^^", "Branch reset"),
    ("(?'n'a)", "^^^", "write (?<name>…)"),
    ("(?(1)a)", "^^^", "Conditionals"),
    ("(?R)", "^^^", "Recursion"),
    ("(?&n)", "^^^", "Subroutine"),
    ("(?1)", "^^^", "Subroutine"),
    # Flags
    ("a(?i)b", " ^^^^", "write (?i:…) around the part"),
    ("(?m-i)", "^^^^^^", "write (?m-i:…)"),
    ("(?x:a)", "  ^", "There is no flag x"),
    ("(?i-x:a)", "    ^", "There is no flag x"),
    ("(?ii:a)", "   ^", "The flag i is given twice"),
    ("(?i-i:a)", "    ^", "The flag i is given twice"),
    ("(?-:a)", "^^^^", "removes no flag"),
    ("(?i", "^^^", "followed by a colon"),
    ("(?i a)", "^^^^", "followed by a colon"),
    # Names
    ("(?<>a)", "  ^^", "must not be empty"),
    ("(?<1a>b)", "   ^", "must not start with a digit"),
    ("(?<a-b>c)", "    ^", "only letters, digits, _ and $"),
    ("(?<ab", "  ^^^", "has no end; close it with >"),
    ("(?<a(b)", "    ^", "has no end; close it with >"),
    ("(?<\\n>a)", "   ^^", "only \\uXXXX and \\u{X…} are escapes"),
    ("(?<\\u{110000}>a)", "   ^^^^^^^^^^", "no character with this number"),
    ("(?<n>a)(?<n>b)", "       ^^^^^", "already a group named n"),
    ("(?<n>(?<n>b))", "     ^^^^^", "already a group named n"),
    ("(?:(?<n>a)|b)(?<n>c)", "             ^^^^^", "already a group named n"),
    ("(?<n>a)\\k", "       ^^", "must be followed by a name, as in \\k<name>"),
    ("(?<n>a)\\k{n}", "       ^^", "must be followed by a name"),
    ("(?<n>a)\\k<m>", "       ^^^^^", "no group named m"),
    ("(?<n>a)[x\\k]", "         ^^", "cannot stand in a class"),
    # Classes
    ("a[b", " ^", "has no end; close it with ], or write \\["),
    ("[\\]", "^", "has no end"),
    ("[ab-a]", "  ^^^", "out of order"),
    ("[\\x62-a]", " ^^^^^^", "out of order"),
    ("[a--]", " ^^^", "write \\- for a literal hyphen"),
    ("[😀-😁]", " ^^^^^", "such as emoji"),
    ("[\\ud83d\\ude00-\\ud83d\\ude4f]", " ^^^^^^^^^^^^^^^^^^^^^^^^^", "such as emoji"),
    ("[a\\u{1F600}-\\u{1F64F}b]", "  ^^^^^^^^^^^^^^^^^^^", "flag u"),
    ("[a}-\\u0041]", "  ^^^^^^^^", "out of order"),
    # Escapes
    ("a\\", " ^", "for a literal backslash write \\\\"),
    ("[a\\", "  ^", "backslash at the end"),
)


@pytest.mark.parametrize(("source", "carets", "message"), CASES)
def test_syntax_errors_have_the_span_of_their_cause_and_a_remedy(source: str, carets: str, message: str) -> None:
    with pytest.raises(RegexSyntaxError) as caught:
        parse(source)
    span = caught.value.span
    assert " " * span.start + "^" * len(span) == carets
    assert message in caught.value.message
    assert str(caught.value) == caught.value.message


def test_syntax_errors_are_ttsr_errors() -> None:
    assert issubclass(RegexSyntaxError, TtsrError)


@pytest.mark.parametrize(
    "source",
    [
        "(?<n>a)|(?<n>b)",
        "(?:(?<n>a)|(?<n>b))(?<m>c)",
        "(?<n>a)|(?:(?<n>b)|(?<m>c)|(?<n>d))",
        "((?<n>a)|x)|(?<n>b)",
        "(?:(?<n>a)|(?<m>b))|(?<m>c)(?<n>d)",
    ],
)
def test_groups_in_different_alternatives_may_share_a_name(source: str) -> None:
    assert parse(source).capture_count > 1


@pytest.mark.parametrize(
    "source",
    [
        "(?<n>a)|(?<m>b)(?:c|(?<m>d))",
        "(?<n>a)|(?<m>b)(?:(?<x>c)|(?<m>d))",
        "(?:(?<n>a)|(?<n>b))(?<n>c)",
        "(?:(?:(?<n>a)|b)|c)d(?<n>e)",
        "(?<n>(?:a|(?<m>b))(?<n>c))",
    ],
)
def test_groups_that_can_both_take_part_may_not_share_a_name(source: str) -> None:
    with pytest.raises(RegexSyntaxError, match="already a group named"):
        parse(source)


def test_flags_do_not_change_which_patterns_are_valid() -> None:
    with pytest.raises(RegexSyntaxError, match="out of order"):
        parse("[Z-a-_Z-A]", Flags(ignore_case=True, multiline=True, dot_all=True))


@pytest.mark.parametrize("source", ["(?<a>(?<a>x))", "(?<a>(?<a>x)|y)", "(?<a>y|(?<a>x))", "z|(?<a>(?:(?<a>x)|y))"])
def test_a_group_inside_of_a_group_with_the_same_name_is_a_syntax_error(source: str) -> None:
    with pytest.raises(RegexSyntaxError):
        parse(source)
