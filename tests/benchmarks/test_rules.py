"""The benchmark of a folder of rules."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import rules


def test_each_rule_is_measured_on_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "todo.md").write_text("---\ncondition: TODO\nscope: tool:write(*.py)\n---\nFinish it.\n")
    (folder / "sorry.md").write_text("---\ncondition: sorry\n---\nDo not apologise.\n")
    (folder / "README.md").write_text("Rules of a project.\n")
    text = tmp_path / "code.py"
    text.write_text("# TODO\n" * 50)
    monkeypatch.setattr(sys, "argv", ["rules", str(folder), str(text)])
    rules.main()
    out, err = capsys.readouterr()
    reply, written = out.split("code.py as written")
    assert {line.split()[0]: line.split()[-2] for line in reply.splitlines() if "triggers" in line} == {
        "all": "0",
        "todo": "0",
        "sorry": "0",
    }
    assert {line.split()[0]: line.split()[-2] for line in written.splitlines() if "triggers" in line} == {
        "all": "1",
        "todo": "1",
        "sorry": "0",
    }
    assert err == "files without a condition that works, skipped: 1\n"


def test_a_folder_without_rules_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["rules", str(tmp_path)])
    with pytest.raises(SystemExit, match="has no rule file"):
        rules.main()
