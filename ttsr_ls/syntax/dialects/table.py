"""The dialects of rule files: the one table of who reads which keys, and from which files (spec X1).

Detection (`detection`), hover, completion, the checks, `convert` and the documentation read it. What a dialect's keys
come to is the business of its own reader.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.syntax.dialects.guidance_keys import CLAUDE_KEYS, CLINE_KEYS, CURSOR_KEYS, GITHUB_KEYS, WINDSURF_KEYS
from ttsr_ls.syntax.hookify.keys import HOOKIFY_KEYS, MAESTRO_KEYS
from ttsr_ls.syntax.keys import KEYS, Key
from ttsr_ls.syntax.pi.keys import PI_KEYS


class DialectId(StrEnum):
    """What a dialect is called in settings, on the command line and in the documentation."""

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
    """What becomes of a rule."""

    FIRES = "fires on what the agent streams"
    HOOKS = "fires on what the agent is about to do"
    TELLS = "is a part of what the model is told"


class Place(Struct, frozen=True):
    """Files that a program reads: those in a folder whose path ends in `folders`, by the end of their names.

    With `below`, folders inside of it count too. A file's name must begin with `prefix`.
    """

    folders: tuple[str, ...]
    suffixes: tuple[str, ...]
    below: bool = False
    prefix: str = ""

    def holds(self, path: PurePath) -> bool:
        """Whether a path is one of these files."""
        # The prefix and the suffix do not overlap: `hookify.local.md` has no name between them.
        if not (path.name.startswith(self.prefix) and path.name[len(self.prefix) :].endswith(self.suffixes)):
            return False
        folders = path.parts[:-1]
        if not self.below:
            return folders[-len(self.folders) :] == self.folders
        length = len(self.folders)
        return any(folders[at : at + length] == self.folders for at in range(len(folders) - length + 1))

    def __str__(self) -> str:
        return "/".join((*self.folders, *(("**",) if self.below else ()), f"{self.prefix}*{self.suffixes[0]}"))


class Dialect(Struct, frozen=True):
    """A dialect. `program` is whose it is, for people; `keys` are those that mean something in it."""

    id: DialectId
    program: str
    purpose: Purpose
    places: tuple[Place, ...]
    keys: tuple[Key, ...]

    def find_key(self, spelling: str) -> Key | None:
        """The key that a spelling is read as; None where it does nothing. Case counts."""
        return next((key for key in self.keys if spelling in key.spellings), None)


_MARKDOWN = (".md", ".mdc")
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

OMP = Dialect(
    DialectId.OMP,
    "oh-my-pi",
    Purpose.FIRES,
    (
        Place((".omp", "rules"), _MARKDOWN),
        Place((".omp", "agent", "rules"), _MARKDOWN),
        Place((".agent", "rules"), _MARKDOWN),
        Place((".agents", "rules"), _MARKDOWN),
    ),
    KEYS,
)
OMP_LEGACY = Dialect(
    DialectId.OMP_LEGACY,
    "oh-my-pi before `condition`",
    Purpose.FIRES,
    (),
    tuple(_legacy(key) for key in KEYS if key.name in _LEGACY_KEYS),
)
PI_TTSR = Dialect(DialectId.PI_TTSR, "pi-ttsr", Purpose.FIRES, (Place((".pi", "rules"), _MARKDOWN[:1]),), PI_KEYS)
MAESTRO = Dialect(
    DialectId.MAESTRO, "Maestro", Purpose.FIRES, (Place((".maestro", "rules"), _MARKDOWN[:1]),), MAESTRO_KEYS
)
HOOKIFY = Dialect(
    DialectId.HOOKIFY,
    "hookify",
    Purpose.HOOKS,
    (Place((".claude",), (".local.md",), prefix="hookify."),),
    HOOKIFY_KEYS,
)
CURSOR = Dialect(
    DialectId.CURSOR,
    "Cursor",
    Purpose.TELLS,
    (Place((".cursor", "rules"), (".mdc", ".md"), below=True),),
    CURSOR_KEYS,
)
WINDSURF = Dialect(
    DialectId.WINDSURF,
    "Windsurf",
    Purpose.TELLS,
    (Place((".windsurf", "rules"), _MARKDOWN[:1], below=True), Place((".devin", "rules"), _MARKDOWN[:1], below=True)),
    WINDSURF_KEYS,
)
CLINE = Dialect(
    DialectId.CLINE,
    "Cline",
    Purpose.TELLS,
    (Place((".clinerules",), _MARKDOWN[:1], below=True),),
    CLINE_KEYS,
)
GITHUB = Dialect(
    DialectId.GITHUB,
    "GitHub Copilot",
    Purpose.TELLS,
    (Place((".github", "instructions"), (".instructions.md",), below=True),),
    GITHUB_KEYS,
)
CLAUDE = Dialect(
    DialectId.CLAUDE,
    "Claude Code",
    Purpose.TELLS,
    (Place((".claude", "rules"), _MARKDOWN[:1], below=True),),
    CLAUDE_KEYS,
)

DIALECTS = (OMP, OMP_LEGACY, PI_TTSR, MAESTRO, HOOKIFY, CURSOR, WINDSURF, CLINE, GITHUB, CLAUDE)


def find_dialect(dialect_id: str) -> Dialect | None:
    """The dialect that is called so, or None."""
    return next((dialect for dialect in DIALECTS if dialect.id == dialect_id), None)
