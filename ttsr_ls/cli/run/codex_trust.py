"""Reports the folders that Codex began to trust during a run: its app server records trust without asking."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ttsr_ls.bridge.proxy.launching.agent_config_files import read_toml
from ttsr_ls.syntax.settings_locations import CODEX_FOLDER


class CodexTrust:
    """The folders that Codex trusts now, to compare with those that it trusts later."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        self._settings = Path(environ.get("CODEX_HOME") or home / CODEX_FOLDER) / "config.toml"
        self._before = self._trusted()

    def message(self) -> str:
        """The folders that Codex trusts since then, and how to undo that, as a message; blank if there are none."""
        more = sorted(self._trusted() - self._before)
        if not more:
            return ""
        tables = ", ".join(f'[projects."{folder}"]' for folder in more)
        return (
            f"it trusts {', '.join(more)} from now on, so the project's own settings of Codex count. Its app server "
            f"recorded that in {self._settings}; to take it back, remove {tables} there."
        )

    def _trusted(self) -> frozenset[str]:
        projects = read_toml(self._settings).get("projects")
        if not isinstance(projects, dict):
            return frozenset()
        return frozenset(
            folder
            for folder, settings in projects.items()
            if isinstance(settings, dict) and settings.get("trust_level") == "trusted"
        )
