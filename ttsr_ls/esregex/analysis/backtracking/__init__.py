"""Finds regular expressions that backtrack exponentially or polynomially, each with a text that shows it."""
