"""`ttsr-ls install`, `uninstall` and `doctor`: install, remove, and test the hooks of agents."""
