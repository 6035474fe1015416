"""Where rule files are, and which programs read them there."""
