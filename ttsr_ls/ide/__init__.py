"""What editors ask about rule files, as pure functions over immutable values; no protocol types."""
