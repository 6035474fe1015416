"""Each code has a page, whose bad example has the finding and whose good example has none."""

from __future__ import annotations

import re
from pathlib import Path

from tests.lint.case_files import apply, findings_of
from tests.lint.finding_page import Example, parse_page
from ttsr_ls.lint.catalogue import CATALOGUE

DOCS = Path(__file__).parents[2] / "docs"


def codes(examples: tuple[Example, ...]) -> list[str]:
    found = findings_of([(example.path, example.text) for example in examples])
    return [finding.code for findings in found for finding in findings]


def test_pages_are_titled_by_their_codes_and_have_all_sections() -> None:
    sections = ["What happens", "Bad", "Good", "How to fix it"]
    assert not [
        entry.code
        for entry in CATALOGUE
        if not entry.page.startswith(f"# {entry.code}\n")
        or [title for title, _ in parse_page(entry.page).sections] != sections
    ]


def test_pages_link_to_the_manual() -> None:
    for entry in CATALOGUE:
        more = re.findall(r"\((.*?)\)", entry.page.rpartition("\nMore: ")[2])
        assert more, entry.code
        for link in more:
            assert (entry.page_path.parent / link).resolve().is_relative_to(DOCS), (entry.code, link)
            assert (entry.page_path.parent / link).exists(), (entry.code, link)


def test_bad_examples_have_the_finding() -> None:
    assert not [entry.code for entry in CATALOGUE if entry.code not in codes(parse_page(entry.page).bad)]


def test_good_examples_have_no_finding() -> None:
    pages = [(entry.code, parse_page(entry.page)) for entry in CATALOGUE]
    assert all(page.good for _, page in pages)
    assert not [(code, found) for code, page in pages if (found := codes(page.good))]


def test_fixes_of_bad_examples_remove_the_finding() -> None:
    for entry in CATALOGUE:
        for example in parse_page(entry.page).bad:
            (findings,) = findings_of([(example.path, example.text)])
            for finding in findings:
                for fix in finding.fixes:
                    (after,) = findings_of([(example.path, apply(example.text, fix))])
                    assert {finding.code for finding in after} < {finding.code for finding in findings}, entry.code


def test_every_finding_page_has_a_code() -> None:
    pages = {path.stem for path in CATALOGUE[0].page_path.parent.glob("*.md")}
    assert pages == {entry.code for entry in CATALOGUE}
