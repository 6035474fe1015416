"""One driver for each agent."""
