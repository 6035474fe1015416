"""The locations of rule files, and the programs that read them."""
