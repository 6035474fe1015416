"""What can be done about findings: fixes, one or many, and suppressions."""
