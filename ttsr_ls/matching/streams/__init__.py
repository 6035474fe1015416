"""Matches many conditions on one stream: an automaton filters, exact searches verify."""
