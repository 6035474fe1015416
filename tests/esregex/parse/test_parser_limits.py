"""Patterns are hostile input: parsing takes linear time at any length and nesting depth."""

import time

import pytest

from tests.processor_time import processor_time_below
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.explain.explain import explain
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import walk

LENGTH = 30_000
# Linear parsing takes a tenth of a second; quadratic parsing would take a minute.
SECONDS = 3.0

LONG = {
    "literals": "a" * LENGTH,
    "characters of all sorts": "".join(chr(0x3000 + index % 0x5000) for index in range(LENGTH)),
    "digits after a brace": "a{" + "1" * LENGTH,
    "digits in counts": "a{" + "1" * LENGTH + "}",
    "braces": "{" * LENGTH,
    "braces with digits": "{1" * (LENGTH // 2),
    "counts": "a{1,2}" * (LENGTH // 6),
    "one class": "[" + "ab-z" * (LENGTH // 4) + "]",
    "classes": "[a-z\\d]" * (LENGTH // 7),
    "wide classes, all different": "".join(f"[\x80-{chr(0x3000 + index)}]" for index in range(LENGTH // 5)),
    "groups in a row": "(a)" * (LENGTH // 3),
    "nested groups": "(" * (LENGTH // 2) + ")" * (LENGTH // 2),
    "nested alternatives": "(a|" * (LENGTH // 4) + ")" * (LENGTH // 4),
    "nested repetitions": "(?:" * (LENGTH // 5) + ")*" * (LENGTH // 5),
    "nested lookarounds": "(?=" * (LENGTH // 4) + ")" * (LENGTH // 4),
    "nested lookbehinds": "(?<!" * (LENGTH // 5) + ")" * (LENGTH // 5),
    "nested flags": "(?i-s:" * (LENGTH // 7) + ")" * (LENGTH // 7),
    "alternatives": "a|" * (LENGTH // 2),
    "backreferences": "(a)" + "\\1" * (LENGTH // 2),
    "number of a backreference": "\\" + "1" * LENGTH,
    "octal escapes": "\\1" * (LENGTH // 2),
    "names": "".join(f"(?<n{index}>)" for index in range(LENGTH // 9)),
    "one long name": "(?<" + "n" * LENGTH + ">a)",
    "one long name of escapes": "(?<" + "\\u006e" * (LENGTH // 6) + ">a)",
    "digits in a name": "(?<\\u{" + "0" * LENGTH + "61}>a)",
    "a name in many alternatives": "|".join(["(?<n>a)"] * (LENGTH // 8)),
    "references to a name in many alternatives": "|".join(["(?<n>)\\k<n>"] * (LENGTH // 12)),
    "a name in nested alternatives": "(?:(?<n>)|" * (LENGTH // 11) + ")" * (LENGTH // 11),
    "escapes": "\\n\\x41\\u0041\\cA" * (LENGTH // 16),
    "incomplete escapes": "\\x\\u\\c\\k" * (LENGTH // 8),
}
LONG_AND_WRONG = {
    "open groups": "(" * LENGTH,
    "open classes": "[" * LENGTH,
    "open names": "(?<n" * (LENGTH // 4),
    "flags": "(?" + "i" * LENGTH,
    "digits out of order": "a{" + "2" * LENGTH + ",1}",
    "an open class of escapes": "[" + "\\k" * (LENGTH // 2),
    "surveyed open names": "\\1" + "(?<n" * (LENGTH // 4),
    "classes without an end after a reference": "\\1" + "[a" * (LENGTH // 2),
}


@pytest.mark.parametrize("source", LONG.values(), ids=LONG)
def test_long_patterns_are_parsed_in_linear_time(source: str) -> None:
    with processor_time_below(SECONDS, clock=time.thread_time):
        # Ignoring case costs the most.
        pattern = parse(source, Flags(ignore_case=True))
    assert sum(1 for _ in walk(pattern.root)) > 0


@pytest.mark.parametrize("source", LONG_AND_WRONG.values(), ids=LONG_AND_WRONG)
def test_syntax_errors_in_long_patterns_are_found_in_linear_time(source: str) -> None:
    with processor_time_below(SECONDS, clock=time.thread_time), pytest.raises(RegexSyntaxError):
        parse(source)


@pytest.mark.parametrize("source", LONG.values(), ids=LONG)
def test_explanations_of_long_patterns_are_short(source: str) -> None:
    with processor_time_below(SECONDS, clock=time.thread_time):
        lines = explain(parse(source))
    assert 0 < len(lines) <= 41
    assert max(len(line.text) for line in lines) < 500
    assert max(line.depth for line in lines) <= 5


def test_error_messages_do_not_grow_with_the_pattern() -> None:
    for source in (
        f"(?<a>x)\\k<{'n' * 9000}>",
        f"(?{'is' * 9000})",
        f"a{{{'2' * 9000},1}}",
        "(?<" + "n" * 9000 + ">)" * 2,
    ):
        with pytest.raises(RegexSyntaxError) as caught:
            parse(source)
        assert len(caught.value.message) < 400
