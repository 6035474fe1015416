"""Checks of the assertions in patterns: anchors, word boundaries, and lookarounds."""
