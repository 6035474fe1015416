"""Answers as the client sees them: frames, what may be released, and the splice of several attempts into one answer."""
