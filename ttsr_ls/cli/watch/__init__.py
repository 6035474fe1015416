"""The commands `watch` and `demo`."""
