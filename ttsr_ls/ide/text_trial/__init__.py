"""Tries all rules on a text, for display in an editor: each match, the gate of each rule, the delta of each trigger."""
