import subprocess
import sys
import time

import pytest

from tests.processor_time import processor_time_below
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.finality.finality import final_form
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.match.compile import compile_pattern
from ttsr_ls.esregex.match.literal_matcher import LiteralMatcher
from ttsr_ls.esregex.match.matcher import TIME_LIMIT
from ttsr_ls.esregex.match.regex_matcher import RegexMatcher
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.text import Span


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("", LiteralMatcher),
        (r"(?:con)sole\.log\(", LiteralMatcher),
        ("(" * 20_000 + "a" + ")" * 20_000, LiteralMatcher),
        ("[ab]", RegexMatcher),
        (r"\bany\b", RegexMatcher),
        (r"(?:(a)|b)*\1", BacktrackMatcher),
        ("(?:a{99999}){99999}", BacktrackMatcher),
        ("(?:a|" * 12_000 + ")" * 12_000, BacktrackMatcher),
    ],
)
def test_compile_pattern_chooses_the_fastest_exact_matcher(source: str, kind: type) -> None:
    assert isinstance(compile_pattern(parse(source)), kind)


@pytest.mark.parametrize(
    ("source", "text", "start", "span"),
    [
        ("ab", "xabab", 0, Span(1, 3)),
        ("ab", "xabab", 2, Span(3, 5)),
        ("ab", "xab", 2, None),
        ("", "ab", 2, Span(2, 2)),
        (r"\ud83d", "a\ud83d\ude00", 0, Span(1, 2)),
    ],
)
def test_literal_matcher_finds_plain_text(source: str, text: str, start: int, span: Span | None) -> None:
    matcher = compile_pattern(parse(source))
    assert isinstance(matcher, LiteralMatcher)
    assert matcher.search(text, start) == span
    assert matcher.test(text[start:]) == (span is not None)


def test_a_case_insensitive_pattern_is_not_matched_as_plain_text() -> None:
    assert compile_pattern(parse("ab", Flags(ignore_case=True))).search("xAB") == Span(1, 3)


@pytest.mark.parametrize(
    "source",
    [
        "(a+)+$",
        "(?:a|a)*[cd]",
        r"(?:(a|b|ab)*\1)+[cd]",
        "(?:(?:a?b?)*)*[cd]",
        "(?:(?:(?:a?){1000}){1000}){1000}b",
        "(?:a|ab|b)*(?!a|b)[cd]",
        "(?=(?:a|b|ab)*[cd])",
    ],
)
def test_no_search_takes_longer_than_its_bound(source: str) -> None:
    pattern = parse(source)
    for form in (pattern, final_form(pattern)):
        with processor_time_below(30 * TIME_LIMIT, clock=time.thread_time):
            try:
                span = compile_pattern(form).search("ab" * 50 + "a" * 40 + "!")
            except MatchLimitExceeded:
                span = None
            assert span is None
            # Thirty times the bound: a test machine may be slow, and an unbounded search would take years.


def test_compiling_a_huge_count_takes_no_memory() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))\n"
        "from ttsr_ls.esregex.parse.parser import parse\n"
        "from ttsr_ls.esregex.match.compile import compile_pattern\n"
        "for source in ('(?:a{100000}){100000}', '(?:a{0,60000}){60000}', '(?:[ab]{2000}){60000}', 'a{4294967296}'):\n"
        "    assert compile_pattern(parse(source)).search('ab' * 50) is None or source[3] == 'a'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_plain_text_is_matched_without_importing_regex() -> None:
    code = (
        "import sys\n"
        "from ttsr_ls.esregex.parse.parser import parse\n"
        "from ttsr_ls.esregex.match.compile import compile_pattern\n"
        "compile_pattern(parse('[ab]'))\n"
        "assert compile_pattern(parse('TODO')).test('a TODO')\n"
        "assert 'regex' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
