"""Access to the disk: rule files, settings, and session logs.

- `discovery/` finds rule files and their environment, `providers/` the files of each provider; `listing` and
  `gitignore/` list folders as the reference agent does.
- `files/` reads and replaces files. `settings/` reads configurations and settings, `settings_backup` rewrites the
  settings of other programs.
- `log/` writes, reads and follows session logs; `agent_sessions` and `opencode/` find the sessions that agents keep.
- `rule_test_files` finds the tests of rules, `git_changes` the added lines, `watch` changes in folders.
- `hook_server_file`, `open_hook_sessions`, `proxied_sessions` and `noise_file` are state that processes share.
"""
