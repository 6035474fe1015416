"""Matches rules on a stream of deltas and snapshots (spec M, Z, A). Pure: no disk, clock or protocol.

- `monitor/` is the entry point: the monitor of one agent, configured for each dialect.
- `rule_index` prepares a rule set, `condition_evaluator` evaluates its conditions, and `disabled_condition` says why
  one is not evaluated any more.
- `streams/` matches conditions on one stream: an automaton filters, exact searches with a limit verify.
- `ast/` has AST conditions, `repeat/` the repeat policies.
- `required_texts` and `rule_file_filter` select conditions and rules for whole texts and files.
"""
