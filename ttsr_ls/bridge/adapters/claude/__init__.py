"""Claude Code: what it prints, and the transcripts that it keeps."""
