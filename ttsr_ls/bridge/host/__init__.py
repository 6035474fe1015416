"""The host: a session that embeds in anyone's agent loop."""
