"""The one table of the dialects of rule files: which program reads which keys, from which locations (spec X1).

Detection (`detection`), hover, completion, the checks, `convert` and the documentation read it. Each dialect's own
reader interprets the values of keys.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.syntax.dialects.guidance_keys import CLAUDE_KEYS, CLINE_KEYS, CURSOR_KEYS, GITHUB_KEYS, WINDSURF_KEYS
from ttsr_ls.syntax.dialects.locations import (
    AGENT_RULES,
    AGENTS_RULES,
    CLAUDE_RULES,
    CLINE_RULES,
    COPILOT_INSTRUCTIONS,
    CURSOR_RULES,
    DEVIN_RULES,
    HOOKIFY_RULES,
    MAESTRO_RULES,
    PI_RULES,
    PROJECT_RULES,
    USER_RULES,
    WINDSURF_RULES,
    RuleLocation,
)
from ttsr_ls.syntax.hookify.keys import HOOKIFY_KEYS, MAESTRO_KEYS
from ttsr_ls.syntax.keys import KEYS, Key
from ttsr_ls.syntax.pi.keys import PI_KEYS


class DialectId(StrEnum):
    """The name of a dialect in settings, on the command line and in the documentation."""

    OMP = "omp"
    OMP_LEGACY = "omp-legacy"
    PI_TTSR = "pi-ttsr"
    MAESTRO = "maestro"
    HOOKIFY = "hookify"
    CURSOR = "cursor"
    WINDSURF = "windsurf"
    CLINE = "cline"
    GITHUB = "github"
    CLAUDE = "claude"


class Purpose(StrEnum):
    """The use that the program of a dialect makes of a rule."""

    FIRES = "fires on what the agent streams"
    HOOKS = "fires on what the agent is about to do"
    GUIDES = "is a part of the prompt"


class Dialect(Struct, frozen=True):
    """A dialect. `program` is the name of its program, for users; `keys` are the keys that the program reads."""

    id: DialectId
    program: str
    purpose: Purpose
    locations: tuple[RuleLocation, ...]
    keys: tuple[Key, ...]

    def reads(self, path: PurePath) -> bool:
        """Returns whether the program of the dialect reads the file at a path."""
        return any(location.contains(path) for location in self.locations)

    def find_key(self, spelling: str) -> Key | None:
        """Returns the key with this spelling, which is case-sensitive; None if the program ignores it."""
        return next((key for key in self.keys if spelling in key.spellings), None)


_LEGACY_KEYS = ("condition", "description", "globs", "alwaysApply")


def _legacy(key: Key) -> Key:
    if key.name != "condition":
        return key
    return Key("ttsr_trigger", ("ttsr_trigger", "ttsrTrigger"), key.kinds[:1], "no trigger", None, _TTSR_TRIGGER)


_TTSR_TRIGGER = """\
The **regular expression** (ECMAScript) that the rule waits for: the one trigger of rules before `condition`, looked for
in what the agent says and in the arguments of its tools, all in one text. Newer versions still read the key.

```yaml
ttsr_trigger: 'console\\.log\\('
```
"""

OMP = Dialect(DialectId.OMP, "oh-my-pi", Purpose.FIRES, (PROJECT_RULES, USER_RULES, AGENT_RULES, AGENTS_RULES), KEYS)
OMP_LEGACY = Dialect(
    DialectId.OMP_LEGACY,
    "oh-my-pi before `condition`",
    Purpose.FIRES,
    (),
    tuple(_legacy(key) for key in KEYS if key.name in _LEGACY_KEYS),
)
PI_TTSR = Dialect(DialectId.PI_TTSR, "pi-ttsr", Purpose.FIRES, (PI_RULES,), PI_KEYS)
MAESTRO = Dialect(DialectId.MAESTRO, "Maestro", Purpose.FIRES, (MAESTRO_RULES,), MAESTRO_KEYS)
HOOKIFY = Dialect(DialectId.HOOKIFY, "hookify", Purpose.HOOKS, (HOOKIFY_RULES,), HOOKIFY_KEYS)
CURSOR = Dialect(DialectId.CURSOR, "Cursor", Purpose.GUIDES, (CURSOR_RULES,), CURSOR_KEYS)
WINDSURF = Dialect(DialectId.WINDSURF, "Windsurf", Purpose.GUIDES, (WINDSURF_RULES, DEVIN_RULES), WINDSURF_KEYS)
CLINE = Dialect(DialectId.CLINE, "Cline", Purpose.GUIDES, (CLINE_RULES,), CLINE_KEYS)
GITHUB = Dialect(DialectId.GITHUB, "GitHub Copilot", Purpose.GUIDES, (COPILOT_INSTRUCTIONS,), GITHUB_KEYS)
CLAUDE = Dialect(DialectId.CLAUDE, "Claude Code", Purpose.GUIDES, (CLAUDE_RULES,), CLAUDE_KEYS)

DIALECTS = (OMP, OMP_LEGACY, PI_TTSR, MAESTRO, HOOKIFY, CURSOR, WINDSURF, CLINE, GITHUB, CLAUDE)


def find_dialect(dialect_id: str) -> Dialect | None:
    """Returns the dialect with this id, or None."""
    return next((dialect for dialect in DIALECTS if dialect.id == dialect_id), None)
