"""Rule tests: cases in `NAME.test.yml` and in the body of a rule, and running them. Pure: no disk, no clock."""
