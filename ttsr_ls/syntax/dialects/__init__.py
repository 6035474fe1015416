"""The dialects of rule files: which program reads which keys from which locations, and the dialect of a file
(spec X).
"""
