"""`list --json` and `test --json` answer as the reference agent does, except where a difference is meant.

The answers are recorded (tests/vectors/README.md). `matching` is `reference`, as the agent knows no other.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import ttsr_ls, type_in, write

RECORDED = json.loads((Path(__file__).parents[1] / "vectors" / "ttsr-cli.json").read_text(encoding="utf-8"))
CASES = RECORDED["cases"]

# The fields that we add, and a field whose text is our own.
OURS = {
    "offset", "reasons", "slow", "skippedAst", "inferenceNote", "dialect", "explanations", "scopeNote", "argumentsNote",
}  # fmt: skip

# Runs whose answer differs on purpose, each with the reason (docs/cli.md says the same).
DIFFERENT: dict[str, str] = {
    "test rm -rf / --tool bash": "a tool that is named makes the text a tool call",
    "test --file src/a.ts": "a file is matched as it would live: also by its path in the project (G5)",
    "test src/a.ts": "a file is matched as it would live: also by its path in the project (G5)",
    "test --rule .omp/rules/any.md --file src/a.ts": "a file is matched as it would live (G5)",
    "test snippet --file src/a.ts": "a file is matched as it would live (G5)",
    "test --rule .omp/rules/gated-text.md foo --source text --path x.ts": "text has no path in a live session (G1)",
    "test --file src/a.ts --source text": "text has no path in a live session (G1)",
    "test --file - --path q.ts --source text": "text has no path in a live session (G1)",
    "test --rule .agents/rules/agents.md " + "é" * 40 + "😀" * 30: "a preview does not end in half a character",
}


def key(case: dict[str, Any]) -> str:
    return " ".join(case["args"])


def ours(
    case: dict[str, Any], root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, Any]:
    write(root, RECORDED["files"])
    monkeypatch.setenv("HOME", str(root / "home"))
    monkeypatch.chdir(root / "project")
    type_in(monkeypatch, case.get("stdin", "").encode())
    extra = ["--matching", "reference"] if case["args"][0] == "test" else []
    ran = ttsr_ls(capsys, *case["args"], *extra, "--json")
    return ran.status, json.loads(ran.out.replace(str(root), "{root}")) if ran.out else None


def comparable(value: Any) -> Any:
    """An answer without our own fields, and with a fixed value in place of the text of an error."""
    if isinstance(value, dict):
        if "error" in value:
            return {"error": True}
        kept = {name: comparable(item) for name, item in value.items() if name not in OURS}
        if kept.get("matching") == "reference":
            del kept["matching"]
        return kept
    return [comparable(item) for item in value] if isinstance(value, list) else value


def test_the_recording_is_large_and_has_all_documented_differences() -> None:
    assert len(CASES) > 60
    assert {key(case) for case in CASES} >= set(DIFFERENT)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["json"] is not None and key(case) not in DIFFERENT], ids=key
)
def test_trials_give_the_answers_of_the_recorded_agent(
    case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, answer = ours(case, tmp_path, capsys, monkeypatch)
    assert comparable(answer) == comparable(case["json"])
    assert status == case["exitJson"]


@pytest.mark.parametrize("case", [case for case in CASES if key(case) in DIFFERENT], ids=key)
def test_documented_differences_from_the_agent_exist(
    case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, answer = ours(case, tmp_path, capsys, monkeypatch)
    assert comparable(answer) != comparable(case["json"])


@pytest.mark.parametrize("case", [case for case in CASES if case["json"] is None], ids=key)
def test_trials_refuse_the_arguments_on_which_the_agent_fails(
    case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert case["exitJson"] != 0
    write(tmp_path, RECORDED["files"])
    monkeypatch.chdir(tmp_path / "project")
    ran = ttsr_ls(capsys, *case["args"])
    assert ran.status != 0
    assert ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("early", "whole"),
    [("any", "anything"), ("unwrap", "unwrap_or"), ("done", "dones"), ("=> s", "=> s{")],
)
def test_the_agent_fires_where_end_sensitive_conditions_are_reported(early: str, whole: str) -> None:
    """The claim of `end-sensitive-condition`: the agent fires on the beginning and not on all of the text."""
    answers = {case["args"][-1]: case["json"] for case in CASES if ".omp/rules/end.md" in case["args"]}
    assert answers[early]["triggered"]
    assert not answers[whole]["triggered"]
