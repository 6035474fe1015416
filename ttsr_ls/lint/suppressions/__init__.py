"""Suppression of findings by comments, a configuration or a baseline."""
