"""Where the files of each provider are found: one module a family (semantics.md 1.12)."""
