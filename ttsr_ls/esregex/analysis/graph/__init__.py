"""Automata for analyses: atoms, states and their graph, built from a tree."""
