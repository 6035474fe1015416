"""Real agents under `ttsr-ls run`: interrupted where they break a rule, and the corrected file is on disk."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.agents.driven_agents import AGENTS, SCENARIOS, FinishedRun, run_scenario
from tests.cli.command import ttsr_ls
from ttsr_ls.session.history.turn_events import (
    InjectionCommitted,
    OutputInterrupted,
    RetryStarted,
    RuleTriggered,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.history.turn_fold import fold
from ttsr_ls.store.log.reader import read_log

LIFECYCLE = (TurnStarted, RuleTriggered, OutputInterrupted, InjectionCommitted, RetryStarted, TurnEnded)
EVERYTHING = "prose, a call, and a rule that does not interrupt"
KEPT = "prose that is kept"
AT_ONCE = 3
"""So many agents run side by side: each waits about as long as it computes."""


def each_of(scenario: str, *names: str) -> pytest.MarkDecorator:
    """The test is one of a finished run of a scenario, by each of the agents, or of all."""
    chosen = names or tuple(AGENTS)
    return pytest.mark.parametrize("run", [(name, scenario) for name in chosen], indirect=True, ids=chosen)


@pytest.fixture(scope="module")
def runs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[tuple[str, str], Future[FinishedRun]]]:
    """The runs that the tests of this file are about. Several tests may be about the same."""
    tests: list[Any] = [
        item for item in request.session.items if item.path == request.path and isinstance(item, pytest.Function)
    ]
    wanted = dict.fromkeys(item.callspec.params["run"] for item in tests)
    with ThreadPoolExecutor(AT_ONCE) as executor:
        yield {
            (name, scenario): executor.submit(
                run_scenario,
                AGENTS[name],
                SCENARIOS[scenario],
                tmp_path_factory.mktemp(f"{name}-{scenario}".replace(" ", "-")),
            )
            for name, scenario in wanted
        }
        executor.shutdown(cancel_futures=True)


@pytest.fixture
def run(request: pytest.FixtureRequest, runs: Mapping[tuple[str, str], Future[FinishedRun]]) -> FinishedRun:
    return runs[request.param].result()


def lifecycle(log: Path) -> list[str]:
    return [type(event).__name__ for event in events(log) if isinstance(event, LIFECYCLE)]


def events(log: Path) -> list[TurnEvent]:
    return [record.event for record in read_log(log).records]


@each_of(EVERYTHING)
def test_a_tool_call_is_prevented_and_corrected(run: FinishedRun) -> None:
    assert run.returncode == 0, run.stderr
    assert run.written.startswith("import new_module\n")
    assert "Put right." in run.stdout
    assert "no-ancient fired on" in run.stderr
    assert "Injected no-ancient" in run.stderr
    # Where the call was refused before it was cut off, opencode has asked for another answer already.
    assert "Take none that is gone." in "".join(map(asked, run.requests[2:]))
    # The call never ran.
    assert "could not be prevented" not in run.stderr


@each_of("suspended run", "claude", "pi", "omp")
def test_a_call_waits_for_a_run_that_is_late(run: FinishedRun) -> None:
    assert run.returncode == 0, run.stderr
    assert "no-old fired on" in run.stderr
    assert "could not be prevented" not in run.stderr
    assert run.written.startswith("import new_module\n")


@each_of(EVERYTHING)
def test_prose_is_interrupted(run: FinishedRun) -> None:
    assert run.returncode == 0, run.stderr
    assert "no-old fired on text" in run.stderr
    assert "warning:" not in run.stderr
    assert "Injected no-old" in run.stderr


@each_of(EVERYTHING)
def test_each_trigger_has_its_interrupt_its_injection_and_its_retry_on_record(run: FinishedRun) -> None:
    assert run.returncode == 0, run.stderr
    interrupted = ["RuleTriggered", "OutputInterrupted", "InjectionCommitted", "RetryStarted"]
    assert lifecycle(run.log)[:-3] == ["TurnStarted", *interrupted, *interrupted]
    assert not fold(events(run.log)).problems


def asked(request: dict[str, object]) -> str:
    return json.dumps(request.get("messages") or request.get("input"))


@each_of(EVERYTHING)
def test_a_discarded_answer_is_not_seen_again(run: FinishedRun) -> None:
    assert run.returncode == 0, run.stderr
    assert "interrupted and discarded" in run.stderr
    assert "I take the" not in asked(run.requests[1])
    assert "Write a.py" in asked(run.requests[1])
    assert "Use new_module." in asked(run.requests[1])


@each_of(KEPT, "claude", "omp", "opencode")
def test_a_kept_answer_stays_in_the_history(run: FinishedRun) -> None:
    assert run.returncode == 0, run.stderr
    assert run.written.startswith("import new_module\n")
    assert "I take the" in asked(run.requests[1])
    assert "Use new_module." in asked(run.requests[1])
    # What breaks no rule is left alone.
    assert lifecycle(run.log) == [
        "TurnStarted", "RuleTriggered", "OutputInterrupted", "InjectionCommitted", "RetryStarted", "TurnEnded",
    ]  # fmt: skip


@each_of("call with hooks", "codex")
def test_a_folder_that_codex_began_to_trust_is_named(run: FinishedRun) -> None:
    project = run.log.parent / "shop"
    assert f"it trusts {project} from now on" in run.stderr
    assert f'remove [projects."{project}"]' in run.stderr


@each_of("sandboxed call", "codex")
def test_a_sandboxed_call_of_codex_runs_and_is_put_right(run: FinishedRun) -> None:
    assert run.returncode == 0, run.stderr
    assert "the call already runs" in run.stderr
    assert "ran. The agent is asked to correct it." in run.stderr
    assert run.written == "import new_module\n"


@each_of("call with hooks", "claude", "codex")
def test_installed_hooks_leave_the_session_to_the_run(run: FinishedRun) -> None:
    assert run.returncode == 0, run.stderr
    assert run.written.startswith("import new_module\n")
    # The hook server has no session of its own, and the model got the rule from the run alone.
    assert list(run.log.parent.glob("state/ttsr-ls/shop-*/*.jsonl")) == []
    assert "This tool call was not run" not in json.dumps(run.requests)
    assert lifecycle(run.log).count("InjectionCommitted") == 1


@each_of(EVERYTHING)
def test_a_rule_that_does_not_interrupt_reaches_the_model(run: FinishedRun) -> None:
    assert run.returncode == 0, run.stderr
    assert "Put it right." in "".join(map(asked, run.requests[3:]))
    assert sorted(lifecycle(run.log)[-3:]) == ["InjectionCommitted", "RuleTriggered", "TurnEnded"]
    assert lifecycle(run.log).count("TurnStarted") == lifecycle(run.log).count("TurnEnded") == 1


@each_of(EVERYTHING, "opencode")
def test_the_session_that_opencode_kept_is_replayed(run: FinishedRun, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(run.log.parent))
        patch.delenv("XDG_DATA_HOME", raising=False)
        patch.chdir(run.log.parent / "shop")
        listed = json.loads(ttsr_ls(capsys, "sessions", "list", "--agents", "--json").out)
        report = json.loads(ttsr_ls(capsys, "replay", "--jobs", "1", "--json").out)
    assert [item["source"] for item in listed] == ["opencode"]
    kept = next(item for item in report["sessions"] if item["path"] == listed[0]["path"])
    assert kept["skippedLines"] == 0
    assert [(item["rule"], item["stream"], item["path"]) for item in kept["triggers"]] == [
        ("no-unchecked", "write", str(run.log.parent / "shop" / "a.py"))
    ]


@each_of("no repository", "claude", "codex", "pi")
def test_an_agent_that_breaks_no_rule_is_left_alone(run: FinishedRun) -> None:
    assert run.returncode == 0, run.stderr
    assert run.written.startswith("import new_module\n")
    assert lifecycle(run.log) == ["TurnStarted", "TurnEnded"]
