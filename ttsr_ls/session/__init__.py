"""The life of a session: history, rules, lifecycle, projection and hooks. Pure.

- `history/` has turns, their events, and the fold that builds the history from events.
- `rules/` runs the monitors of all dialects side by side.
- `lifecycle/` decides: the valid inputs in each phase, the recorded events, and the commands.
- `projection/` turns the history into the messages of a provider's request.
- `hooks/` is the contract of features, with the checks of their results.
- `output/` is the common form of agents' output.
"""
