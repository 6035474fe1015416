"""Commands. Modules import what they need inside of the command, so that each starts fast."""
