"""Rule files of pi-ttsr (spec P)."""
