"""TOML: reading it in bounded time, and where its keys and values are, also while it is being written."""
