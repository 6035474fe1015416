"""The frontmatter keys of pi-ttsr rules (spec P2), with their documentation."""

from __future__ import annotations

from enum import StrEnum

from ttsr_ls.syntax.keys import Key, Kind


class PiScope(StrEnum):
    """The text on which a trigger is tested when a chunk of the agent's text arrives."""

    LINE = "line"
    """Each line of the answer so far, also the unfinished last one."""
    CHUNK = "chunk"
    """The chunk alone."""
    ACCUMULATED = "accumulated"
    """The answer so far."""


PI_SCOPES = tuple(scope.value for scope in PiScope)
"""The values of the key `scope`; the first is the default."""

_TRIGGER = """\
The **regular expression** (ECMAScript) that the rule waits for in what the agent says. Required, and one only: put
alternatives into the pattern, as in `foo|bar`. Its flags stand in `flags`; a group such as `(?i)` is an error here.

```yaml
trigger: 'console\\.(log|debug)\\('
```
"""
_FLAGS = """\
The **flags** of `trigger`, each at most once: `i` (case does not count), `m` (`^` and `$` at every line), `s` (`.` also
matches line ends), `u`. With `g` or `y` the pattern goes on where its last match ended, so that it misses every other
text.

```yaml
trigger: 'todo: fix'
flags: i
```
"""
_SCOPE = """\
**How much of the agent's text a pattern sees** when the next chunk has arrived.

| value | the pattern is tried on |
| --- | --- |
| `line` | each line of the answer so far, also the unfinished last one |
| `chunk` | the new chunk alone: a text that two chunks share is missed |
| `accumulated` | the whole answer so far |

```yaml
trigger: 'foo\\s+bar'
scope: accumulated
```
"""
_MAX_FIRINGS = """\
**How often the rule fires** in a session before it goes dormant.

```yaml
trigger: foo
maxFirings: 3
```
"""
_COOLDOWN = """\
**Seconds that pass between two firings**, at the least. Means something only with `maxFirings` above 1.

```yaml
trigger: foo
maxFirings: 3
cooldown: 60
```
"""

PI_KEYS = (
    Key("trigger", ("trigger",), (Kind.STRING,), "the rule cannot be loaded", None, _TRIGGER),
    Key("flags", ("flags",), (Kind.STRING,), "no flags", None, _FLAGS),
    Key("scope", ("scope",), (Kind.STRING,), "`line`", PI_SCOPES, _SCOPE),
    Key("maxFirings", ("maxFirings",), (Kind.NUMBER,), "`1`", None, _MAX_FIRINGS),
    Key("cooldown", ("cooldown",), (Kind.NUMBER,), "`0`", None, _COOLDOWN),
)
