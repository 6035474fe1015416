"""What can be written in a rule file: whole rules, keys, values, scope tokens, globs, and parts of patterns."""
