"""`ttsr-ls run`."""
