"""`ttsr-ls demo`: shows what the program does.

`correction` runs a real session on a scripted model, `broken_rule` checks a rule that never fires, and `recorded_run`
plays a run of Claude Code against the shipped rules. `scene/` has the files of the first two.
"""
