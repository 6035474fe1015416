"""`ttsr-ls init`: the first rule of a project, with its test, and the files that keep rules checked."""
