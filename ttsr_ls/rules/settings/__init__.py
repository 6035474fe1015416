"""The settings that affect rules, and the merging of several settings files (spec O)."""
