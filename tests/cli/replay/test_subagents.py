"""`replay` applies the rules of a subagent's kind to the subagent's output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import ttsr_ls, write

AGENT = "a4cf1f02a0bc6ec9a"


@pytest.fixture(autouse=True)
def rule_files(project: Path) -> None:
    kinds = (("of-all", ""), ("of-main", "agents: main"), ("of-explore", "agents: Explore"))
    write(
        project,
        {f".omp/rules/{name}.md": f"---\ncondition: deprecated_module\n{agents}\n---\nNo.\n" for name, agents in kinds},
    )


def transcript(project: Path, name: str, **fields: Any) -> Path:
    """A transcript with one answer, as Claude Code 2.1.329 keeps it."""
    common = {"parentUuid": None, "sessionId": "203d9e0c", "cwd": str(project), **fields}
    path = project / "kept" / name
    path.parent.mkdir(exist_ok=True)
    lines = [
        {"type": "user", "message": {"role": "user", "content": "Look."}, **common},
        {
            "type": "assistant",
            "message": {
                "id": "m1",
                "role": "assistant",
                "content": [{"type": "text", "text": "See deprecated_module."}],
            },
            **common,
        },
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def replayed(capsys: pytest.CaptureFixture[str], path: Path) -> set[str]:
    return set(json.loads(ttsr_ls(capsys, "replay", str(path), "--jobs", "1", "--json").out)["counts"])


def test_the_main_agent_has_no_rules_of_subagents(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    assert replayed(capsys, transcript(project, "203d9e0c.jsonl", isSidechain=False)) == {"of-all", "of-main"}


def test_the_lines_of_a_subagent_name_its_kind(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    path = transcript(project, "kept.jsonl", isSidechain=True, agentId=AGENT, attributionAgent="Explore")
    assert replayed(capsys, path) == {"of-all", "of-explore"}


def test_a_file_beside_the_transcript_names_the_kind(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    path = transcript(project, f"agent-{AGENT}.jsonl", isSidechain=True, agentId=AGENT)
    path.with_suffix(".meta.json").write_text(json.dumps({"agentType": "Explore", "toolUseId": "toolu_00101"}))
    assert replayed(capsys, path) == {"of-all", "of-explore"}


@pytest.mark.parametrize("described", ["", "[]", "{", '{"agentType": 7}', '{"agentType": ""}'])
def test_a_subagent_of_an_unknown_kind_has_the_rules_of_any_subagent(
    capsys: pytest.CaptureFixture[str], project: Path, described: str
) -> None:
    path = transcript(project, f"agent-{AGENT}.jsonl", isSidechain=True, agentId=AGENT)
    path.with_suffix(".meta.json").write_text(described)
    assert replayed(capsys, path) == {"of-all"}


def test_rules_for_subagents_alone_are_replayed(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    for name in ("of-all", "of-main"):
        (project / ".omp" / "rules" / f"{name}.md").unlink()
    path = transcript(project, "kept.jsonl", isSidechain=True, agentId=AGENT, attributionAgent="Explore")
    assert replayed(capsys, path) == {"of-explore"}
