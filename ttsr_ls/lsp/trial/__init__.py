"""Trials of rules on texts, and runs of rule tests: requests, which rules are meant, and answers."""
