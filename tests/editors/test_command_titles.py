"""The documentation names each command of the VS Code extension by its title."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"


def titles() -> dict[str, str]:
    """The titles by command, of all commands that the command palette shows."""
    contributes = json.loads((EXTENSION / "package.json").read_text())["contributes"]
    hidden = {item["command"] for item in contributes["menus"]["commandPalette"] if item["when"] == "false"}
    return {item["command"]: item["title"] for item in contributes["commands"] if item["command"] not in hidden}


def test_the_table_of_commands_has_each_title() -> None:
    rows = re.findall(r"^\| TTSR: ([^|]+) \| ([^|]+) \|$", (ROOT / "docs" / "editors.md").read_text(), re.MULTILINE)
    assert sorted(title for title, _ in rows) == sorted(titles().values())


def test_texts_name_commands_by_their_titles() -> None:
    texts = [*(EXTENSION / "walkthrough").glob("*.md"), *(EXTENSION / "src").rglob("*.ts"), EXTENSION / "README.md"]
    texts += [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    named = {name for text in texts for name in re.findall(r"\*TTSR: ([^*]+)\*", text.read_text())}
    assert named
    assert named <= set(titles().values())
