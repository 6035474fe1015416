"""One file for each method of the protocol. `ide` implements the features."""
