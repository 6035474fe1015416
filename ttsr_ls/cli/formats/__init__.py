"""The report formats of `check` and `scan`: one module each, with a function `write(report, out)`.

A module is imported only when its format is used.
"""
