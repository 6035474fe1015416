"""Which part of a pattern tells where it may end."""

import time

import pytest

from ttsr_ls.esregex.automaton.prefilter import prefilter
from ttsr_ls.esregex.parser import parse


def filtered(source: str) -> str | None:
    found = prefilter(parse(source))
    return None if found is None else found.source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"import\s+[^;\n]*\bfrom\s+'axios'", "axios'"),
        (r"(?:SELECT|UPDATE)\s+[^]{0,80}?\bsecret\b", r"\bsecret\b"),
        (r"if\s*\([^)]*\beval\b[^)]*\)", r"\beval\b[^)]*\)"),
        (r"(?<!//.*)TODO", "TODO"),
        (r"grid(?:\s+\w+){0,5}\s+lock", "lock"),
        (r"((?:x.*(?:foo|barb)$))", "(?:foo|barb)$"),
        (r"x.*foo[A-Z]y.*bar", "bar"),
        (r"x.*foobar.*y", "foobar.*y"),
        (r"x.*(?:foo)+ba?r", "(?:foo)+ba?r"),
        (r"\w{5,}\s*foo", "foo"),
        (r"foo.*(?<=\s)bar", "bar"),
    ],
)
def test_it_is_what_follows_a_loop_and_starts_with_a_word(source: str, expected: str) -> None:
    assert filtered(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        r"\bTODO\b",
        r"foo\s+bar",  # Spaces do not go on for long.
        r"foo.{0,3}bar",
        r"foo.*",
        r"foo.*\)\)\)",  # No word: what is that short is anywhere.
        r"foo.*ab",
        r"foo.*(?:bar|)",
        r"foo.*(?:bar)?",
        r"foo.*\w+bar|x",
        r"(?=.*foo)bar",  # It may become final after its end.
        r"foo.*bar(?!x)",
        r"foo(?!x.*y)bar",
        r"foo.*bar(?<=\sbar)",
        r"(f)oo.*bar\1",
        "",
    ],
)
def test_there_is_none_where_it_would_not_help_or_not_be_right(source: str) -> None:
    assert filtered(source) is None


@pytest.mark.parametrize(
    "source",
    [
        "x.*" + "a" * 50_000,
        "x.*" + "(?:" * 5_000 + "abc" + ")" * 5_000,
        "(?:" * 5_000 + ".abc" + ")*" * 5_000 + "abc",
        "x.*" + "(?:" * 5_000 + "abc" + ")+" * 5_000,
        ".*a" * 20_000,
    ],
)
def test_it_takes_no_time_to_find_in_long_and_deep_patterns(source: str) -> None:
    pattern = parse(source)
    start = time.process_time()
    prefilter(pattern)
    assert time.process_time() - start < 1
