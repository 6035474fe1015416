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
    reply, written = measured(monkeypatch, capsys, folder, text)
    assert fired(reply) == {"all": "0", "sorry": "0"}
    assert "out of scope: 1 of 2 rules" in reply
    assert fired(written) == {"all": "1", "todo": "1", "sorry": "0"}
    assert "out of scope" not in written
    assert "README.md). It has no condition, AST condition, or question.\n" in written


def test_rules_of_all_dialects_are_measured_with_the_settings_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        ".omp/config.yml": "ttsr:\n  disabledRules: [off]\n  repeatMode: after-gap\n  repeatGap: 0\n",
        ".omp/rules/off.md": "---\ncondition: TODO\n---\nFinish it.\n",
        ".omp/rules/broken.md": "---\ncondition: '('\n---\nFinish it.\n",
        ".omp/rules/todo.md": "---\ncondition: TODO\n---\nFinish it.\n",
        ".omp/rules/calls.md": "---\nastCondition: f($A)\n---\nDo not call it.\n",
        ".omp/rules/honest.md": "---\nquestion: Is it so?\n---\nBe honest.\n",
        ".omp/rules/style.md": "---\ndescription: How we write\n---\nWrite well.\n",
        ".pi/rules/todo.md": "---\ntrigger: 'TODO'\n---\nFinish it.\n",
    }
    for name, content in files.items():
        (tmp_path / "project" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "project" / name).write_text(content)
    text = tmp_path / "code.py"
    text.write_text("# TODO\n" * 50)
    reply, rest = measured(monkeypatch, capsys, tmp_path / "project", text)
    labels = [line[:14].strip() for line in reply.splitlines() if "triggers" in line]
    assert sorted(labels) == ["all together", "todo (omp)", "todo (pi-ttsr)"]
    _, not_measured = rest.split("\nNot measured:\n")
    assert "at the end of a tool call and not at a delta: calls\n" in not_measured
    assert "which wait for a judge: honest\n" in not_measured
    assert "The rule broken is not in force" in not_measured
    assert "off.md): listed in the setting `disabledRules`\n" in not_measured
    assert "guidance and have no condition: 1\n" in not_measured


def measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path, text: Path
) -> tuple[str, str]:
    """What is printed of the text as reply text, and of the text as written."""
    monkeypatch.setattr(sys, "argv", ["rules", str(folder), str(text)])
    monkeypatch.setenv("HOME", str(folder.parent / "home"))
    rules.main()
    reply, written = capsys.readouterr().out.split("code.py as written")
    return reply, written


def fired(table: str) -> dict[str, str]:
    return {line.split()[0]: line.split()[-2] for line in table.splitlines() if "triggers" in line}


def test_a_folder_without_rules_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["rules", str(tmp_path)])
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with pytest.raises(SystemExit, match="has no rule with a regular expression"):
        rules.main()
