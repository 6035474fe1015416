"""`ttsr-ls hooks`: the server that answers agents' hooks, and starting it when an agent's session starts."""
