"""How many places in the files of a workspace an open rule matches: counted in a process of its own."""
