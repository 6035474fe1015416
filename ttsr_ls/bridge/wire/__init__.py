"""Decoders of providers' streams: answers become outputs, and the streams on which rules are matched."""
