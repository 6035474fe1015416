"""`scan` finds in whole project trees what the reference agent's does, and counts the same files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import ttsr_ls
from tests.cli.scan.scan_vectors import recorded_scans
from tests.recorders.tree_files import make_files
from ttsr_ls.cli.scan import run_scan as scan
from ttsr_ls.isolation.ast_pool import AstPool
from ttsr_ls.matching.monitor.match_spans import MAX_MATCHES

TREES = recorded_scans()
TREE = pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree["about"])


@pytest.fixture(scope="module")
def pool() -> Iterator[AstPool]:
    with AstPool(2) as ast_pool:
        yield ast_pool


def links_that_lead_out(project: Path) -> set[str]:
    """Files behind links to outside of the project, which the agent scans and we do not (docs/cli.md)."""
    links = (path for path in project.rglob("*") if path.is_symlink() and path.is_file())
    return {path.relative_to(project).as_posix() for path in links if not path.resolve().is_relative_to(project)}


@TREE
def test_scan_finds_the_matches_of_the_recorded_agent(
    tree: dict[str, Any],
    project: Path,
    pool: AstPool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_files(project.parent, {name.replace("p/", "project/", 1): text for name, text in tree["files"].items()})
    monkeypatch.setattr(scan, "AstPool", lambda _: nullcontext(pool))
    ran = ttsr_ls(capsys, "scan", "--json", *tree["args"])
    report = json.loads(ran.out)
    incomplete = [match for file in report["files"] for match in file["matches"] if not match["complete"]]
    notes = [line for line in ran.err.splitlines() if "is not tried, because it has no valid trigger" not in line]
    assert len(notes) == len(incomplete)
    assert all(len(match["places"]) == MAX_MATCHES for match in incomplete)
    left_out = links_that_lead_out(project)
    assert found(report) == {path: matches for path, matches in tree["found"].items() if path not in left_out}
    places = [place for file in report["files"] for match in file["matches"] for place in match["places"]]
    assert report["summary"].pop("totalPlaces") == len(places) >= report["summary"]["totalMatches"]
    assert ran.status == bool(places)
    if not left_out:
        assert report["summary"] == tree["summary"]
    assert 0 <= tree["summary"]["totalFiles"] - report["summary"]["totalFiles"] <= len(left_out)


def found(report: dict[str, Any]) -> dict[str, Any]:
    return {
        file["filePath"]: [
            [match["name"], match["matched"]["regex"], match["matched"]["ast"]] for match in file["matches"]
        ]
        for file in report["files"]
    }


def test_the_recorded_scans_cover_all_kinds_of_results() -> None:
    matches = [match for tree in TREES for matches in tree["found"].values() for match in matches]
    assert len(TREES) >= 100
    assert len(matches) > 1200
    assert sum(bool(ast) for _, _, ast in matches) > 100
    skipped = [tree["summary"]["skipped"] for tree in TREES]
    assert all(sum(item[reason] for item in skipped) > 20 for reason in ("binary", "large", "noRelevantRules"))
    assert sum(any(text == "->../outside.ts" for text in tree["files"].values()) for tree in TREES) > 5
