"""The catalogue is complete, and everything that is reported is in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ttsr_ls
from ttsr_ls.errors import UsageError
from ttsr_ls.lint.catalogue import CATALOGUE, entry_of, find

PACKAGE = Path(ttsr_ls.__file__).parent


def test_codes_are_kebab_case_and_unique() -> None:
    codes = [entry.code for entry in CATALOGUE]
    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code) for code in codes)


def test_summaries_are_one_line_without_a_full_stop() -> None:
    assert not [entry.summary for entry in CATALOGUE if "\n" in entry.summary or entry.summary.endswith(".")]


def test_unknown_code_is_a_usage_error() -> None:
    assert find("no-such-code") is None
    with pytest.raises(UsageError, match="no-such-code"):
        entry_of("no-such-code")


def test_every_code_that_the_source_names_is_in_the_catalogue() -> None:
    """Problems are made with a literal code, and so are the findings of checks."""
    named: set[str] = set()
    folders = {name: sorted((PACKAGE / name).rglob("*.py")) for name in ("syntax", "rules", "lint")}
    assert all(folders.values())
    for file in [file for files in folders.values() for file in files]:
        text = file.read_text()
        named |= set(re.findall(r'(?:Problem|Finding|entry_of)\(\s*"([a-z0-9-]+)"', text))
        named |= set(re.findall(r'^_CODE = "([a-z0-9-]+)"', text, re.MULTILINE))
    assert len(named) > 10
    assert named <= {entry.code for entry in CATALOGUE}


def test_url_opens_the_page() -> None:
    entry = entry_of("glob-shorthand")
    assert entry.url.startswith("file:///")
    assert entry.url.endswith("/docs/findings/glob-shorthand.md")
