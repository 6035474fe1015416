"""Recorded reads notice every change of the rules, in all trees of the recorded discovery."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from tests.recorders.tree_files import make_workspace
from tests.store.discovery.discovery_vectors import recorded_trees
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.lint_contexts import LintContexts
from ttsr_ls.store.discovery.local_rules import rules_at
from ttsr_ls.store.files.disk_reads import DiskReads

RULE = "---\ncondition: bar\n---\nNo.\n"
TREES = recorded_trees()


def reading(environment: AgentEnvironment) -> tuple[DiskReads, Any]:
    reads = DiskReads()
    with reads.recorded():
        return reads, rules_at(environment)


@pytest.mark.parametrize(
    ("before", "change"),
    [
        (".github/instructions/web/", ".github/instructions/web/a.instructions.md"),
        (".cursor/", ".cursor/rules/a.mdc"),
        ("", ".omp/rules/a.md"),
        ("", ".omp/RULES.md"),
        ("", ".clinerules"),
        ("", "../home/.omp/agent/rules/a.md"),
    ],
)
def test_a_new_rule_changes_the_recorded_reads(before: str, change: str, tmp_path: Path) -> None:
    make_workspace(tmp_path, {"cwd": "p", "files": {f"p/{before}": ""} if before else {}})
    environment = AgentEnvironment(tmp_path / "p", tmp_path / "home")
    reads, found = reading(environment)
    assert (found.loaded, reads.have_changed()) == ((), False)
    path = tmp_path / "p" / change
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(RULE)
    assert (bool(rules_at(environment).loaded), reads.have_changed()) == (True, True)


def test_a_new_target_of_a_broken_link_changes_the_recorded_reads(tmp_path: Path) -> None:
    make_workspace(tmp_path, {"cwd": "p", "files": {"p/.omp/rules/a.md": "->../../../shared.md"}})
    reads, _ = reading(AgentEnvironment(tmp_path / "p", tmp_path / "home"))
    (tmp_path / "shared.md").write_text(RULE)
    assert reads.have_changed()


@pytest.mark.parametrize("seed", range(8))
def test_every_change_of_the_rules_changes_the_recorded_reads(seed: int, tmp_path: Path) -> None:
    chosen_random = random.Random(seed)
    changed = 0
    for number, tree in enumerate(chosen_random.sample(TREES, 20)):
        root = tmp_path / str(number)
        root.mkdir()
        make_workspace(root, tree)
        environ = {name: value.replace("{root}", str(root)) for name, value in tree["env"].items()}
        environment = AgentEnvironment(root / tree["cwd"], root / "home", environ)
        reads, before = reading(environment)
        rule_path = root / tree["cwd"] / ".omp" / "rules" / "a.md"
        contexts = DiskReads()
        with contexts.recorded():
            context = LintContexts().without_config(rule_path)
        assert not reads.have_changed()
        damage(root, chosen_random)
        if rules_at(environment) != before:
            changed += 1
            assert reads.have_changed(), tree["about"]
        if LintContexts().without_config(rule_path) != context:
            assert contexts.have_changed(), tree["about"]
    assert changed > 5


def damage(root: Path, chosen: random.Random) -> None:
    """Changes one file or folder of a tree: removes it, moves it, adds to it, or puts another beside it."""
    entries = sorted(path for path in root.rglob("*") if path.name != "home")
    path = chosen.choice([path for path in entries if path.is_file()] or entries)
    match chosen.randrange(5):
        case 0:
            shutil.rmtree(path.parent)
        case 1:
            path.rename(path.with_name(f"moved-{path.name}"))
        case 2 if path.is_file():
            path.write_text(RULE)
        case 3 if path.is_file():
            path.unlink()
        case _:
            (path.parent / f"more{path.suffix}").write_text(RULE)


def test_a_replacement_of_the_same_length_changes_the_recorded_reads(tmp_path: Path) -> None:
    make_workspace(tmp_path, {"cwd": "p", "files": {"p/.omp/rules/a.md": RULE}})
    reads, _ = reading(AgentEnvironment(tmp_path / "p", tmp_path / "home"))
    replacement = tmp_path / "new.md"
    replacement.write_text(RULE.replace("bar", "foo"))
    replacement.rename(tmp_path / "p" / ".omp" / "rules" / "a.md")
    assert reads.have_changed()


def test_checking_recorded_reads_is_faster_than_reading(tmp_path: Path) -> None:
    make_workspace(tmp_path, {"cwd": "p", "files": {f"p/.omp/rules/{number}.md": RULE for number in range(50)}})
    started_at = time.thread_time()
    reads, _ = reading(AgentEnvironment(tmp_path / "p", tmp_path / "home"))
    read = time.thread_time() - started_at
    started_at = time.thread_time()
    assert not reads.have_changed()
    assert time.thread_time() - started_at < read / 3
