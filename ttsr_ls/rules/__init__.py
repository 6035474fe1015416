"""Rules as the engine uses them: conditions, scope, registration, and rule sets (spec B). Pure."""
