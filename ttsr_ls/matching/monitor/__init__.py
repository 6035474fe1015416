"""The monitor of one agent, and how each dialect configures it."""
