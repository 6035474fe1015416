"""`list --all`: the rules that have no effect, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import ttsr_ls, write
from ttsr_ls.text import LineIndex

Capture = pytest.CaptureFixture[str]
RULE = "---\ncondition: foo\n---\nx\n"
CONFIG = ".omp/config.yml"
USERS = "../home/.omp/agent/config.yml"


def whys(capsys: Capture) -> dict[str, str]:
    """The bucket and the reason of each rule, by its name."""
    listed = json.loads(ttsr_ls(capsys, "list", "--all", "--json").out)
    return {rule["name"]: f"{rule['bucket']}: {rule['why']}" for rule in listed}


def of(capsys: Capture, name: str) -> dict[str, Any]:
    listed = json.loads(ttsr_ls(capsys, "list", "--all", "--json").out)
    return next(dict(rule) for rule in listed if rule["name"] == name)


@pytest.mark.parametrize(
    ("files", "why"),
    [
        (
            {CONFIG: "ttsr:\n  disabledRules:\n    - b\n    - a\n"},
            "dropped: listed in the setting `disabledRules` (.omp/config.yml, line 3)",
        ),
        (
            {USERS: "disabledExtensions: ['rule:a']\n"},
            "disabled: listed in the setting `disabledExtensions` ({home}/.omp/agent/config.yml, line 1)",
        ),
        (
            {".omp/settings.json": '{"ttsr":\n {"enabled": false}}'},
            "dropped: the setting `enabled` is false (.omp/settings.json, line 2)",
        ),
        (
            {".git/HEAD": "", ".gitignore": "\n/.omp/rules/*\n"},
            "unseen: git ignores the file (.gitignore, line 2: /.omp/rules/*)",
        ),
        (
            {CONFIG: "disabledProviders: [native]\n"},
            "unseen: the setting `disabledProviders` has its provider (.omp/config.yml, line 1)",
        ),
    ],
)
def test_reason_names_the_file_and_the_line(
    files: dict[str, str | bytes], why: str, project: Path, capsys: Capture
) -> None:
    write(project, {".omp/rules/a.md": RULE, **files})
    assert whys(capsys)["a"] == why.replace("{home}", str(project.parent / "home"))
    assert json.loads(ttsr_ls(capsys, "list", "--json").out) == []


def test_undiscovered_rules_are_listed_with_the_reason(project: Path, capsys: Capture) -> None:
    write(project, {"../home/.cursor/rules/a.mdc": RULE, ".pi/rules/b.md": "---\ntrigger: foo\n---\nx\n"})
    assert whys(capsys) == {
        "a": "unseen: the setting `enabledProviders` does not have its provider",
        "b": "ttsr: fires on /foo/ in a line of the text, once in a session",
    }


def test_json_has_the_agents_fields_and_ours(project: Path, capsys: Capture) -> None:
    write(
        project,
        {".omp/rules/a.md": "---\ncondition: foo\ninterruptMode: never\n---\nx\n", ".agents/rules/a.md": RULE},
    )
    first, second = json.loads(ttsr_ls(capsys, "list", "--all", "--json").out)
    assert {**json.loads(ttsr_ls(capsys, "list", "--json").out)[0]}.items() <= first.items()
    assert (first["interruptMode"], first["level"], first["shadowedBy"]) == ("never", "project", None)
    assert (second["bucket"], second["shadowedBy"]) == ("dropped", str(project / ".omp/rules/a.md"))


def test_ignoring_line_is_in_the_json(project: Path, capsys: Capture) -> None:
    write(project, {".git/HEAD": "", ".gitignore": "a.md\n", ".omp/rules/a.md": RULE})
    assert of(capsys, "a")["ignoredBy"] == {"path": str(project / ".gitignore"), "line": 1, "pattern": "a.md"}


def test_a_rule_for_other_agents_is_disabled_together_with_all_rules(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE.replace("foo", "foo\nagents: sub"), CONFIG: "ttsr:\n  enabled: false\n"})
    assert whys(capsys)["a"].startswith("dropped: the setting `enabled` is false")


def test_the_number_of_rules_without_effect_is_printed(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE, ".omp/rules/b.md": "---\nenabled: false\n---\nx\n"})
    assert ttsr_ls(capsys, "list").out.splitlines()[-1] == "1 more rule has no effect; ttsr-ls list --all says why."
    write(project, {".omp/rules/a.md": "x\n"})
    assert ttsr_ls(capsys, "list").out.splitlines() == [
        "No rule here has an effect.",
        "2 more rules have no effect; ttsr-ls list --all says why.",
    ]


def test_mistakes_in_settings_are_reported_on_standard_error(project: Path, capsys: Capture) -> None:
    write(
        project,
        {
            USERS: "ttsr:\n  disabledRules: [a]\n",
            CONFIG: "ttsr:\n  disabledRules: [b]\n  interruptMode: Never\n",
            ".omp/rules/a.md": RULE,
        },
    )
    notes = ttsr_ls(capsys, "list").err.splitlines()
    config = project / CONFIG
    assert [line.split(" ", 4)[1:4] for line in notes] == [
        [f"{config}:3:18", "error", "invalid-setting"],
        [f"{config}:2:18", "info", "replaced-list"],
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Just words.\n", "dropped: it has no frontmatter, and so no condition"),
        ("\n---\ncondition: foo\n---\nx\n", "dropped: oh-my-pi does not see its frontmatter"),
        (
            "---\ncondition:\n  - foo\nscope: @text\n  x: [\n---\nx\n",
            "dropped: it has no condition, AST condition or question; its frontmatter is not valid YAML, so that only "
            "single lines were read",
        ),
        (
            "---\ncondition: foo\nglobs: *.ts\n---\nx\n",
            "ttsr: fires on /foo/ in text, tool (default) on *.ts; its frontmatter is not valid YAML, so that only "
            "single lines were read",
        ),
        (
            "---\ncondition: '('\ndescription: d\n---\nx\n",
            "rulebook: listed in the prompt with its description; does not fire: none of its conditions compiles",
        ),
        (
            "---\ncondition: foo\nscope: [text, thinking]\nglobs: '*.ts'\n---\nx\n",
            "ttsr: never fires: its globs require a file path, but its scope is only text, thinking, which has none",
        ),
        (
            "---\ncondition: foo\nscope: [line, 'tool:*', 'Edit(*.ts)']\n---\nx\n",
            "ttsr: fires on /foo/ in tool:line, tool:edit(*.ts)",
        ),
        (
            "---\ncondition: ['(', foo]\n---\nx\n",
            "ttsr: fires on /foo/ in text, tool (default); 1 of its conditions does not compile",
        ),
        ("---\ncondition: foo\nenabled: false\n---\nx\n", "disabled: switched off by `enabled: false`"),
        ("---\ncondition: foo\n---\n", "dropped: the file has no body"),
        ("---\ncondition: foo\nscope: '*'\n---\nx\n", "dropped: no part of its scope names a stream"),
    ],
)
def test_degraded_and_dropped_rules_are_listed_with_the_reason(
    text: str, why: str, project: Path, capsys: Capture
) -> None:
    write(project, {".omp/rules/a.md": text})
    assert whys(capsys) == {"a": why}


def test_rule_folders_above_are_named_in_a_subfolder(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that is started in a subfolder has no rules, and no file there explains it."""
    files = {".git/HEAD": "", ".omp/rules/a.md": RULE, ".omp/rules/b.md": RULE, ".omp/RULES.md": "x\n"}
    write(project, {**files, ".agents/rules/c.md": RULE, "web/src/a.ts": ""})
    assert "an agent in this folder does not read" not in ttsr_ls(capsys, "list", "--all").out
    monkeypatch.chdir(project / "web" / "src")
    for arguments in (["list"], ["list", "--all"]):
        lines = ttsr_ls(capsys, *arguments).out.splitlines()
        assert lines[-1] == (
            f"{project}/.omp/rules has 2 rule files that an agent in this folder does not read. Start the agent in "
            f"{project}, or move the files to {project}/.agents/rules, which agents in the folders below read, too."
        )
    assert whys(capsys).keys() == {"c", "RULES@project"}


def test_rule_folders_above_the_repository_and_of_the_user_are_not_listed(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, {".omp/rules/a.md": RULE, "inner/.git/HEAD": "", "inner/src/a.ts": ""})
    monkeypatch.chdir(project / "inner" / "src")
    assert ttsr_ls(capsys, "list").out.splitlines()[1:] == []
    monkeypatch.setenv("HOME", str(project))
    write(project, {"free/a.ts": ""})
    monkeypatch.chdir(project / "free")
    assert ttsr_ls(capsys, "list").out.splitlines()[1:] == []


def test_the_settings_are_indexed_once_for_all_rules(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed: list[str] = []

    def index(text: str) -> LineIndex:
        indexed.append(text)
        return LineIndex(text)

    monkeypatch.setattr("ttsr_ls.text.LineIndex", index)
    names = [f"r{number}" for number in range(5)]
    rules = {f".omp/rules/{name}.md": "---\ncondition: a\n---\nBody\n" for name in names}
    write(project, {**rules, ".omp/config.yml": f"ttsr:\n  disabledRules: [{', '.join(names)}]\n"})
    out = ttsr_ls(capsys, "list", "--all").out
    assert out.count(".omp/config.yml, line 2") == len(names)
    assert len(indexed) == 1
