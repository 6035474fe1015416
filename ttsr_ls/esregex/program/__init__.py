"""The instructions of the backtracking matchers, their assembly, and their step budget."""
