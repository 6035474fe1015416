"""Editor features for rule files, as pure functions over immutable values; no protocol types."""
