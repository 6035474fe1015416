"""AST conditions match as recorded from the reference agent, despite the peculiarities of the ast-grep package."""

import re
from random import Random
from time import process_time

import pytest

from tests.matching.ast.ast_vectors import Answer, answers, groups
from ttsr_ls.errors import UsageError
from ttsr_ls.matching.ast.ast_grep import ParsedText, encodable, required_words, shape_of
from ttsr_ls.matching.ast.required_words import has_required_words
from ttsr_ls.matching.ast.search import MAX_AST_PATTERN, PatternShape
from ttsr_ls.text import Span

ALL = [answer for group in groups() for answer in answers(group)]

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_JUNK = (
    " ", "\n", "/* x */", "# x\n", "// y\n", "-- z\n", "?", "!", "<T>", " a ", " a b ", ",", ";", "::", ".", "\\\n",
    "(", ")", '"', "'", "&", "@x ", "(* q *)", "<!-- c -->", "[]", " async ", " await ", " static ", " mut ", " pub ",
    "6", "_",
)  # fmt: skip
_ODDITIES = ("", "$A", "foo", "(", "}", " ", "$$$B", "/* no */")

# The known differences from the reference, by their reason.
DIFFERENCES = {
    "metavariables are not understood in the reference's Zig": [
        ("const $A = 1;", "const x = 1;"),
        ("std.debug.print($$$A)", 'pub fn main() void { std.debug.print("x", .{}); }'),
        ("$A catch unreachable", "const y = f() catch unreachable;"),
        ("try $A", "fn g() !void { try h(); }"),
        ("fn $F() void { $$$B }", 'pub fn main() void { std.debug.print("x", .{}); }'),
        ("@import($A)", 'const std = @import("std");'),
    ],
    "nor are these, of which we say as everywhere else that they match every text": [
        ("$$$A", "const x = 1;"),
        ("$$$A", 'const std = @import("std");'),
        ("$$$A", 'pub fn main() void { std.debug.print("x", .{}); }'),
        ("$$$A", "const y = f() catch unreachable;"),
        ("$$$A", "fn g() !void { try h(); }"),
    ],
    "the C++ grammars differ in what a template name may be followed by": [
        ("std::auto_ptr<$T>", "std::auto_ptr<Foo> p;"),
    ],
}


def first(answer: Answer) -> Span | None:
    return next(iter(ParsedText(answer.source, answer.language).find_all(answer.pattern, 1)), None)


def test_ast_matches_equal_the_reference_except_for_known_differences() -> None:
    differing = {(answer.pattern, answer.source) for answer in ALL if (first(answer) is not None) != answer.matches}
    assert differing == {pair for pairs in DIFFERENCES.values() for pair in pairs}
    assert len(ALL) > 5000
    assert sum(answer.matches for answer in ALL) > 1000


def test_a_matching_text_contains_the_required_words() -> None:
    wordy = 0
    for answer in ALL:
        needed = required_words(answer.pattern, answer.language)
        wordy += bool(needed)
        if first(answer) is not None:
            assert has_required_words(answer.source.lower(), needed), answer
    assert wordy > len(ALL) // 3


def test_random_patterns_require_only_words_of_matching_texts() -> None:
    random = Random(7)
    matched = 0
    for _ in range(4000):
        answer, other = random.choice(ALL), random.choice(ALL)
        tokens = _TOKEN.findall(random.choice((answer.source, answer.pattern, other.pattern)))
        position = random.randrange(len(tokens) + 1)
        tokens = tokens[position : position + random.randrange(1, 10)]
        tokens.insert(random.randrange(len(tokens) + 1), random.choice(_ODDITIES))
        pattern = "".join(tokens)
        if ParsedText(answer.source, answer.language).find_all(pattern, 1):
            matched += 1
            assert has_required_words(answer.source.lower(), required_words(pattern, answer.language)), (
                answer.language,
                pattern,
                answer.source,
            )
    assert matched > 100


def test_ast_spans_count_code_points() -> None:
    text = "const 😀 = 'é'; eval(x)"
    assert ParsedText(text, "typescript").find_all("eval($A)", 1) == (Span(text.index("eval"), len(text)),)


def test_a_pattern_of_any_nodes_matches_the_whole_text() -> None:
    assert ParsedText("", "go").find_all("$$$", 1) == (Span(0, 0),)
    assert ParsedText("f()", "go").find_all(" $$$ARGS ", 1) == (Span(0, 3),)
    assert ParsedText("f()", "go").find_all("$$$args", 1) == ()


