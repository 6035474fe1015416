"""Programs that serve sessions build the automata of a session before its first delta, and freeze them: a full pass of
Python's collector would traverse them all in the middle of some delta."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.bridge.watch.watching import NO_OLD
from tests.cli.command import environment

Counts = dict[str, dict[str, list[int]]]


@pytest.fixture(scope="module")
def counts(tmp_path_factory: pytest.TempPathFactory) -> Counts:
    """What `counted_automata` counts in a project with a rule."""
    shop = tmp_path_factory.mktemp("shop")
    (shop / ".omp" / "rules").mkdir(parents=True)
    (shop / ".omp" / "rules" / "no-old.md").write_text(NO_OLD)
    home = str(tmp_path_factory.mktemp("home"))
    counted = subprocess.run(
        [sys.executable, "-m", "tests.cli.counted_automata"],
        cwd=shop,
        env=environment(HOME=home, XDG_STATE_HOME=f"{home}/state"),
        stdout=subprocess.PIPE,
        check=True,
    )
    found: Counts = json.loads(counted.stdout)
    return found


@pytest.mark.parametrize("program", ["hooks", "proxy", "relay"])
def test_the_automata_of_a_session_are_built_and_frozen_when_it_opens(program: str, counts: Counts) -> None:
    frozen, unfrozen = counts["opened"][program]
    assert frozen == 0
    assert unfrozen > 0


@pytest.mark.parametrize("program", ["hooks", "proxy"])
def test_objects_of_a_closed_session_are_freed_when_the_next_one_opens(program: str, counts: Counts) -> None:
    before, after = counts["reopened"][program]
    assert before == after
