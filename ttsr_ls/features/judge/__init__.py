"""Judged rules as a feature: questions about finished outputs, answers, and warnings (spec J)."""
