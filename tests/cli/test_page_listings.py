"""Examples of the pages about undiscovered, unregistered, and shadowed rules, as the reference agent lists them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write
from tests.lint.finding_page import parse_page
from ttsr_ls.lint.catalogue import entry_of

PAGES = json.loads((Path(__file__).parents[1] / "vectors" / "page-listings.json").read_text())["pages"]
NATIVE, BUILTIN = "native", "builtin-defaults"
SAID = {
    "frontmatter-not-recognised": ([], ["no-lorem"]),
    "regex-does-not-compile": ([], ["no-secret"]),
    "unreachable-scope": ([], ["no-print"]),
    "no-trigger": ([], ["no-print"]),
    "empty-body": ([], ["no-print"]),
    "inert-name": (["no-print"], ["use-the-logger"]),
    "wrong-value-type": (["no-print"], []),
    "not-discovered": ([], ["no-print"]),
    "duplicate-name": (["no-print"], ["no-pprint", "no-print"]),
    "shadowed-name": (["no-print"], ["no-print", "no-console"]),
    "replaces-builtin": (["ts-no-any"], ["no-casts-to-any"]),
    "builtin-not-disabled": ([f"{BUILTIN} ts-no-any"], []),
    "switched-off": ([], ["no-print"]),
}
"""The rules that are listed of the bad and of the good example."""


@pytest.mark.parametrize(("code", "side"), [(code, side) for code in PAGES for side in ("bad", "good")])
def test_rules_are_listed_as_on_the_page(
    code: str, side: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = PAGES[code][side]
    page = parse_page(entry_of(code).page)
    examples = page.bad if side == "bad" else page.good
    assert {example.path: example.text for example in examples} == recorded["files"], "record anew: tests/recorders"
    names = [name if provider != BUILTIN else f"{provider} {name}" for name, provider, _ in recorded["listed"]]
    assert names == SAID[code][0 if side == "bad" else 1]
    write(project, recorded["files"])
    ours = [rule["name"] for rule in json.loads(ttsr_ls(capsys, "list", "--json").out)]
    # The rules that are built into the agent are not there.
    assert ours == [name for name, provider, _ in recorded["listed"] if provider != BUILTIN]


def test_every_recorded_page_is_tested() -> None:
    assert set(PAGES) == set(SAID)
