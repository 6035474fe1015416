"""A relay between an editor and an agent that speak the Agent Client Protocol."""
