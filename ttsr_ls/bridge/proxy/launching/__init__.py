"""Points each agent at the proxy for one run; its own configuration stays as it is."""
