"""Features of installed packages are loaded by name, and what is wrong with one stays with it."""

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
    """A folder on the path, without what it was used for before."""
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


def test_what_is_not_named_is_not_even_imported(installed: Path) -> None:
    install(installed, "token-budget", GOOD, budget="Budget")
    install(installed, "loud-one", "raise SystemExit('imported')", loud="Loud")
    assert load_features([]).features == ()
    assert [feature.name for feature in load_features(["budget"]).features] == ["budget"]
    assert "loud_one" not in sys.modules


def test_each_session_has_features_of_its_own() -> None:
    (first,), (second,) = load_features(["tasks"]).features, load_features(["tasks"]).features
    assert isinstance(first, TaskFeature)
    assert first is not second


def test_a_name_that_nobody_offers_is_told_with_those_there_are(installed: Path) -> None:
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
        (GOOD + "class Made(Budget):\n    name = 'made'\n    tools = [1]", "cannot be used: its tools are no tuple"),
        (tool("'no blanks', 'Says.', {'type': 'object'}"), "cannot be used: its tool 'no blanks' has no name, descrip"),
        (tool("'Say', None, {'type': 'object'}"), "cannot be used: its tool 'Say' has no name, description or schema"),
        (tool("'Say', 'Says.', {'type': 'string'}"), "cannot be used: its tool 'Say' has no name, description or sch"),
        (tool("'Say', 'Says.', {'type': run}"), "cannot be used: its tool 'Say' has no name, description or schema"),
        (tool("'Say', 'Says.', {'type': 'object'}", times=2), "cannot be used: two of its tools have one name."),
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
def test_what_cannot_be_loaded_is_reported_and_the_others_are_loaded(
    installed: Path, module: str, message: str
) -> None:
    install(installed, "token-budget", GOOD, budget="Budget")
    install(installed, "broken-one", module, made="Made")
    loaded = load_features(["made", "budget"])
    assert [feature.name for feature in loaded.features] == ["budget"]
    (feature_problem,) = loaded.problems
    assert feature_problem.message.startswith("Feature made (broken_one:Made) ")
    assert message in feature_problem.message


def test_a_feature_that_hangs_is_left_behind(installed: Path) -> None:
    waiting = "import threading\n\ndef Made():\n    threading.Event().wait()\n"
    install(installed, "slow-one", waiting, made="Made")
    install(installed, "token-budget", GOOD, budget="Budget")
    # The other one needs time as well, and may have to wait for a processor.
    loaded = load_features(["made", "budget"], timeout=1)
    assert [feature.name for feature in loaded.features] == ["budget"]
    assert loaded.problems == (FeatureProblem("made", "Feature made (slow_one:Made) was not ready after 1 seconds."),)


def test_a_name_that_two_packages_offer_is_nobodys(installed: Path) -> None:
    install(installed, "budget-one", GOOD, budget="Budget")
    install(installed, "budget-two", GOOD, budget="Budget")
    expected = "Feature budget is offered more than once: budget_one:Budget, budget_two:Budget."
    assert problem("budget") == expected


def test_of_two_features_with_a_tool_of_one_name_the_first_counts(installed: Path) -> None:
    install(installed, "other-list", tool("'TaskList', 'Lists.', {'type': 'object'}"), made="Made")
    loaded = load_features(["tasks", "made"])
    assert [feature.name for feature in loaded.features] == ["tasks"]
    assert loaded.problems == (
        FeatureProblem("made", "Feature made cannot be used: there is a tool TaskList already."),
    )
    assert [feature.name for feature in load_features(["made", "tasks"]).features] == ["made"]
    assert load_features(["made"], taken_names=["TaskList"]).features == ()


@pytest.mark.parametrize("name", ["ttsr", "judge"])
def test_no_package_takes_the_name_of_what_sessions_have_anyway(installed: Path, name: str) -> None:
    install(installed, "token-budget", GOOD, **{name: "Budget"})
    assert problem(name) == f"Feature {name} is part of every session that needs it, and cannot be loaded."


def test_no_package_takes_the_name_of_one_of_ours(installed: Path) -> None:
    install(installed, "other-tasks", GOOD, tasks="Budget")
    (feature,) = load_features(["tasks"]).features
    assert isinstance(feature, TaskFeature)
