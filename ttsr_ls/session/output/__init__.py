"""The output of agents in a common form: events, streams, and the matched form of tool calls (spec T)."""
