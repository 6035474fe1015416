"""The documentation of each frontmatter key, in Markdown, for hovers, completion and the manual.

Has texts only; the table of keys is `keys`.
"""

DOCUMENTATION = {
    "condition": """\
One or more **regular expressions** (ECMAScript, without the `u` flag). The rule fires when any of them is found in
what the agent streams: they are alternatives, not requirements that must all hold.

- Flags go in one group at the very start: `(?i)`, `(?m)`, `(?s)`, or several as in `(?im)`.
- Write patterns in single quotes. In double quotes YAML reads the backslashes first, and `"\\b"` becomes a backspace.
- An entry such as `*.rs` or `src/**` is taken as a *file glob*: it leaves the conditions, and the scope gets
  `tool:edit(…)` and `tool:write(…)` for it. Without another condition, every edit of such a file fires the rule.

```yaml
condition:
  - '\\bas any\\b'
  - '(?i)todo: fix'
```
""",
    "astCondition": """\
One or more **ast-grep patterns**, tested on the code that an edit or write adds, once the call is complete. Each must
parse as one node of the file's language; `$NAME` stands for any node, `$$$` for any number of them.
The rule fires when any pattern, or any `condition`, matches.

```yaml
astCondition: 'console.log($$$)'
scope: tool:edit(**/*.ts), tool:write(**/*.ts)
```
""",
    "question": """\
A **yes-or-no question** for a judge model, asked about each finished output in the rule's scope. A `condition` beside
it is a filter: the question is only asked where it matches. Such a rule never interrupts; it comes as a reminder after
the output. One string only: a list is ignored.

```yaml
question: Does this text claim that tests passed without having run them?
scope: text
```
""",
    "scope": """\
The **streams on which the rule is matched**; all others are left out.

| token | stream |
| --- | --- |
| `text` | what the agent says |
| `thinking` | its reasoning |
| `tool` | the arguments of every tool call |
| `tool:edit` or `edit` | those of one tool |
| `tool:edit(**/*.ts)` | those of one tool, for paths that match the glob |

Separate tokens by commas or write a list. Any other bare word is taken as the name of a tool.

```yaml
scope: text, tool:edit(*.{ts,tsx}), tool:write(*.{ts,tsx})
```
""",
    "globs": """\
**Paths that the whole rule is limited to.** A stream must have a path that matches one of them. Text and thinking have
no path, and neither have tools such as `bash`, so with `globs` they never fire the rule. To limit edits only, give the
glob in `scope` instead: `tool:edit(*.ts)`. A string is one glob; commas do not separate.

```yaml
globs: ["src/**/*.ts", "test/**/*.ts"]
```
""",
    "interruptMode": """\
**The streams on which a match interrupts the agent's answer.** On the others the rule is injected afterwards,
as a reminder.

| value | interrupts |
| --- | --- |
| `always` | every stream |
| `prose-only` | text and thinking |
| `tool-only` | tool calls |
| `never` | nothing |

Any other value, or another case, is ignored.

```yaml
interruptMode: prose-only
```
""",
    "agents": """\
**Which agents the rule is for**, by name or glob; case does not count. `main` is the session at the top, `sub` a
subagent without a name, `!main` everyone else. Separate names by commas, or write a list.

```yaml
agents: main, review*
```
""",
    "description": """\
What the rule is about, in a line. A rule with a working trigger does not need it. A rule that has none, or whose
triggers are all invalid, is offered to the model by its description; without one it is dropped.

```yaml
description: No `any` in TypeScript
```
""",
    "alwaysApply": """\
`true` puts the body into every prompt. It only counts when the rule has no working trigger: a rule that fires on a
stream is never also always on. Only the boolean counts, not `yes` or `"true"`.

```yaml
alwaysApply: true
```
""",
    "enabled": """\
`false` makes the agent skip this file, as if it were not there; a rule of the same name elsewhere is then used. Only
the boolean counts: `no`, `off` and `"false"` leave the rule on.

```yaml
enabled: false
```
""",
}
