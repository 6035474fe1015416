"""From trees to nondeterministic automata: lowering, shapes, and approximations."""
