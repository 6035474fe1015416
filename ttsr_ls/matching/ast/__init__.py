"""AST conditions: languages, required words, and the search in what a tool call writes (spec A)."""
