"""Recorded interruptions and injections of two versions of the reference agent (recorders/record_interrupts.py)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from ttsr_ls.rules.providers import Level
from ttsr_ls.rules.settings.layers import SettingsLayer, SettingsLayers
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.syntax.settings_file import read_settings
from ttsr_ls.syntax.settings_locations import SettingsFormat

VECTORS = Path(__file__).parents[2] / "vectors"
OLD, NEW = "18.2.3", "18.3.4"
RECORDED: dict[str, list[dict[str, Any]]] = {
    version: json.loads(gzip.decompress((VECTORS / f"interrupts-{version}.json.gz").read_bytes()))["sessions"]
    for version in (OLD, NEW)
}
_NO_MODES = ("Never", '" always "', "prose_only", "off", "false", "true", '""', "[always]", "0")
UNCHECKED = frozenset(
    (
        *(f"the setting {value}" for value in _NO_MODES),
        *(f"what is kept: {value}" for value in ("Discard", "drop", "null", '""', "true")),
        *(f"again and again, repeatMode: {value}" for value in ("Once", "null", "true", '""')),
    )
)
"""Sessions with invalid values of settings, which 18.2 interprets somehow, and 18.3 and we replace by the default."""


def settings_of(recorded: dict[str, Any]) -> Settings:
    """The settings of a recorded session."""
    if recorded["settings"] is None:
        return Settings()
    file = read_settings(recorded["settings"], "config.yml", SettingsFormat.YAML)
    return SettingsLayers((SettingsLayer(file, Level.PROJECT),)).settings()


def has_question(recorded: dict[str, Any]) -> bool:
    """Returns whether rules of a session have a question."""
    return any("\nquestion:" in text for text in recorded["rules"].values())
