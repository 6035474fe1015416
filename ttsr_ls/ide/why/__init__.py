"""The reasons why a rule fires or does not: the walk through its gates."""
