"""Where the files of each provider are found: one module a family (spec D)."""
