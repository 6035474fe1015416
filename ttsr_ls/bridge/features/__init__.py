"""Features: what sessions of ours can do, each on the hooks alone and each the only one to know what it is about."""
