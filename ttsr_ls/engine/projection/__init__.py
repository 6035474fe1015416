"""What a model is sent of a session's history: turns → a conversation → a provider's JSON. Pure; sends nothing."""
