"""The project's configuration holds in editors as it does on the command line, and an invalid one is reported once."""

from __future__ import annotations

import os

from lsprotocol import types

from tests.lsp.talk import Starter, Talk, codes
from ttsr_ls.store.gitignore.ignore_file import MAX_PATTERNS

NO_BODY_AND_NAME = "---\ncondition: 'as any'\nname: x\n---\n"
TRIGGERLESS = "---\nconditions: 'as any'\n---\nno\n"


def changed(talk: Talk, name: str) -> None:
    """Tells the server that a file of the project changed."""
    event = types.FileEvent((talk.folder / name).as_uri(), types.FileChangeType.Changed)
    talk.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


async def test_ignored_codes_are_not_shown_and_severities_are_as_configured(vscode: Talk) -> None:
    text = '[tool.ttsr-ls]\nignore = ["inert-name"]\nseverity = { empty-body = "hint" }\n'
    (vscode.folder / "pyproject.toml").write_text(text)
    report = await vscode.pull(vscode.open("a.md", NO_BODY_AND_NAME))
    (items,) = report.items
    assert (items.code, items.severity) == ("empty-body", types.DiagnosticSeverity.Hint)


async def test_a_changed_configuration_is_applied(pushed: Talk) -> None:
    uri = pushed.open("a.md", NO_BODY_AND_NAME)
    first = await pushed.push(uri)
    assert codes(first.diagnostics) == ["inert-name", "empty-body"]
    (pushed.folder / "ttsr-ls.toml").write_text('ignore = ["inert-name"]\n')
    changed(pushed, "ttsr-ls.toml")
    await pushed.push(uri, lambda one: codes(one.diagnostics) == ["empty-body"])


async def test_an_invalid_configuration_is_ignored_and_reported_once(pushed: Talk) -> None:
    (pushed.folder / "ttsr-ls.toml").write_text('ignor = ["inert-name"]\n')
    uri = pushed.open("a.md", NO_BODY_AND_NAME)
    changed(pushed, "ttsr-ls.toml")
    await pushed.push(uri, lambda one: codes(one.diagnostics) == ["inert-name", "empty-body"])
    changed(pushed, "ttsr-ls.toml")
    version = pushed.change(uri, NO_BODY_AND_NAME + "\n")
    await pushed.push(uri, lambda one: one.version == version)
    (shown,) = pushed.client.messages
    assert shown.type == types.MessageType.Warning
    assert shown.message.startswith("The configuration of ttsr-ls is ignored: ")
    assert (
        "ttsr-ls.toml: the configuration has a key `ignor` that does not exist; did you mean `ignore`?" in shown.message
    )


async def test_a_missing_rule_folder_is_reported_once(pushed: Talk) -> None:
    (pushed.folder / "ttsr-ls.toml").write_text('rule-folders = ["team"]\n')
    changed(pushed, "ttsr-ls.toml")
    uri = pushed.open(str(pushed.folder / "team" / "a.md"), TRIGGERLESS)
    await pushed.push(uri, lambda one: codes(one.diagnostics) == ["unknown-key"])
    changed(pushed, "ttsr-ls.toml")
    version = pushed.change(uri, TRIGGERLESS + "\n")
    await pushed.push(uri, lambda one: one.version == version)
    (shown,) = pushed.client.messages
    assert shown.message.endswith(f"names 'team' in rule-folders, but there is no folder {pushed.folder / 'team'}.")


async def test_unreadable_rules_are_reported_once(pushed: Talk) -> None:
    rules = pushed.folder / ".omp" / "rules"
    rules.mkdir(parents=True, exist_ok=True)
    for name in ("first.md", "second.md"):
        (rules / name).symlink_to("gone")
    uri = pushed.open("a.md", TRIGGERLESS)
    changed(pushed, "ttsr-ls.toml")
    await pushed.until(lambda: bool(pushed.client.messages))
    (shown,) = pushed.client.messages
    assert shown.type == types.MessageType.Warning
    assert shown.message == (
        f"Rules are not in force: cannot read {rules / 'first.md'}: No such file or directory, and 1 more. Give your "
        "user the right to read them, or correct the links."
    )
    changed(pushed, "ttsr-ls.toml")
    version = pushed.change(uri, TRIGGERLESS + "\n")
    await pushed.push(uri, lambda one: one.version == version)
    assert len(pushed.client.messages) == 1


async def test_a_pipe_among_the_rules_is_reported_without_blocking_the_server(pushed: Talk) -> None:
    rules = pushed.folder / ".omp" / "rules"
    rules.mkdir(parents=True, exist_ok=True)
    os.mkfifo(rules / "pipe.md")
    pushed.open("a.md", TRIGGERLESS)
    changed(pushed, "ttsr-ls.toml")
    await pushed.until(lambda: bool(pushed.client.messages))
    (shown,) = pushed.client.messages
    assert shown.message.startswith(f"Rules are not in force: cannot read {rules / 'pipe.md'}: it is not a file. ")


async def test_an_ignore_file_that_is_read_only_in_part_is_reported(pushed: Talk) -> None:
    rules = pushed.folder / ".omp" / "rules"
    rules.mkdir(parents=True, exist_ok=True)
    (rules / "a.md").write_text(TRIGGERLESS)
    (rules / ".ignore").write_text("b.md\n" * (MAX_PATTERNS + 1))
    pushed.open("a.md", TRIGGERLESS)
    changed(pushed, "ttsr-ls.toml")
    await pushed.until(lambda: bool(pushed.client.messages))
    (shown,) = pushed.client.messages
    assert shown.message == (
        f"An ignore file is read only in part: cannot read all patterns of {rules / '.ignore'}: it has more than "
        "2,000, so rules that it excludes may be in force. Shorten it, or name folders in it."
    )


async def test_files_in_configured_rule_folders_are_rules(start: Starter) -> None:
    talk = await start("pushed")
    (talk.folder / "ttsr-ls.toml").write_text('rule-folders = ["team"]\n')
    changed(talk, "ttsr-ls.toml")
    uri = talk.open(str(talk.folder / "team" / "a.md"), TRIGGERLESS)
    found = await talk.push(uri)
    assert codes(found.diagnostics) == ["unknown-key"]
    other = talk.open(str(talk.folder / "notes" / "a.md"), TRIGGERLESS)
    last = talk.open("b.md", TRIGGERLESS)
    await talk.push(last)
    assert not [one for one in talk.published if one.uri == other and one.diagnostics]


async def test_findings_of_a_configuration_are_pushed_to_a_client_that_cannot_pull(pushed: Talk) -> None:
    uri = pushed.open(str(pushed.folder / "ttsr-ls.toml"), "ignor = []\n", "toml")
    await pushed.push(uri, lambda one: codes(one.diagnostics) == ["invalid-configuration"])
    pushed.change(uri, "ignore = []\n")
    await pushed.push(uri, lambda one: not one.diagnostics)
