"""Checks of `doctor`, each of one cause: the server, the versions of agents, and rules that are not in force."""
