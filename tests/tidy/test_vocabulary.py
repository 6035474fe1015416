"""Names of modules, classes, functions, and tests use the terms of the glossary, not earlier private ones."""

from __future__ import annotations

import re

from tests.tidy.test_shape import ROOT, tracked

PRIVATE_WORDS = re.compile(r"(?:^|_)(?:told|owe|owed|owes|mend|mended|mends)(?:_|$)")
"""Injected, reported, or shown; pending; fix and fixed."""
DEFINITION = re.compile(r"^\s*(?:async\s+)?(?:def|class)\s+(\w+)", re.MULTILINE)
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def has_private_word(name: str) -> bool:
    return PRIVATE_WORDS.search(HUMP.sub("_", name).lower()) is not None


def test_names_use_the_standard_terms() -> None:
    files = tracked("*.py")
    assert len(files) > 2000
    names = [
        (str(file.relative_to(ROOT)), name)
        for file in files
        for name in (file.stem, *DEFINITION.findall(file.read_text()))
    ]
    assert len(names) > 10_000
    assert not [each for each in names if has_private_word(each[1])]


def test_a_private_word_is_seen() -> None:
    assert has_private_word("test_the_model_is_told")
    assert has_private_word("OwedInjection")
    assert not has_private_word("followed_by_a_recommendation")
    assert not has_private_word("allowed")
