"""`python -m tests.agents.codex_trust PROGRAM` trusts the hooks of Codex as its user would, in the home folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ttsr_ls.cli.install.codex_inquiry import ask_codex


def trust_hooks(program: str) -> str:
    """Writes the trust in all hooks that Codex lists in this folder; returns the settings."""
    (listed,) = ask_codex(program, Path.cwd()).hooks["data"]
    tables = (f'[hooks.state.{json.dumps(h["key"])}]\ntrusted_hash = "{h["currentHash"]}"\n' for h in listed["hooks"])
    path = Path.home() / ".codex" / "config.toml"
    path.write_text("".join(tables))
    return path.read_text()


if __name__ == "__main__":
    trust_hooks(sys.argv[1])
