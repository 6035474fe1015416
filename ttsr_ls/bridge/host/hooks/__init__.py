"""Asks features at each hook, with their patience, and switches off what fails."""
