"""The language server. The only package that knows pygls."""
