"""HTTP clients for models: requests, streams, and errors."""
