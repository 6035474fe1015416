"""Trials of rules on texts, and runs of rule tests: requests, the selection of rules, and answers."""
