"""Features of a session in front of an unmodified agent: they are asked between the model's answer and the client."""
