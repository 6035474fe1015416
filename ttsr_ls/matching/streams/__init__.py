"""One stream against many conditions: filtered by the automaton, verified by exact searches."""
