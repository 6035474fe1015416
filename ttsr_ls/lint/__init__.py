"""What is wrong with a rule file: the catalogue of codes, and the checks that find them."""
