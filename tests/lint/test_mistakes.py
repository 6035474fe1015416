"""Everything that rule authors are known to get wrong has its finding, as bad as it is, at exactly its place.

`mistakes.txt` has an example of each, by the number that the list of lints gives it: the code, the path where that
matters, and the frontmatter, in which ⟦ and ⟧ enclose what is marked, and → is a tab. What no frontmatter can show
(files, settings, other rules) is shown by the pages of its codes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lint.case_files import findings_of
from tests.lint.finding_page import parse_page
from ttsr_ls.lint.catalogue import CATALOGUE, entry_of
from ttsr_ls.lint.finding import Severity

MISTAKES = Path(__file__).parent / "mistakes.txt"
E, W, I = Severity.ERROR, Severity.WARNING, Severity.INFO  # noqa: E741 - a table is read more easily so
NUMBERS = {
    E: (1, 2, 3, 4, 5, 12, 13, 20, 21, 22, 25, 40, 42, 43),
    W: (6, 7, 8, 9, 11, 14, 15, 23, 24, 26, 27, 28, 30, 31, 41, 44, 45, 47, 49, 50, 60, 61),
    I: (10, 16, 29, 32, 46, 48, 51),
}
"""How bad each is at the least, by the list of lints."""
ON_PAGES = {
    1: ("frontmatter-not-recognised",),
    13: ("empty-body",),
    14: ("not-discovered",),
    15: ("duplicate-name", "shadowed-name", "replaces-builtin", "builtin-not-disabled"),
    16: ("switched-off", "replaced-list"),
    21: ("regex-does-not-compile",),
    32: ("matches-own-words",),
    46: ("thinking-not-in-scope",),
    47: tuple(entry.code for entry in CATALOGUE if entry.code.startswith("ast-")),
    48: ("unasked-question",),
    61: ("pi-missing-trigger", "pi-invalid-scope", "pi-unicode-flag", "pi-never-fires"),
}


def mistakes() -> list[tuple[int, str, str, str]]:
    """Number, code, path and marked frontmatter of each example."""
    found = []
    for block in MISTAKES.read_text().split("\n\n"):
        head, *lines = block.rstrip("\n").split("\n")
        number, code, *path = head.split(" ")
        frontmatter = "".join(f"{line.removeprefix('    ')}\n" for line in lines).replace("→", "\t")
        found.append((int(number[1:]), code, path[0] if path else ".omp/rules/rule.md", frontmatter))
    return found


@pytest.mark.parametrize(("number", "code", "path", "marked"), mistakes())
def test_mistake_is_reported_at_its_position(number: int, code: str, path: str, marked: str) -> None:
    text = f"---\n{marked}---\nSay so.\n"
    start, end = text.index("⟦"), text.index("⟧") - 1
    (findings,) = findings_of([(path, text.replace("⟦", "").replace("⟧", ""))])
    assert (start, end) in [(finding.span.start, finding.span.end) for finding in findings if finding.code == code]


@pytest.mark.parametrize(
    ("number", "severity"), [(number, severity) for severity, numbers in NUMBERS.items() for number in numbers]
)
def test_mistake_has_a_finding_of_sufficient_severity(number: int, severity: Severity) -> None:
    codes = {code for mistake, code, _, _ in mistakes() if mistake == number} | set(ON_PAGES.get(number, ()))
    order = list(Severity)
    assert codes
    assert min(order.index(entry_of(code).severity) for code in codes) <= order.index(severity)


@pytest.mark.parametrize("code", sorted({code for codes in ON_PAGES.values() for code in codes}))
def test_codes_about_files_and_settings_have_examples(code: str) -> None:
    page = parse_page(entry_of(code).page)
    assert page.bad
    assert page.good
