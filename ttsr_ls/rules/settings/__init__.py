"""The settings that rules depend on, and how several files of them are merged (spec O)."""
