"""A small complete agent: a model, tools for one folder, and a session with its rules around them."""
