"""The messages of requests: turns, a conversation, a provider's JSON (spec V). Pure."""
