"""Where rules and settings are is written in two tables; whatever else needs to know derives from them."""

from __future__ import annotations

import ast
from pathlib import Path

import ttsr_ls
from tests.rule_locations import LOCATIONS
from ttsr_ls.syntax.dialects.locations import LEGACY_FILES, UNREAD_LOCATIONS
from ttsr_ls.syntax.settings_locations import SETTINGS_LOCATIONS

PACKAGE = Path(ttsr_ls.__file__).parent
TABLES = {PACKAGE / "syntax" / "dialects" / "locations.py", PACKAGE / "syntax" / "settings_locations.py"}
# `.github` is where others than rules are, too; `rules` and `agent` are words; `config.yml` is a common name.
ORDINARY = {".github", "rules", "agent", "instructions", "windsurf", "memories", "*.md", ".md"}


def written_in_tables() -> set[str]:
    every = (*LOCATIONS, *UNREAD_LOCATIONS)
    written = {
        text for location in every for text in (location.path, *location.folders, *location.names, *location.suffixes)
    }
    settings = {text for location in SETTINGS_LOCATIONS for text in (location.path, *location.folders)}
    return (written | settings | set(LEGACY_FILES)) - ORDINARY - {""}


def constants(text: str) -> set[str]:
    nodes = ast.walk(ast.parse(text))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_no_other_module_writes_a_location() -> None:
    written = written_in_tables()
    modules = sorted(set(PACKAGE.rglob("*.py")) - TABLES)
    assert len(modules) > 100
    assert ".cursor/rules" in written
    sources = {str(module.relative_to(PACKAGE)): module.read_text(encoding="utf-8") for module in modules}
    # To parse everything takes seconds.
    named = {name: text for name, text in sources.items() if any(item in text for item in written)}
    found = {name: sorted(written & constants(text)) for name, text in named.items()}
    assert {module: texts for module, texts in found.items() if texts} == {}
