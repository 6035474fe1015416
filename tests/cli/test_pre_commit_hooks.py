"""The hooks for pre-commit look at the files that agents look at, and run what there is."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from tests.cli.command import ttsr_ls
from ttsr_ls.syntax.dialects.table import DIALECTS

HOOKS = yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text())
PLACES = [place for dialect in DIALECTS for place in dialect.places]


def looks_at(path: str) -> bool:
    (pattern,) = {hook["files"] for hook in HOOKS}
    return re.search(pattern, path) is not None


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_rules_are_looked_at_where_agents_find_them(place: object) -> None:
    for suffix in place.suffixes:  # type: ignore[attr-defined]
        name = "/".join((*place.folders, f"{place.prefix}a{suffix}"))  # type: ignore[attr-defined]
        assert looks_at(name)
        assert looks_at(f"packages/web/{name}")


@pytest.mark.parametrize(
    "path", [".omp/config.yml", ".omp/settings.json", ".omp/rules/RULE.MD", ".omp/rules/too/deep.md"]
)
def test_so_are_settings_and_what_is_in_the_wrong_place(path: str) -> None:
    assert looks_at(path)


@pytest.mark.parametrize(
    "path", ["README.md", "docs/rules/a.md", ".omp/rules/a.txt", "x.omp/rules/a.md", ".github/README.md", "config.yml"]
)
def test_others_are_not(path: str) -> None:
    assert not looks_at(path)


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_entry_runs_on_files(hook: dict[str, str], project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, *args = shlex.split(hook["entry"])
    assert (program, hook["language"]) == ("ttsr-ls", "python")
    rules = project / ".omp" / "rules"
    rules.mkdir(parents=True)
    (rules / "good.md").write_text("---\ncondition: foo\n---\nSay so.\n")
    (rules / "bad.md").write_text("---\ncondition: '('\n---\nSay so.\n")
    assert ttsr_ls(capsys, *args, ".omp/rules/good.md").status == 0
    assert ttsr_ls(capsys, *args, ".omp/rules/good.md", ".omp/rules/bad.md").status == 1
