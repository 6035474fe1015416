"""`doctor` reports each rule that is not in force, as a failure unless a user switched it off."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ttsr_ls.cli.install.checks.rule_checks import check_rules, check_rules_for_hooks
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.limits import DiscoveryLimits
from ttsr_ls.store.discovery.local_rules import LocalRules, rules_at
from ttsr_ls.store.gitignore.ignore_file import MAX_PATTERNS


def rules_here() -> LocalRules:
    return rules_at(AgentEnvironment.current())


@pytest.fixture
def rules(home: Path) -> Path:
    return home / "shop" / ".omp" / "rules"


def rule_text(**keys: str) -> str:
    return "\n".join(("---", *(f"{key}: {value}" for key, value in keys.items()), "---", "No.", ""))


RULES_NOT_IN_FORCE: dict[str, tuple[dict[str, str], str, str, str]] = {
    "invalid condition": ({"a.md": rule_text(condition='"(("')}, "failed", "The rule a is not in force", "check"),
    "no body": ({"a.md": "---\ncondition: x\n---\n"}, "failed", "The file has no body", "check"),
    "ignored by git": ({"a.md": rule_text(condition="x"), "../../.gitignore": "a.md\n"}, "failed", "git ignores", "`!"),
    "switched off": ({"a.md": rule_text(condition="x", enabled="false")}, "warning", "is switched off", "Undo"),
    "switched off by a setting": (
        {"a.md": rule_text(condition="x"), "../config.yml": "ttsr:\n  disabledRules: [a]\n"},
        "warning",
        "config.yml, line 2",
        "Undo",
    ),
    "a part is invalid": ({"a.md": rule_text(condition='["((", x]')}, "warning", "is in part in force", "check"),
    "only thinking": ({"a.md": rule_text(condition="x", scope="thinking")}, "failed", "do not see thinking", "run"),
}


@pytest.mark.parametrize("name", RULES_NOT_IN_FORCE)
def test_a_rule_that_is_not_in_force_by_mistake_is_a_failure(rules: Path, name: str) -> None:
    files, verdict, problem, remedy = RULES_NOT_IN_FORCE[name]
    subprocess.run(["git", "init", "-q", str(rules.parents[2])], check=True)
    for file, text in files.items():
        path = Path(os.path.normpath(rules / file))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    checks = [*check_rules(rules_here()), *check_rules_for_hooks(rules_here(), "codex", "Codex")]
    found = [check for check in checks if problem in check.what]
    assert [check.verdict for check in found] == [verdict]
    assert remedy in found[0].remedy
    if verdict == "failed":
        assert [check.what for check in checks if check.verdict == "failed"] == [found[0].what]


@pytest.mark.parametrize("has_rule", [False, True])
def test_rules_in_a_folder_above_are_a_failure_if_no_other_is_in_force(
    rules: Path, monkeypatch: pytest.MonkeyPatch, has_rule: bool
) -> None:
    subprocess.run(["git", "init", "-q", str(rules.parents[1])], check=True)
    folder = rules.parents[1] / "web"
    (folder / ".omp" / "rules").mkdir(parents=True)
    if has_rule:
        (folder / ".omp" / "rules" / "b.md").write_text(rule_text(condition="x"))
    monkeypatch.chdir(folder)
    (check,) = (check for check in check_rules(rules_here()) if "does not read" in check.what)
    assert (check.verdict, rules.parents[1].name in check.remedy) == ("warning" if has_rule else "failed", True)


def test_rules_beyond_the_total_size_limit_are_reported_with_a_remedy(rules: Path) -> None:
    for name in "ab":
        (rules / f"{name}.md").write_text(rule_text(condition="x"))
    here = rules_at(AgentEnvironment.current(), limits=DiscoveryLimits(characters=1))
    check, *_ = (check for check in check_rules(here) if "come to more than" in check.what)
    assert (check.verdict, "Shorten or delete rule files" in check.remedy) == ("failed", True)


def test_an_ignore_file_that_is_read_only_in_part_is_a_warning(rules: Path) -> None:
    (rules / "a.md").write_text(rule_text(condition="x"))
    (rules / ".ignore").write_text("b.md\n" * (MAX_PATTERNS + 1))
    in_force, check = check_rules(rules_here())
    assert (in_force.verdict, check.verdict) == ("ok", "warning")
    assert check.what.startswith("An ignore file is read only in part: cannot read all patterns of ")
    assert check.remedy == "Shorten the file, or name folders in it instead of files."


def test_a_rule_whose_condition_is_the_text_of_a_reason_is_in_force(rules: Path) -> None:
    (rules / "a.md").write_text(rule_text(condition="the setting `enabled` is false"))
    assert [check.verdict for check in check_rules(rules_here())] == ["ok"]


def test_a_shadowed_rule_is_a_warning(rules: Path) -> None:
    for folder in (rules, rules.parents[1] / ".agents" / "rules"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a.md").write_text(rule_text(condition="x"))
    (check,) = (check for check in check_rules(rules_here()) if "An earlier file has the same name" in check.what)
    assert (check.verdict, "Rename or delete one" in check.remedy) == ("warning", True)


def test_a_rule_for_the_patch_tool_of_codex_is_reported_with_the_right_scope(rules: Path) -> None:
    (rules / "a.md").write_text(rule_text(condition="x", scope="tool:apply_patch"))
    (check,) = check_rules_for_hooks(rules_here(), "codex", "Codex")
    assert (check.verdict, "Write `tool:write, tool:edit`" in check.remedy) == ("failed", True)
    assert list(check_rules_for_hooks(rules_here(), "claude", "Claude Code")) == []
