"""The forms in which `check` reports, one module each with a function `write(report, out)`.

Each is imported only when it is asked for.
"""
