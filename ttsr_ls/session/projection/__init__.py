"""The messages that a model is sent: turns, a conversation, a provider's JSON (spec V). Pure."""
