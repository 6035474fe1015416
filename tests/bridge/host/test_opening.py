"""The rules and logs that `Session.open` accepts: files, folders, and projects, and its errors about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ttsr_ls import RuleUnreadableError, Session, Settings, UsageError
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.store.log.errors import LogWriteError

RULE = "---\ncondition: '\\bSurely\\b'\n---\nLook first.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a rule of its own, and a home folder with one more."""
    home, folder = tmp_path / "home", tmp_path / "work"
    for rule in (home / ".omp/agent/rules/of-home.md", folder / ".omp/rules/of-project.md"):
        rule.parent.mkdir(parents=True)
        rule.write_text(RULE)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("PI_CODING_AGENT_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    return folder


async def opened(**arguments: Any) -> tuple[list[str], tuple[str, ...]]:
    """The rules of a session, and its problems."""
    async with await Session.open(**arguments) as session:
        return list(session.rule_names), session.problems


async def test_a_project_has_the_rules_that_an_agent_finds_there(project: Path) -> None:
    assert await opened(project=project) == (["of-project", "of-home"], ())
    assert await opened(project=str(project)) == (["of-project", "of-home"], ())
    assert await opened(project="work") == (["of-project", "of-home"], ())


async def test_settings_of_a_project_apply_unless_others_are_passed(project: Path) -> None:
    (project / ".omp/config.yml").write_text("ttsr:\n  disabledRules: [of-home]\n")
    assert (await opened(project=project))[0] == ["of-project"]
    assert (await opened(project=project, settings=Settings()))[0] == ["of-project", "of-home"]


async def test_passed_rules_come_before_those_of_the_project(project: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text(RULE)
    assert (await opened(project=project, rules=[tmp_path / "mine.md"]))[0] == ["mine", "of-project", "of-home"]


async def test_problems_of_a_project_are_problems_of_the_session(project: Path) -> None:
    (project / ".omp/config.yml").write_text("ttsr: [\n")
    (project / ".omp/rules/broken.md").write_text("---\ncondition: '('\n---\nNo.\n")
    _, problems = await opened(project=project)
    assert any("config.yml" in problem for problem in problems)
    assert any("broken" in problem for problem in problems)


async def test_rules_may_be_a_path_a_string_or_a_list(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/one.md").write_text(RULE)
    for rules in (tmp_path / "rules", str(tmp_path / "rules"), [str(tmp_path / "rules/one.md")]):
        assert await opened(rules=rules) == (["one"], ())


async def test_a_folder_without_rules_is_a_problem_and_a_missing_one_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    names, problems = await opened(rules=tmp_path / "empty")
    assert names == []
    assert problems == (f"The folder {tmp_path / 'empty'} holds no rule files (*.md, *.mdc); "
                        "name the folder that the rules are in.",)  # fmt: skip
    with pytest.raises(RuleUnreadableError, match="missing"):
        await opened(rules=tmp_path / "missing")


async def test_the_error_for_an_unknown_api_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"there is no API 'openai'; write one of anthropic, openai-chat, "):
        await Session.open(api="openai")


async def test_a_project_that_is_not_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for wrong in (tmp_path / "file", tmp_path / "missing"):
        with pytest.raises(UsageError, match="there is no folder"):
            await Session.open(project=wrong)
    with pytest.raises(UsageError, match="not rules that were read before"):
        await Session.open(project=tmp_path, rules=RuleSet(()))


async def test_a_log_may_be_a_string_and_must_not_be_a_folder(tmp_path: Path) -> None:
    async with await Session.open(log=str(tmp_path / "log.jsonl")):
        assert (tmp_path / "log.jsonl").exists()
    with pytest.raises(LogWriteError, match="directory"):
        await Session.open(log=tmp_path)
