"""The configuration of checks: keys, files, schemas, and the check of the agent's own settings."""
