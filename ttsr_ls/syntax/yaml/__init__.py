"""YAML as the reference agent's runtime reads it, with the place of every character; raises only `YamlError`."""
