"""Commands. Modules import what they need inside of the command, so that each starts fast.

- `main` finds the command and runs it. A command is a subpackage with its name (`trial/` and `rule_tests/` are
  `test`), or one module.
- `printing/` prints and escapes, `formats/` has the report formats of `check`, `exit_codes` the exit statuses.
- `output_arguments`, `log_arguments`, `named_folders` and `rule_paths` are arguments of several commands;
  `loading_notes` reports problems of loading.
"""
