"""Converting rules of hookify: a pattern of Python becomes one that matches the same texts."""

from __future__ import annotations

import re

import pytest

from ttsr_ls.convert.conversion import convert
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.syntax.dialects.table import find_dialect
from ttsr_ls.syntax.reader import read_rule

TEXTS = (
    "",
    "a",
    "foo",
    "foo\n",
    "foo\nbar",
    "\nfoo",
    "foo\n\n",
    "]",
    "a]",
    "x",
    "$",
    "aa",
    "aaa",
    "a{,2}",
    "FOO",
    "--",
)


@pytest.mark.parametrize(
    "pattern",
    [
        "foo$", "^$", "(?:foo|a)$", r"foo\Z", r"\Afoo", "^foo", "[]a]$", "[^]a]", "[$]", r"\$", r"[\]$]x?", "^a{,2}$",
        r"(?P<c>a)(?P=c)", r"[\\]]", "a(?!$)",
    ],
)  # fmt: skip
def test_a_converted_python_pattern_matches_the_same_texts(pattern: str) -> None:
    hookify, omp = find_dialect("hookify"), find_dialect("omp")
    assert hookify is not None
    assert omp is not None
    text = f"---\nevent: file\npattern: '{pattern}'\n---\nBody.\n"
    conversion = convert(text, name="r", path="r.md", source=hookify, target=omp)
    (condition,) = read_rule(conversion.text, name="r", path="r.md").fields.conditions
    matcher = compile_condition(condition.value).matcher
    for each_text in TEXTS:
        assert matcher.test(to_units(each_text)) == bool(re.search(pattern, each_text, re.IGNORECASE)), each_text
