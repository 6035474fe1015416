"""The Agent Client Protocol, version 1 and draft 2 (spec W15, W17)."""
