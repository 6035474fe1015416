import threading

import pytest

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.text import Span


@pytest.mark.parametrize(
    ("source", "flags", "offset"),
    [
        ("any", Flags(), 0),
        ("(?i)any", Flags(ignore_case=True), 4),
        ("(?sim)any", Flags(ignore_case=True, multiline=True, dot_all=True), 6),
        ("(?iii)any", Flags(ignore_case=True), 6),
        ("(?i)", Flags(ignore_case=True), 4),
        ("(?i:any)", Flags(), 0),
    ],
)
def test_one_leading_group_of_ims_becomes_flags(source: str, flags: Flags, offset: int) -> None:
    condition = compile_condition(source)
    assert (condition.source, condition.flags, condition.pattern_offset) == (source, flags, offset)


@pytest.mark.parametrize(
    "source", ["(?x)a", "(?u)a", "(?g)a", "(?is-m)a", "a(?i)b", "(?i)(?s)a", "(?)a", "(?P<n>a)", "("]
)
def test_other_flags_and_invalid_patterns_do_not_compile(source: str) -> None:
    with pytest.raises(RegexSyntaxError):
        compile_condition(source)


def test_a_syntax_error_has_its_span_in_the_authored_text() -> None:
    with pytest.raises(RegexSyntaxError) as without:
        compile_condition("ab(")
    with pytest.raises(RegexSyntaxError) as behind:
        compile_condition("(?im)ab(")
    assert behind.value.span == without.value.span.shifted(5)
    assert behind.value.message == without.value.message


def test_condition_flags_mean_the_same_as_in_javascript() -> None:
    assert compile_condition("(?i)todo").matcher.search("a ToDo") == Span(2, 6)
    assert compile_condition("(?m)^b$").matcher.test("a\nb\nc")
    assert not compile_condition("^b$").matcher.test("a\nb\nc")
    assert compile_condition("(?s)a.b").matcher.test("a\nb")
    assert not compile_condition("a.b").matcher.test("a\nb")


def test_conditions_match_utf16_code_units() -> None:
    assert compile_condition("\U0001f600").matcher.search("x\ud83d\ude00") == Span(1, 3)
    assert compile_condition(r"^..$").matcher.test("\ud83d\ude00")


@pytest.mark.parametrize(
    ("source", "sensitive"), [("any", False), (r"\bany\b", True), ("done$", True), ("a(?!b)", True), (r"\bany", False)]
)
def test_a_condition_whose_match_later_text_can_undo_is_end_sensitive(source: str, sensitive: bool) -> None:
    condition = compile_condition(source)
    assert condition.is_end_sensitive is sensitive
    assert (condition.final_matcher is condition.matcher) is not sensitive


def test_the_final_matcher_waits_until_nothing_can_undo_the_match() -> None:
    condition = compile_condition(r"\bany\b")
    assert condition.matcher.test("any")
    assert not condition.final_matcher.test("any")
    assert not condition.final_matcher.test("anything")
    assert condition.final_matcher.test("any ")


def test_conditions_with_equal_sources_are_equal() -> None:
    assert compile_condition("(?i)a") == compile_condition("(?i)a")
    assert len({compile_condition("a"), compile_condition("a"), compile_condition("(?i)a")}) == 2


def test_all_threads_get_the_same_matchers() -> None:
    condition = compile_condition(r"(a|b)+\b")
    barrier = threading.Barrier(8)
    got: list[tuple[int, int]] = []

    def use() -> None:
        barrier.wait()
        got.append((id(condition.matcher), id(condition.final_matcher)))

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 8
    assert len(set(got)) == 1
