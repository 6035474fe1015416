"""Rules by their names across a workspace: which files have a name, who mentions it, and what renaming changes."""
