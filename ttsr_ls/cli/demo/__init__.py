"""`ttsr-ls demo`: what the program does, in one minute.

`correction` runs a real session on a scripted model, `broken_rule` checks a rule that never fires, and `load_recording`
plays a run of Claude Code against the shipped rules. `scene/` has the files of the first two.
"""
