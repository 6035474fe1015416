"""AST conditions: languages, needed text, and the search in what a tool call writes (spec A)."""
