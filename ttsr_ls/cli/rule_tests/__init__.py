"""`test` without a text: runs the tests of rules and reports the results."""
