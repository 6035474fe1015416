"""What a rule is: conditions, scope, registration, and rule sets (spec B). Pure."""
