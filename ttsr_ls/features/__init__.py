"""Features that come with this package, each on the hooks alone."""
