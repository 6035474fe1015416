"""One file for each method of the protocol: what it is called, and what is done. The work itself is in `ide`."""
