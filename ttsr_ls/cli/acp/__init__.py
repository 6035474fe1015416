"""`ttsr-ls acp`."""
