"""The rules of an environment: limits, open texts of an editor, and unreadable files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.unlistable import refuse_to_enter, refuse_to_list
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.limits import DiscoveryLimits
from ttsr_ls.store.discovery.local_rules import LocalRules, OpenTexts, rules_at
from ttsr_ls.store.discovery.similar_rule_files import similar_rule_files
from ttsr_ls.store.files.bounded_file import UnreadableCause
from ttsr_ls.store.gitignore.ignore_file import MAX_PATTERNS

RULE = "---\ncondition: foo\n---\nSay so.\n"


def make(root: Path, files: dict[str, str]) -> AgentEnvironment:
    for name, text in {"home/.keep": "", "p/.keep": "", **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return AgentEnvironment(root / "p", root / "home")


def names(here: LocalRules) -> list[str]:
    return [rule.name for rule in here.rule_set().rules]


def test_open_texts_replace_files_on_the_disk(tmp_path: Path) -> None:
    place = make(tmp_path, {"p/.omp/rules/a.md": RULE, "p/.omp/rules/b.md": "x"})
    texts = OpenTexts({str(tmp_path / "p/.omp/rules/b.md"): RULE, str(tmp_path / "p/.omp/rules/a.md"): "x"})
    assert names(rules_at(place)) == ["a"]
    assert names(rules_at(place, texts=texts)) == ["b"]


def test_a_rule_set_has_the_rules_of_one_agent(tmp_path: Path) -> None:
    place = make(tmp_path, {"p/.omp/rules/a.md": RULE.replace("foo", "foo\nagents: sub")})
    assert names(rules_at(place)) == []
    assert [rule.name for rule in rules_at(place).rule_set("sub").rules] == ["a"]


def test_the_number_of_rules_is_limited(tmp_path: Path) -> None:
    place = make(tmp_path, {f"p/.omp/rules/{number}.md": RULE for number in range(9)})
    rules = rules_at(place, limits=DiscoveryLimits(rules=3))
    assert names(rules) == ["0", "1", "2"]
    (left_out,) = rules.unreadable
    rule_file = tmp_path / "p/.omp/rules/3.md"
    assert left_out.reason == f"cannot read {rule_file} and later rules: there are more than 3 rule files here"
    assert rules_at(place, limits=DiscoveryLimits(rules=9)).unreadable == ()


@pytest.mark.parametrize("folder", ["p/.omp/rules", "p/.pi/rules", "p/.github/instructions", "extra/rules"])
def test_a_folder_with_too_many_entries_is_reported_as_unreadable(tmp_path: Path, folder: str) -> None:
    place = make(tmp_path, {f"{folder}/{number}.instructions.md": RULE for number in range(4)})
    extra = [tmp_path / "extra/rules"]
    assert rules_at(place, extra, limits=DiscoveryLimits(folder_entries=4)).unreadable == ()
    (left_out,) = rules_at(place, extra, limits=DiscoveryLimits(folder_entries=3)).unreadable
    bounds = "3 entries, or subfolders below level 32"
    assert left_out.reason == f"cannot read all rules in {tmp_path / folder}: it has more than {bounds}"


@pytest.mark.parametrize("ignore_file", ["p/.gitignore", "p/.omp/rules/.ignore", "p/.github/instructions/a/.gitignore"])
def test_an_ignore_file_with_too_many_patterns_is_reported(tmp_path: Path, ignore_file: str) -> None:
    patterns = [f"file-{number}.md" for number in range(MAX_PATTERNS)]
    rules = {"p/.git/HEAD": "", "p/.omp/rules/a.md": RULE, "p/.github/instructions/a/b.instructions.md": RULE}
    place = make(tmp_path, {**rules, ignore_file: "\n".join([*patterns, "# end"])})
    assert rules_at(place).unreadable == ()
    make(tmp_path, {ignore_file: "\n".join([*patterns, "a.md"])})
    (unread,) = rules_at(place).unreadable
    assert unread.cause is UnreadableCause.TOO_MANY_PATTERNS
    assert unread.reason == (
        f"cannot read all patterns of {tmp_path / ignore_file}: it has more than 2,000, so rules that it excludes may "
        "be in force"
    )
    assert "a" in names(rules_at(place))


def test_the_total_size_of_rules_is_limited(tmp_path: Path) -> None:
    place = make(tmp_path, {f"p/.omp/rules/{number}.md": RULE for number in range(4)})
    rules = rules_at(place, limits=DiscoveryLimits(characters=50))
    assert names(rules) == ["0", "1"]
    assert [file.reason.rsplit("/", 1)[-1] for file in rules.unreadable] == [
        "2.md is not read: the rules here come to more than 50 characters",
        "3.md is not read: the rules here come to more than 50 characters",
    ]


def test_an_unreadable_file_that_the_agent_does_not_read_is_not_reported(tmp_path: Path) -> None:
    place = make(tmp_path, {"home/.cursor/rules/a.mdc": "x" * 2_000_000})
    assert rules_at(place).unreadable == ()


@pytest.mark.parametrize(
    "folder", ["p/.omp/rules", "home/.omp/agent/rules", "p/.agents/rules", "p/.pi/rules", "extra/rules"]
)
def test_a_folder_that_cannot_be_listed_is_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    place = make(tmp_path, {f"{folder}/a.md": RULE})
    assert rules_at(place, [tmp_path / "extra/rules"]).unreadable == ()
    refuse_to_list(monkeypatch, "rules")
    (unreadable,) = rules_at(place, [tmp_path / "extra/rules"]).unreadable
    assert unreadable.found.path == tmp_path / folder
    assert unreadable.reason.startswith(f"cannot read {tmp_path / folder}: ")


@pytest.mark.parametrize("link", ["p/.omp", "p/.omp/rules", "home/.omp", "p/.agents/rules", "p/.cursor", "p/.pi/rules"])
def test_broken_links_in_place_of_rule_folders_are_unreadable(tmp_path: Path, link: str) -> None:
    place = make(tmp_path, {"p/.omp/README": "", "home/x": ""})
    assert rules_at(place).unreadable == ()
    path = tmp_path / link
    if path.is_dir():
        path.rename(tmp_path / "away")
    path.parent.mkdir(exist_ok=True)
    for target, reason in (("gone", "No such file or directory"), (path.name, "Too many levels of symbolic links")):
        path.symlink_to(target)
        found = rules_at(place).unreadable
        assert len(found) == 1
        assert found[0].found.path.is_relative_to(path)
        assert found[0].reason == f"cannot read {found[0].found.path}: {reason}"
        path.unlink()


def test_a_link_to_a_folder_without_rules_is_not_reported(tmp_path: Path) -> None:
    place = make(tmp_path, {"p/x": "", "elsewhere/x": ""})
    (tmp_path / "p/.omp").symlink_to(tmp_path / "elsewhere")
    assert rules_at(place).unreadable == ()


def test_rules_below_an_inaccessible_folder_are_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = make(tmp_path, {"p/.omp/rules/a.md": RULE, "home/.omp/agent/rules/b.md": RULE})
    refuse_to_enter(monkeypatch, tmp_path / "p/.omp")
    assert [file.found.path for file in rules_at(place).unreadable] == [tmp_path / "p/.omp/rules"]


def test_an_inaccessible_home_folder_is_not_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = make(tmp_path, {"p/.omp/rules/a.md": RULE, "home/.omp/agent/rules/b.md": RULE})
    refuse_to_enter(monkeypatch, tmp_path / "home")
    here = rules_at(place)
    assert (names(here), here.unreadable) == (["a"], ())


def test_broken_links_are_unreadable_rules(tmp_path: Path) -> None:
    place = make(tmp_path, {"p/.omp/rules/a.md": RULE})
    rules = tmp_path / "p/.omp/rules"
    (rules / "gone.md").symlink_to(tmp_path / "gone")
    (rules / "loop.md").symlink_to(rules / "loop.md")
    here = rules_at(place)
    assert names(here) == ["a"]
    assert {file.found.name: file.reason for file in here.unreadable} == {
        "gone": f"cannot read {rules / 'gone.md'}: No such file or directory",
        "loop": f"cannot read {rules / 'loop.md'}: Too many levels of symbolic links",
    }


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["/", "user", "p@m", "\0", "rules"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None)
@given(value=JSON)
@example(value="\0")
@example(value=["\0", {"path": "\0", "values": ["\0"]}])
@example(value={"\0": "\0", "x": {"enabled": True}})
def test_plugin_registries_with_any_content_do_not_raise(value: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("place")
    entry = {"scope": value, "installPath": value, "enabled": value, "projectPath": value}
    registry = json.dumps({"version": 1, "plugins": {"a@b": [entry, value], "c@d": value}})
    make(
        root,
        {
            "home/.omp/plugins/installed_plugins.json": registry,
            "home/.claude/plugins/installed_plugins.json": registry,
            "home/.claude/settings.json": json.dumps({"enabledPlugins": value}),
            "home/.omp/plugins/package.json": json.dumps({"dependencies": value}),
            "home/.omp/plugins/omp-plugins.lock.json": json.dumps({"plugins": value}),
            "home/.omp/plugins/node_modules/x/package.json": json.dumps(value),
            "p/.omp/plugin-overrides.json": json.dumps({"disabled": value}),
            "p/.omp/config.yml": json.dumps(
                {"extensions": value, "enabledProviders": value, "disabledProviders": value}
            ),
        },
    )
    rules_at(AgentEnvironment(root / "p", root / "home", {"COPILOT_CUSTOM_INSTRUCTIONS_DIRS": "a,,\0,~,/"}))


def test_packages_cannot_escape_their_folder(tmp_path: Path) -> None:
    place = make(
        tmp_path,
        {
            "home/.omp/plugins/package.json": '{"dependencies": {"../../../out": "1"}}',
            "home/.omp/plugins/node_modules/x": "",
            "home/out/package.json": '{"omp": {}}',
            "home/out/rules/a.md": RULE,
        },
    )
    assert names(rules_at(place)) == []


def test_similar_rule_files_are_few_and_the_nearest_first(tmp_path: Path) -> None:
    place = make(
        tmp_path,
        {
            "p/.omp/rules/x/No-Print.md": RULE,
            "p/.omp/no-print.MD": RULE,
            "p/sub/.omp/rules/no-print.mdc": RULE,
            ".claude/rules/no-print.md": RULE,
            "home/.pi/rules/no-print.md": RULE,
            "p/.github/instructions/a/no-print.instructions.md": RULE,
            "p/docs/no-print.md": RULE,
            "p/.maestro/rules/no-print.md": RULE,
            "p/.devin/rules/web/no-print.md": RULE,
            "p/.claude/hookify.no-print.local.md": RULE,
        },
    )
    found = [str(path.relative_to(tmp_path)) for path in similar_rule_files("no-print", place)]
    assert found == [
        "p/.omp/rules/x/No-Print.md",
        "p/.maestro/rules/no-print.md",
        "p/.devin/rules/web/no-print.md",
        "p/.github/instructions/a/no-print.instructions.md",
        "p/.omp/no-print.MD",
        "p/.claude/hookify.no-print.local.md",
        ".claude/rules/no-print.md",
        "home/.pi/rules/no-print.md",
        "p/sub/.omp/rules/no-print.mdc",
    ]
