"""Code actions for findings: single and multiple fixes, and suppressions."""
