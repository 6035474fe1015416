"""The report of folders that Codex began to trust during a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttsr_ls.cli.run.codex_trust import CodexTrust

OLD = '[projects."/old"]\ntrust_level = "trusted"\n'


@pytest.mark.parametrize("home", [".codex", "elsewhere"])
def test_only_newly_trusted_folders_are_reported(tmp_path: Path, home: str) -> None:
    settings = tmp_path / home / "config.toml"
    settings.parent.mkdir()
    settings.write_text(OLD)
    trust = CodexTrust(tmp_path, {} if home == ".codex" else {"CODEX_HOME": str(settings.parent)})
    assert trust.message() == ""
    settings.write_text(OLD + '[projects."/no"]\ntrust_level = "untrusted"\n')
    assert trust.message() == ""
    settings.write_text(OLD + '[projects."/new"]\ntrust_level = "trusted"\n')
    assert trust.message() == (
        "it trusts /new from now on, so the project's own settings of Codex count. Its app server recorded that in "
        f'{settings}; to take it back, remove [projects."/new"] there.'
    )


def test_new_or_unreadable_codex_settings_are_no_error(tmp_path: Path) -> None:
    trust = CodexTrust(tmp_path, {})
    (tmp_path / ".codex").mkdir()
    for text in ("projects = 3", "projects = {a = 3}", "[", ""):
        (tmp_path / ".codex" / "config.toml").write_text(text)
        assert trust.message() == ""
    (tmp_path / ".codex" / "config.toml").write_text(OLD)
    assert trust.message().startswith("it trusts /old")
