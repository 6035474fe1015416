"""The host: a session to embed in an agent loop.

- `session` is the class for hosts; `session_core` holds the state and changes it: decide, record, evolve, perform.
- `turns/` runs one turn: requests, answers, tool calls, retries; `turn_limits` and `retry_wait` bound and delay them.
- `hooks/` asks features at each hook, with their timeout.
- `recorder` and `logs` write the log; `events` and `broadcast` inform listeners.
- `rule_reload` reloads changed rules, `arguments` checks what a host passes, `clock` has the clocks.
"""
