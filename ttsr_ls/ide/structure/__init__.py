"""The structure of a rule file: symbols, folds, selections, and links."""
