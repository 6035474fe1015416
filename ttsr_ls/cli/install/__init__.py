"""`ttsr-ls install`, `uninstall` and `doctor`: the hooks of agents, put in place, taken out and tried."""
