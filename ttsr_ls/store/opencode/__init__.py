"""The sessions that opencode keeps: in a database since its version 1.2, before that in a folder of JSON files."""
