"""The features of this package, each built on hooks only.

- `ttsr/` applies rules to a session: matches, decisions, injections and reminders.
- `tasks/` is the task list, with the tools that change it.
- `judge/` asks a model about finished outputs, for judged rules.
- `loading` loads features by name, also those of installed packages.
"""
