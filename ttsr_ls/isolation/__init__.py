"""Runs code that can hang or crash in separate processes, which can be stopped. Knows nothing of rules and streams."""
