"""Asks features at each hook, with their timeout, and switches off what fails."""
