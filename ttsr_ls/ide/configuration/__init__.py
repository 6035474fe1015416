"""Editor features for the project's configuration: completion and hover of its keys and values."""