@pytest.mark.parametrize("pattern", ["", "  ", "as any", "foo bar baz", "x" * (MAX_AST_PATTERN + 1)])
def test_an_invalid_ast_pattern_matches_nothing(pattern: str) -> None:
    assert ParsedText(f"{pattern}; foo()", "typescript").find_all(pattern, 1) == ()


def test_an_ast_pattern_of_the_greatest_length_is_matched() -> None:
    name = "x" * MAX_AST_PATTERN
    assert ParsedText(f"f({name})", "typescript").find_all(name, 1) == (Span(2, 2 + MAX_AST_PATTERN),)


def test_lone_surrogates_are_parsed_as_replacement_characters() -> None:
    assert ParsedText("a('\ud800'); b()", "typescript").find_all("b()", 1) == (Span(8, 11),)
    assert ParsedText("a('\ufffd')", "typescript").find_all("a('\ud800')", 1) == (Span(0, 6),)
    assert encodable("a\udfffb") == "a\ufffdb"


def test_an_unknown_language_is_refused_without_calling_the_package() -> None:
    with pytest.raises(UsageError):
        ParsedText("a", "klingon")


def test_matching_texts_with_inserted_junk_contain_the_required_words() -> None:
    random = Random(3)
    matching_answers = [answer for answer in ALL if answer.matches and answer.source.strip()]
    matched = 0
    for _ in range(4000):
        answer = random.choice(matching_answers)
        tokens = _TOKEN.findall(answer.source)
        for _ in range(random.randint(1, 3)):
            tokens.insert(random.randrange(len(tokens) + 1), random.choice(_JUNK))
        source = "".join(tokens)
        if ParsedText(source, answer.language).find_all(answer.pattern, 1):
            matched += 1
            assert has_required_words(source.lower(), required_words(answer.pattern, answer.language)), (
                answer.pattern,
                source,
            )
    assert matched > 1200


@pytest.mark.parametrize(
    ("pattern", "language", "needed"),
    [
        ("console.log($$$ARGS)", "javascript", ("console", "log")),
        ("$A as any", "typescript", ("as", "any")),
        ("ECHO $A;", "php", ("echo",)),
        ("f($A, g)", "typescript", ()),
        ("as any", "typescript", ()),
        ("# title", "markdown", ()),
        ("$A", "go", ()),
        ("$name", "typescript", ("name",)),
    ],
)
def test_required_words_exclude_metavariables(pattern: str, language: str, needed: tuple[str, ...]) -> None:
    assert required_words(pattern, language) == needed


def test_patterns_that_are_not_one_node_match_nothing_in_the_reference() -> None:
    """The behaviour that the findings `ast-several-nodes` and `ast-does-not-parse` describe."""
    no_node: dict[PatternShape, list[Answer]] = {}
    for answer in ALL:
        no_node.setdefault(shape_of(answer.pattern, answer.language), []).append(answer)
    assert len({(answer.language, answer.pattern) for answer in no_node[PatternShape.SEVERAL]}) > 15
    assert not any(answer.matches for answer in no_node[PatternShape.SEVERAL])
    assert not any(answer.matches for answer in no_node[PatternShape.NOTHING])
    assert {answer.source for answer in no_node[PatternShape.BROKEN] if answer.matches} == {"foo("}


def test_a_lone_metavariable_matches_everything_in_the_reference() -> None:
    """The behaviour that the finding `ast-matches-everything` describes. In Zig, the reference has no metavariables."""
    alone_answers = [answer for answer in ALL if answer.pattern in ("$A", "$$$", "$$$A") and answer.language != "zig"]
    assert len(alone_answers) > 500
    assert all(answer.matches for answer in alone_answers)


def test_lower_case_metavariables_match_literally_in_the_reference() -> None:
    small = [answer for answer in ALL if answer.pattern == "$a" and answer.language == "javascript"]
    assert small
    assert not any(answer.matches for answer in small if "$a" not in answer.source)


def test_many_matches_on_one_line_take_as_long_as_on_many_lines() -> None:
    matches = 5_000
    took: list[float] = []
    for separator in ("\n", " "):
        statement = "console.log(1, 'é😀');"
        parsed = ParsedText(separator.join([statement] * matches), "typescript")
        began = process_time()
        spans = parsed.find_all("console.log($$$A)", matches)
        took.append(process_time() - began)
        assert spans == tuple(
            Span(start, start + len(statement) - 1)
            for start in range(0, matches * (len(statement) + 1), len(statement) + 1)
        )
    assert took[1] < 10 * took[0]
