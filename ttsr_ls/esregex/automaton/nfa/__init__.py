"""Nondeterministic automata: lowering of trees, tree predicates, and approximations."""
