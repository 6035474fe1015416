"""Rules by their names across a workspace: the files of a name, its references, and renaming."""
