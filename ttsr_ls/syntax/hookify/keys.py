"""The frontmatter keys of hookify's and Maestro's rules."""

from __future__ import annotations

from ttsr_ls.syntax.keys import KEYS, Key, Kind

HOOKIFY_EVENTS = ("bash", "file", "stop", "prompt", "all")
"""The events of hookify rules."""

HOOKIFY_ACTIONS = ("warn", "block")

HOOKIFY_OPERATORS = ("regex_match", "contains", "equals", "not_contains", "starts_with", "ends_with")
"""The comparisons of hookify's conditions."""

HOOKIFY_PLUS_KEYS = frozenset(("warn_once", "warn_interval"))
"""Keys that only the fork hookify-plus reads, for files that both programs read."""

_NAME = """\
What the rule is called; the file's name does not count.

```yaml
name: no-force-push
```
"""
_ENABLED = """\
`false` switches the rule off.

```yaml
enabled: true
```
"""
_EVENT = """\
**What the rule looks at.** A `pattern` is tried on the command of `bash` and on the new text of a `file` edit; with
`all`, on what is written to files. For `stop` and `prompt` write `conditions` on `transcript`.

```yaml
event: bash
pattern: git push .*--force
```
"""
_PATTERN = """\
A **regular expression** of Python, tried without regard to case. Write it without quotes, on one line, with each
backslash once: hookify removes quotes at its ends and reads everything else as it stands, comments too.

```yaml
event: bash
pattern: rm\\s+-rf
```
"""
_CONDITIONS = """\
What must **all** hold, in place of `pattern`: each with a `field` (`command`, `file_path`, `new_text`, `old_text`,
`content`, `transcript`), an `operator` (`regex_match`, `contains`, `equals`, `not_contains`,
`starts_with`, `ends_with`) and a `pattern`.

```yaml
event: file
conditions:
  - field: file_path
    operator: ends_with
    pattern: .env
```
"""
_ACTION = """\
`warn` shows the message, `block` also stops what the agent was about to do.

```yaml
action: block
```
"""
_TOOL_MATCHER = """\
The tools that the rule is limited to, by their names with `|` between them; `*` is every tool.

```yaml
tool_matcher: Edit|Write
```
"""

HOOKIFY_KEYS = (
    Key("name", ("name",), (Kind.STRING,), "`unnamed`", None, _NAME),
    Key("enabled", ("enabled",), (Kind.BOOLEAN,), "`true`", None, _ENABLED),
    Key("event", ("event",), (Kind.STRING,), "`all`", HOOKIFY_EVENTS, _EVENT),
    Key("pattern", ("pattern",), (Kind.STRING,), "the `conditions`", None, _PATTERN),
    Key("conditions", ("conditions",), (Kind.MAPS,), "the `pattern`", None, _CONDITIONS),
    Key("action", ("action",), (Kind.STRING,), "`warn`", HOOKIFY_ACTIONS, _ACTION),
    Key("tool_matcher", ("tool_matcher",), (Kind.STRING,), "the tools of the event", None, _TOOL_MATCHER),
)

_REPEAT_MODE = """\
**Whether the rule may fire again** in a session: `once`, or `after-gap` when `repeatGap` turns have passed.

```yaml
repeatMode: once
```
"""
_REPEAT_GAP = """\
**How many turns pass** before the rule may fire again, with `repeatMode: after-gap`.

```yaml
repeatGap: 3
```
"""

MAESTRO_REPEAT_KEYS = (
    Key("repeatMode", ("repeatMode",), (Kind.STRING,), "`after-gap`", ("once", "after-gap"), _REPEAT_MODE),
    Key("repeatGap", ("repeatGap",), (Kind.NUMBER,), "`3`", None, _REPEAT_GAP),
)
_SHARED_WITH_OMP = ("condition", "astCondition", "scope", "globs", "interruptMode", "agents", "description")
MAESTRO_KEYS = (
    Key("name", ("name",), (Kind.STRING,), "the file's name", None, _NAME),
    *(key for key in KEYS if key.name in _SHARED_WITH_OMP),
    *MAESTRO_REPEAT_KEYS,
)
