"""`ttsr-ls agent` loads the features that the project's configuration names from installed packages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write
from ttsr_ls.session.history.turn_events import CallRefused, StepUpdated, ToolInputChanged
from ttsr_ls.store.log.reader import read_log

FEATURE = """
from ttsr_ls.session.hooks.contract import Append, ChangeInput, Deny, Feature, Proceed
from ttsr_ls.session.hooks.feature_tools import FeatureTool, ToolDone

class Weather(Feature):
    name = "weather"

    def __init__(self):
        schema = {"type": "object", "properties": {}}
        self.tools = (FeatureTool("Weather", "Says how the weather is.", schema, self._say),)

    async def on_request(self, context):
        return Append((context.items.note("Mind the weather."),))

    async def before_tool_call(self, context):
        if "secret" in context.arguments:
            return Deny("Not that one.")
        if "old" in context.arguments:
            return ChangeInput('{"path": "new.txt"}')
        return Proceed()

    async def _say(self, arguments):
        return ToolDone("It rains.")
"""
SCRIPT = """
answers:
  - - tool: Weather
      arguments: {}
  - It rains, I am told.
"""


@pytest.fixture
def installed(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project beside an installed package with two features: a working one, and one whose tool has a name in use."""
    packages = tmp_path / "packages"
    entries = "[ttsr_ls.features]\nweather = agent_weather:Weather\nreading = agent_reading:Reading\n"
    reading = FEATURE.replace("Weather(", "Reading(").replace('"weather"', '"reading"').replace('"Weather"', '"read"')
    write(
        packages,
        {
            "agent_weather.py": FEATURE,
            "agent_reading.py": reading,
            "agent_weather-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: agent-weather\nVersion: 1.0\n",
            "agent_weather-1.0.dist-info/entry_points.txt": entries,
        },
    )
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    write(project, {"script.yaml": SCRIPT})
    return project


def test_hooks_and_tools_of_a_configured_feature_are_used(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (installed / "ttsr-ls.toml").write_text('features = ["weather"]\n')
    ran = ttsr_ls(capsys, "agent", "--script", "script.yaml", "--verbose", "-p", "How is it?")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("Mind the weather.") == 2
    assert "It rains.\n" in ran.out


def test_a_feature_can_deny_a_call_or_change_its_input(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(installed, {"ttsr-ls.toml": 'features = ["weather"]\n', "secret.txt": "hidden", "old.txt": "old words"})
    write(installed, {"new.txt": "new words"})
    calls = [{"tool": "read", "arguments": {"path": name}} for name in ("secret.txt", "old.txt")]
    (installed / "script.yaml").write_text(json.dumps({"answers": [calls, "Done."]}))
    ran = ttsr_ls(capsys, "agent", "--script", "script.yaml", "--log", "log.jsonl", "-p", "Read.")
    assert (ran.status, ran.err) == (0, "")
    assert "weather did not let a tool call run." in ran.out
    assert "Not that one." in ran.out
    assert 'weather changed the input of a tool call to {"path": "new.txt"}' in ran.out
    assert "new words" in ran.out
    assert "hidden" not in ran.out
    assert "old words" not in ran.out
    events = [record.event for record in read_log(installed / "log.jsonl").records]
    assert [event.arguments for event in events if isinstance(event, ToolInputChanged)] == ['{"path": "new.txt"}']
    states = [event.state for event in events if isinstance(event, StepUpdated)]
    assert [state.denied_by for state in states if isinstance(state, CallRefused)] == ["weather"]


def test_a_feature_that_is_not_configured_is_not_loaded(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = ttsr_ls(capsys, "agent", "--script", "script.yaml", "--verbose", "-p", "How is it?")
    assert "Mind the weather." not in ran.out
    assert "It rains.\n" not in ran.out


def test_an_unusable_feature_is_reported_and_the_agent_runs(
    installed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (installed / "ttsr-ls.toml").write_text('features = ["reading", "snow", "tasks"]\n')
    ran = ttsr_ls(capsys, "agent", "--script", "script.yaml", "-p", "How is it?")
    assert ran.status == 0
    assert ran.err.splitlines() == [
        "ttsr-ls: Feature reading cannot be used: there is a tool read already.",
        "ttsr-ls: Feature snow is not installed; there are: reading, tasks, weather.",
    ]
    assert "It rains, I am told." in ran.out
