"""`ttsr-ls quiet`."""
