"""The client that agents without HTTP hooks run: the script, and its request in Perl. It is not a Python program."""
