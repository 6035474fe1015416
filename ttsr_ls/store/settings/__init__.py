"""Configuration and settings files, read within bounds."""
