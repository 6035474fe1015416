"""Automata for analyses: atoms, states and their graph, lowered from a tree."""
