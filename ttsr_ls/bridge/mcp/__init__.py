"""The task list for agents that run elsewhere, by the Model Context Protocol."""
