"""Finds regular expressions that backtrack exponentially or polynomially, with a text that shows it."""
