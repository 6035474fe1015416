"""Dialect profiles, which say how rules run, and the registration of rules of pi-ttsr and of older oh-my-pi."""
