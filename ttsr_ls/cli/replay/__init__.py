"""`ttsr-ls replay`: counts how often rules would have fired in the sessions that agents kept."""
