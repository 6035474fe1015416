"""How files are read and written: bounded, whole, private, and one writer at a time."""
