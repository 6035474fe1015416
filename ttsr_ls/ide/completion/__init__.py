"""Completion in rule files: whole rules, keys, values, scope tokens, globs, and parts of patterns."""
