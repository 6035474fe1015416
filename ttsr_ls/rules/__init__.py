"""Rules as the engine uses them: conditions, scope, registration, and rule sets (spec B). Pure.

- `registration` turns a parsed file into a `rule.Rule`, `rule_set` decides which rules are active for an agent.
- `condition` compiles conditions, `condition_limits` limits them.
- `stream` defines the monitor's input and the kinds of streams; `scope` decides on which of them a rule is matched.
- `path_glob` and `tool_paths` match the paths of tool calls.
- `settings/` has the settings that affect rules, `providers` the sources of the reference agent's rules.
- `dialects/` has the rules of other dialects that fire, and `dialect_profile`: how each dialect runs its rules.
"""
