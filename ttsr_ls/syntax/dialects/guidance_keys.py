"""The frontmatter keys of guidance rules: those of Cursor, Windsurf, Cline, GitHub Copilot and Claude Code.

Such a rule is part of the prompt from the start, or once certain files come up; it is never matched on a stream.
"""

from __future__ import annotations

from ttsr_ls.syntax.keys import Key, Kind

WINDSURF_TRIGGERS = ("always_on", "glob", "model_decision", "manual")
"""The values of Windsurf's key `trigger`."""
WINDSURF_AGENT_TRIGGER = "agent"
"""A further value that the vendor lists without saying what it does. Elsewhere, it may be an ordinary word."""

_TEXT = (Kind.STRING,)
_TEXTS = (Kind.STRING, Kind.STRINGS)
_FLAG = (Kind.BOOLEAN,)


def _description(program: str) -> str:
    return f"""\
What the rule is about, in a line. {program} shows it to the model, which decides by it whether to read the rule.

```yaml
description: How we write API routes
```
"""


_CURSOR_GLOBS = """\
**Files that bring the rule into the conversation.** One text, its globs separated by commas, or a list.

```yaml
globs: src/**/*.ts,src/**/*.tsx
```
"""
_CURSOR_ALWAYS = """\
`true` includes the rule in every conversation, whatever files are involved.

```yaml
alwaysApply: true
```
"""
_WINDSURF_TRIGGER = """\
**When the rule is in the prompt.**

| value | the rule is in the prompt |
| --- | --- |
| `always_on` | in every conversation |
| `glob` | when files come up that match `globs` |
| `model_decision` | when the model asks for it by its `description` |
| `manual` | when somebody mentions it |

```yaml
trigger: glob
globs: src/**/*.ts
```
"""
_WINDSURF_GLOBS = """\
**Files that bring the rule into the conversation**, with `trigger: glob`. One text, its globs separated by commas.

```yaml
trigger: glob
globs: src/**/*.ts,src/**/*.tsx
```
"""


def _paths(program: str) -> str:
    return f"""\
**Files that bring the rule into the conversation.** Without the key, {program} always includes the rule.

```yaml
paths:
  - 'src/**/*.ts'
```
"""


_APPLY_TO = """\
**Files that the instructions are for.** One text, its globs separated by commas; `**` is every file. Without the key
the instructions are only used when somebody attaches them, or when an editor finds them by their `description`.

```yaml
applyTo: '**/*.ts,**/*.tsx'
```
"""
_EXCLUDE_AGENT = """\
An agent that does not get the instructions: `code-review` or `coding-agent`.

```yaml
applyTo: '**'
excludeAgent: code-review
```
"""
_INSTRUCTIONS_NAME = """\
The name that editors show for the instructions.

```yaml
name: API routes
```
"""

CURSOR_KEYS = (
    Key("description", ("description",), _TEXT, "no description", None, _description("Cursor")),
    Key("globs", ("globs",), _TEXTS, "no file brings the rule up", None, _CURSOR_GLOBS),
    Key("alwaysApply", ("alwaysApply",), _FLAG, "`false`", None, _CURSOR_ALWAYS),
)
WINDSURF_KEYS = (
    Key("trigger", ("trigger",), _TEXT, "`manual`", WINDSURF_TRIGGERS, _WINDSURF_TRIGGER),
    Key("globs", ("globs",), _TEXT, "no file brings the rule up", None, _WINDSURF_GLOBS),
    Key("description", ("description",), _TEXT, "no description", None, _description("Windsurf")),
)
CLINE_KEYS = (Key("paths", ("paths",), _TEXTS, "the rule is always in the prompt", None, _paths("Cline")),)
CLAUDE_KEYS = (
    Key("paths", ("paths",), _TEXTS, "the rule is always in the prompt", None, _paths("Claude Code")),
    Key("description", ("description",), _TEXT, "no description", None, _description("Claude Code")),
)
GITHUB_KEYS = (
    Key("applyTo", ("applyTo",), _TEXT, "used only when it is attached", None, _APPLY_TO),
    Key("excludeAgent", ("excludeAgent",), _TEXT, "every agent", ("code-review", "coding-agent"), _EXCLUDE_AGENT),
    Key("name", ("name",), _TEXT, "the file's name", None, _INSTRUCTIONS_NAME),
    Key("description", ("description",), _TEXT, "no description", None, _description("Editors")),
)
