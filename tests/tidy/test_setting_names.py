"""The table of settings has each setting that the package names in messages and comments."""

from __future__ import annotations

import re
from pathlib import Path

import ttsr_ls
from ttsr_ls.lsp.features import COMMANDS
from ttsr_ls.rules.settings.keys import GROUP, SETTING_KEYS

PACKAGE = Path(ttsr_ls.__file__).parent
MENTION = re.compile(rf"(?<=`){GROUP}\.[a-z]\w*")


def test_each_named_setting_or_command_exists() -> None:
    mentions = {
        (str(module.relative_to(PACKAGE)), name)
        for module in PACKAGE.rglob("*.py")
        for name in MENTION.findall(module.read_text(encoding="utf-8"))
    }
    known = {key.name for key in SETTING_KEYS} | set(COMMANDS)
    assert len(mentions) > 10
    assert {(module, name) for module, name in mentions if name not in known} == set()
