"""Runs what can hang or crash in processes of its own, which can be stopped; knows nothing of rules and streams."""
