"""`ttsr-ls proxy`, and `ttsr-ls run --proxy`."""
