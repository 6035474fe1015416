"""The parts of conditions and AST patterns, for an editor to colour."""
