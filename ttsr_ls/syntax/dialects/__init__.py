"""The dialects of rule files: who reads which keys from which places, and which dialect a file is in (spec X)."""
