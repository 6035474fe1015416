"""The rules that come with the reference agent, read and matched here and by its own `list`, `scan` and `test`.

Needs the agent: see conftest.py. Nothing of its files is kept; they are read where it is installed.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ROOT, titled_block
from tests.rules.rule_files import tool_call
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.matcher_cache import MatcherCache
from ttsr_ls.rules.providers import BUILTIN
from ttsr_ls.rules.registration import Bucket, Registration, register
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import BlockEnd, Snapshot
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile

ENDINGS = {"go": ["go"], "rs": ["rs"], "ts": ["ts", "test.ts"]}
"""Rules are named by language; the endings of the files that they are for."""

_FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Agent:
    """An installed reference agent, and an empty home and project for it."""

    program: Path
    folder: Path

    def ask(self, *arguments: str) -> Any:
        """The JSON that `omp ttsr …` prints."""
        environment = {**os.environ, "HOME": str(self.folder / "home"), "NO_COLOR": "1"}
        command = [str(self.program), "ttsr", *arguments, "--json"]
        project = self.folder / "project"
        done = subprocess.run(command, cwd=project, env=environment, capture_output=True, check=True, timeout=120)
        return json.loads(done.stdout)

    def rules(self) -> list[RuleFile]:
        """Returns the agent's rule files as this program reads them."""
        for parent in self.program.resolve().parents:
            found = sorted(parent.glob("node_modules/@oh-my-pi/pi-coding-agent/src/discovery/builtin-rules/*.md"))
            if found:
                paths = {path: f"{BUILTIN.id}:{path.name}" for path in found}
                return [read_rule(path.read_text(), name=path.stem, path=shown) for path, shown in paths.items()]
        raise AssertionError("the installation has no rule files")


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Agent:
    folder = tmp_path_factory.mktemp("reference")
    for name in ("home", "project"):
        (folder / name).mkdir()
    return Agent(Path(os.environ["TTSR_OMP"]), folder)


@pytest.fixture(scope="module")
def registrations(agent: Agent) -> list[Registration]:
    return [register(file, BUILTIN.id) for file in agent.rules()]


@pytest.fixture(scope="module")
def listed(agent: Agent) -> list[dict[str, Any]]:
    return agent.ask("list")


def as_listed(file: RuleFile) -> dict[str, Any]:
    """A rule file as `list --json` shows it."""
    fields = file.fields
    listed = {
        "name": file.name,
        "path": file.path,
        "provider": BUILTIN.id,
        "condition": [text.value for text in fields.conditions],
        "astCondition": [text.value for text in fields.ast_conditions],
        "scope": [token.text.value for token in fields.scope],
        "globs": [text.value for text in fields.globs],
        "agents": [text.value for text in fields.agents],
    }
    return listed if fields.description is None else {**listed, "description": fields.description}


def test_the_installed_agent_lists_the_same_rules(agent: Agent, listed: list[dict[str, Any]]) -> None:
    assert len(listed) >= 27
    ours = {file.name: as_listed(file) for file in agent.rules()}
    assert {rule["name"]: rule for rule in listed} == ours


def test_all_rules_of_the_installed_agent_register_as_ttsr_rules(
    listed: list[dict[str, Any]], registrations: list[Registration]
) -> None:
    assert {registration.bucket for registration in registrations} == {Bucket.TTSR}
    assert [problem for registration in registrations for problem in registration.problems] == []
    assert sorted(rule["name"] for rule in listed) == [
        rule.name for rule in RuleSet.build(registrations, Settings()).rules
    ]


def snippets(files: list[RuleFile]) -> Iterator[tuple[str, str]]:
    """File names and texts: each rule's examples whole and line by line, and each condition taken literally."""
    for file in files:
        blocks = _FENCED.findall(file.body.value)
        lines = {line.strip() for block in blocks for line in block.splitlines() if line.strip()}
        literal = [re.sub(r"\\b|\\(.)", r"\1", text.value) for text in file.fields.conditions]
        for number, text in enumerate([*blocks, *sorted(lines), *literal, *(f"{text} {{\n" for text in literal)]):
            for ending in ENDINGS[file.name.partition("-")[0]]:
                yield f"{file.name}-{number}.{ending}", text


class SharedMatchers:
    """Monitors of the same rules, which share their automata while one of them exists."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._matchers = MatcherCache()
        self._monitors: list[Monitor] = []

    def monitor(self) -> Monitor:
        self._monitors.append(Monitor(self._rules, None, Matching.REFERENCE, matchers=self._matchers))
        return self._monitors[-1]


def matched_here(registrations: list[Registration], monitor: Monitor, name: str, text: str) -> dict[str, list[str]]:
    """For each rule that matches a file written with this text, its conditions that do."""
    found: dict[str, list[str]] = {}
    call = tool_call("write", name)
    # A search that exceeds the steps of a delta continues at the end of the call.
    for trigger in (*monitor.feed(Snapshot(call, text)), *monitor.feed(BlockEnd(call))):
        rule = next(registration.rule for registration in registrations if registration.name == trigger.rule.name)
        assert rule is not None
        found[trigger.rule.name] = [condition.source for condition in rule.conditions if condition.matcher.test(text)]
    return found


def test_each_condition_matches_the_same_files_as_in_the_installed_agent(
    agent: Agent, registrations: list[Registration]
) -> None:
    texts = dict(snippets(agent.rules()))
    for name, text in texts.items():
        (agent.folder / "project" / name).write_text(text)
    report = agent.ask("scan")
    assert report["summary"]["scannedFiles"] == len(texts)
    theirs = {
        file["filePath"]: {
            match["name"]: match["matched"]["regex"] for match in file["matches"] if match["matched"]["regex"]
        }
        for file in report["files"]
    }
    shared = SharedMatchers(RuleSet.build(registrations, Settings()))
    ours = {name: matched_here(registrations, shared.monitor(), name, text) for name, text in texts.items()}
    assert {name: ours[name] for name in ours if ours[name]} == {name: theirs[name] for name in theirs if theirs[name]}
    rule_match = {condition for found in theirs.values() for conditions in found.values() for condition in conditions}
    every = {
        condition.source
        for registration in registrations
        if registration.rule
        for condition in registration.rule.conditions
    }
    assert len(every) >= 30
    assert not every - rule_match


def test_a_snippet_triggers_the_same_rules_as_in_the_installed_agent(
    agent: Agent, registrations: list[Registration]
) -> None:
    snippet = "const value = (await import('./x')) as any;"
    report = agent.ask("test", snippet, "--source", "tool", "--tool", "edit", "--path", "src/a.ts")
    theirs = {item["name"] for item in report["triggered"] if item["matched"]["regex"]}
    assert theirs
    monitor = Monitor(RuleSet.build(registrations, Settings()), None, Matching.REFERENCE)
    assert set(matched_here(registrations, monitor, "src/a.ts", snippet)) == theirs


@pytest.mark.parametrize(("path", "fires"), [("src/a.py", True), ("src/tests/a.py", False), ("{}/tests/a.py", False)])
def test_the_manual_s_glob_excludes_a_folder_in_the_installed_agent(agent: Agent, path: str, fires: bool) -> None:
    rule = agent.folder / "no-print.md"
    rule.write_text(titled_block(ROOT / "docs" / "rules.md", "no-print.md"))
    named = path.format(agent.folder / "project")
    asked = ("test", "print(1)", "--rule", str(rule), "--source", "tool", "--tool", "edit", "--path", named)
    assert bool(agent.ask(*asked)["triggered"]) == fires
