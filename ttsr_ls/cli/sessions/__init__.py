"""`ttsr-ls sessions`: lists, shows, exports and deletes session logs."""
