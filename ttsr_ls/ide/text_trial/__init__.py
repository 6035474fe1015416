"""Tries all rules on a text, as an editor shows it: each match, the gate of each rule, the delta of each trigger."""
