"""The I/O of the proxy: sockets, sessions on disk, coverage, and metrics."""
