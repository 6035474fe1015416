"""The instructions that the backtracking matchers run, how they are assembled, and their step budget."""
