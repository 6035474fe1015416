"""Access to the disk: rule files, settings, and session logs."""
