"""From the text between the delimiters to keys and values: YAML, its repair, and the line fallback (spec F4 to F7)."""
