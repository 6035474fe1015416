"""The examples of docs/features.md can be installed as described, and work."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.host.driving import FINE, ShakyLog, run_on
from tests.features.packages import install
from ttsr_ls.features.loading import load_features
from ttsr_ls.session.history.turn import UserInput
from ttsr_ls.session.history.turn_events import MAIN_AGENT, ModelCall, StepAppended, TurnStarted
from ttsr_ls.session.hooks.contract import Append, Deny, Feature, Proceed, RequestContext, ToolCallContext
from ttsr_ls.session.hooks.feature_tools import ToolDone
from ttsr_ls.session.hooks.system_items import SystemItems, injections_by

MANUAL = (Path(__file__).parents[2] / "docs" / "features.md").read_text()
CODE, GUARD, FOLLOW_UP = re.findall(r"```python\n(.*?)```", MANUAL, re.DOTALL)
(ENTRY,) = re.findall(r'\[project\.entry-points\."ttsr_ls\.features"\]\nstep-budget = "step_budget:(\w+)"', MANUAL)
ANSWER = StepAppended("t1", 0, ModelCall(MAIN_AGENT, "m", (), complete=True))


@pytest.fixture
def feature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Feature:
    monkeypatch.syspath_prepend(str(tmp_path))
    install(tmp_path, "step-budget", CODE, **{"step-budget": ENTRY})
    loaded = load_features(["step-budget"])
    assert not loaded.problems
    return loaded.features[0]


async def test_the_documented_feature_injects_a_note_after_twenty_answers_of_each_turn(feature: Feature) -> None:
    spoken = []
    for turn in ("t1", "t2"):
        feature.evolve(TurnStarted(turn, UserInput("go")))
        for answered in range(30):
            context = RequestContext(turn=turn, agent=MAIN_AGENT, items=SystemItems())
            match await feature.on_request(context):
                case Append(items):
                    spoken.append((turn, answered, injections_by(context.items, items)[0].text))
                case other:
                    assert other == Proceed()
            feature.evolve(ANSWER)
    text = "Twenty answers so far. Say where things stand before you go on."
    assert spoken == [("t1", 20, text), ("t2", 20, text)]


async def test_the_tool_of_the_documented_feature_answers(feature: Feature) -> None:
    feature.evolve(ANSWER)
    (tool,) = feature.tools
    assert tool.name == "StepsLeft"
    assert await tool.run({}) == ToolDone("19 answers are left.")


@pytest.mark.parametrize(("command", "runs"), [("rm -rf /", False), ("ls", True)])
async def test_the_documented_guard_denies_removals(command: str, runs: bool) -> None:
    shown: dict[str, Any] = {}
    exec(GUARD, shown)  # noqa: S102 - runs the example of the page
    context = ToolCallContext("t1", 0, MAIN_AGENT, "c", "bash", f'{{"command": "{command}"}}')
    result = await shown["NoRemoval"]().before_tool_call(context)
    assert result == (Proceed() if runs else Deny("Nothing is deleted here. Move it to trash/ instead."))


async def test_the_documented_follow_up_asks_once_also_after_a_restart() -> None:
    shown: dict[str, Any] = {}
    exec(FOLLOW_UP, shown)  # noqa: S102 - runs the example of the page
    first = await run_on(rules={}, features=[shown["AskForTests"]()])
    await first.turn(FINE, FINE)
    await first.session.close()
    resumed = await run_on(ShakyLog(first.log.events), rules={}, features=[shown["AskForTests"]()])
    await resumed.turn(FINE)
    assert (len(first.sent), len(resumed.sent)) == (2, 1)
    assert str(resumed.session.messages).count("Did you run the tests?") == 1
    await resumed.session.close()
