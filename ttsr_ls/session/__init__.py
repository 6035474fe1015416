"""The life of a session: history, rules, lifecycle, projection and hooks. Pure."""
