"""An MCP server that offers the task list to other agents."""
