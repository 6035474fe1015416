"""Features of installed packages are loaded by name, and an invalid one does not affect the others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.features.packages import install
from ttsr_ls.features.loading import FeatureProblem, load_features
from ttsr_ls.features.tasks.feature import TaskFeature

GOOD = """
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.hooks.feature_tools import FeatureTool, ToolDone

async def run(arguments):
    return ToolDone("x")

class Budget(Feature):
    name = "budget"

"""


def tool(arguments: str, times: int = 1) -> str:
    """A package whose feature has a tool made with these arguments."""
    return GOOD + f"class Made(Budget):\n    name = 'made'\n    tools = (FeatureTool({arguments}, run),) * {times}"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path; modules that a test imports from it are removed afterwards."""
    known = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in set(sys.modules) - known:
        del sys.modules[name]


def problem(*names: str, timeout: float = 10) -> str:
    loaded = load_features(names, timeout=timeout)
    assert loaded.features == ()
    (feature_problem,) = loaded.problems
    assert feature_problem.feature == names[0]
    return feature_problem.message


def test_a_feature_of_an_installed_package_is_loaded_by_its_name(installed: Path) -> None:
    install(installed, "token-budget", GOOD, budget="Budget")
    loaded = load_features(["budget", "tasks", "budget"])
    assert [type(feature).__name__ for feature in loaded.features] == ["Budget", "TaskFeature"]
    assert not loaded.problems


def test_features_that_are_not_named_are_not_imported(installed: Path) -> None:
    install(installed, "token-budget", GOOD, budget="Budget")
    install(installed, "loud-one", "raise SystemExit('imported')", loud="Loud")
    assert load_features([]).features == ()
    assert [feature.name for feature in load_features(["budget"]).features] == ["budget"]
    assert "loud_one" not in sys.modules


def test_each_load_creates_new_features() -> None:
    (first,), (second,) = load_features(["tasks"]).features, load_features(["tasks"]).features
    assert isinstance(first, TaskFeature)
    assert first is not second


def test_an_unknown_name_is_reported_with_the_known_ones(installed: Path) -> None:
    install(installed, "token-budget", GOOD, budget="Budget")
    assert problem("budgt") == "Feature budgt is not installed; there are: budget, tasks."


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("raise ValueError('no key')", "could not be loaded: ValueError: no key."),
        ("raise SystemExit(3)", "could not be loaded: SystemExit: 3."),
        ("import nothing_of_that_name", "could not be loaded: ModuleNotFoundError: No module named"),
        ("Other = 1", "could not be loaded: AttributeError: "),
        ("Made = 1", "could not be loaded: TypeError: 'int' object is not callable."),
        ("def Made(): raise KeyError('x')", "could not be loaded: KeyError: 'x'."),
        ("def Made(session): pass", "could not be loaded: TypeError: "),
        ("Made = dict", "cannot be used: it made a dict, which is no Feature."),
        (GOOD + "Made = Budget", "cannot be used: it calls itself 'budget', and its records must bear the name"),
        (GOOD + "class Made(Budget):\n    name = 'made'\n    tools = [1]", "cannot be used: its tools are not a tuple"),
        (tool("'no blanks', 'Says.', {'type': 'object'}"), "cannot be used: its tool 'no blanks' has no name, descrip"),
        (tool("'Say', None, {'type': 'object'}"), "cannot be used: its tool 'Say' has no name, description or schema"),
        (tool("'Say', 'Says.', {'type': 'string'}"), "cannot be used: its tool 'Say' has no name, description or sch"),
        (tool("'Say', 'Says.', {'type': run}"), "cannot be used: its tool 'Say' has no name, description or schema"),
        (tool("'Say', 'Says.', {'type': 'object'}", times=2), "cannot be used: two of its tools have the same name."),
        (
            GOOD
            + "class Made(Budget):\n    name = 'made'\n    @property\n    def tools(self): raise ValueError('none')",
            "could not be loaded: ValueError: none.",
        ),
        (
            GOOD + "class Made(Budget):\n    name = 'made'\n    timeout = 1e9",
            "cannot be used: its timeout is not between 0 and 60 seconds.",
        ),
    ],
)
def test_an_invalid_feature_is_reported_and_the_others_are_loaded(installed: Path, module: str, message: str) -> None:
    install(installed, "token-budget", GOOD, budget="Budget")
    install(installed, "broken-one", module, made="Made")
    loaded = load_features(["made", "budget"])
    assert [feature.name for feature in loaded.features] == ["budget"]
    (feature_problem,) = loaded.problems
    assert feature_problem.message.startswith("Feature made (broken_one:Made) ")
    assert message in feature_problem.message


def test_a_feature_that_hangs_while_loading_is_abandoned(installed: Path) -> None:
    waiting = "import threading\n\ndef Made():\n    threading.Event().wait()\n"
    install(installed, "slow-one", waiting, made="Made")
    install(installed, "token-budget", GOOD, budget="Budget")
    # The timeout must suffice for loading the other feature on a busy machine.
    loaded = load_features(["made", "budget"], timeout=1)
    assert [feature.name for feature in loaded.features] == ["budget"]
    assert loaded.problems == (FeatureProblem("made", "Feature made (slow_one:Made) was not ready after 1 seconds."),)


def test_a_name_offered_by_two_packages_is_not_loaded(installed: Path) -> None:
    install(installed, "budget-one", GOOD, budget="Budget")
    install(installed, "budget-two", GOOD, budget="Budget")
    expected = "Feature budget is offered more than once: budget_one:Budget, budget_two:Budget."
    assert problem("budget") == expected


def test_the_second_feature_with_a_tool_of_the_same_name_is_refused(installed: Path) -> None:
    install(installed, "other-list", tool("'TaskList', 'Lists.', {'type': 'object'}"), made="Made")
    loaded = load_features(["tasks", "made"])
    assert [feature.name for feature in loaded.features] == ["tasks"]
    assert loaded.problems == (
        FeatureProblem("made", "Feature made cannot be used: there is a tool TaskList already."),
    )
    assert [feature.name for feature in load_features(["made", "tasks"]).features] == ["made"]
    assert load_features(["made"], taken_names=["TaskList"]).features == ()


@pytest.mark.parametrize("name", ["ttsr", "judge"])
def test_packages_cannot_use_reserved_names(installed: Path, name: str) -> None:
    install(installed, "token-budget", GOOD, **{name: "Budget"})
    assert problem(name) == f"Feature {name} is part of every session that needs it, and cannot be loaded."


def test_packages_cannot_replace_built_in_features(installed: Path) -> None:
    install(installed, "other-tasks", GOOD, tasks="Budget")
    (feature,) = load_features(["tasks"]).features
    assert isinstance(feature, TaskFeature)
