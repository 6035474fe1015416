"""Each code has a page, whose bad example has the finding and whose good example has none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.lint.case_files import apply, findings_of
from tests.lint.finding_page import Example, parse_page
from ttsr_ls.lint.catalogue import CATALOGUE, CatalogueEntry

DOCS = Path(__file__).parents[2] / "docs"
ENTRIES = pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.code)


def codes(examples: tuple[Example, ...]) -> list[str]:
    found = findings_of([(example.path, example.text) for example in examples])
    return [finding.code for findings in found for finding in findings]


@ENTRIES
def test_page_is_titled_by_its_code_and_has_all_sections(entry: CatalogueEntry) -> None:
    assert entry.page.startswith(f"# {entry.code}\n")
    titles = [title for title, _ in parse_page(entry.page).sections]
    assert titles == ["What happens", "Bad", "Good", "How to fix it"]


@ENTRIES
def test_page_links_to_the_manual(entry: CatalogueEntry) -> None:
    more = re.findall(r"\((.*?)\)", entry.page.rpartition("\nMore: ")[2])
    assert more
    for link in more:
        assert (entry.page_path.parent / link).resolve().is_relative_to(DOCS), link
        assert (entry.page_path.parent / link).exists(), link


@ENTRIES
def test_bad_example_has_the_finding(entry: CatalogueEntry) -> None:
    page = parse_page(entry.page)
    assert page.bad
    assert entry.code in codes(page.bad)


@ENTRIES
def test_good_example_has_no_finding(entry: CatalogueEntry) -> None:
    page = parse_page(entry.page)
    assert page.good
    assert codes(page.good) == []


@ENTRIES
def test_fixes_of_the_bad_example_remove_the_finding(entry: CatalogueEntry) -> None:
    for example in parse_page(entry.page).bad:
        (findings,) = findings_of([(example.path, example.text)])
        for finding in findings:
            for fix in finding.fixes:
                (after,) = findings_of([(example.path, apply(example.text, fix))])
                assert {finding.code for finding in after} < {finding.code for finding in findings}


def test_no_page_is_without_a_code() -> None:
    pages = {path.stem for path in CATALOGUE[0].page_path.parent.glob("*.md")}
    assert pages == {entry.code for entry in CATALOGUE}
