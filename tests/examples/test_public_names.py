"""`ttsr_ls` has the names that embedding programs need, and importing it costs nothing until one is asked for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import ttsr_ls
from ttsr_ls.bridge import public
from ttsr_ls.bridge.host.events import AnswerInterrupted
from ttsr_ls.features.judge.judge import Judge
from ttsr_ls.session.history.turn_events import TurnCancelled, TurnCompleted, TurnEvent, TurnFailed
from ttsr_ls.session.hooks import contract

MANUAL = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", public.__all__)
def test_a_public_name_is_at_the_top(name: str) -> None:
    assert getattr(ttsr_ls, name) is getattr(public, name)
    assert name in dir(ttsr_ls)


def test_the_list_is_sorted_and_has_nothing_twice() -> None:
    assert public.__all__ == sorted(set(public.__all__))
    assert len(public.__all__) > 50


def test_what_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Core'"):
        _ = ttsr_ls.Core
    with pytest.raises(AttributeError, match="has no attribute '__wrapped__'"):
        _ = ttsr_ls.__wrapped__


def test_a_star_imports_all_public_names() -> None:
    names: dict[str, object] = {}
    exec("from ttsr_ls import *", names)  # noqa: S102 - such an import stands at the top of a module only
    assert set(names) - {"__builtins__"} == {*public.__all__, "__version__"}


def test_importing_the_package_imports_nothing_else() -> None:
    check = "import sys, ttsr_ls; print(sorted(name for name in sys.modules if name.startswith('ttsr_ls')))"
    process = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, timeout=60)
    assert process.stdout == "['ttsr_ls']\n"


@pytest.mark.parametrize("page", ["embedding.md", "features.md"])
def test_programs_of_the_manual_import_public_names_from_the_top(page: str) -> None:
    text = (MANUAL / page).read_text("utf-8")
    imported = re.findall(r"^from ttsr_ls\.([\w.]+) import (.+)$", text, re.MULTILINE)
    assert "from ttsr_ls import" in text
    assert [found for found in imported if set(re.findall(r"\w+", found[1])) & set(public.__all__)] == []


def test_all_types_that_results_of_hooks_are_made_of_are_public() -> None:
    results = {name for name in vars(contract) if name.endswith("Result")}
    made = {"PendingInjection", "InjectionKind", "Role", "FeatureRecorded", "ContextMode"}
    assert (results | made) - set(public.__all__) == set()


def test_all_types_that_a_feature_or_listener_distinguishes_are_public() -> None:
    values = (
        *get_args(get_type_hints(contract.ToolResultContext)["result"]),
        *get_args(get_type_hints(AnswerInterrupted)["cause"]),
        TurnCompleted,
        TurnFailed,
        TurnCancelled,
    )
    assert {kind.__name__ for kind in values} - set(public.__all__) == set()


def test_all_events_that_a_feature_evolves_by_and_all_answers_of_a_judge_are_public() -> None:
    answers = get_args(get_type_hints(Judge.ask)["return"])
    assert {kind.__name__ for kind in (*get_args(TurnEvent), *answers, Judge)} - set(public.__all__) == set()
