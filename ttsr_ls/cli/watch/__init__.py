"""The command `watch`: follows the output of an agent, and reports triggers."""
