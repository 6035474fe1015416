"""YAML as the reference agent's runtime reads it, with the place of every character; raises only `YamlError`.

That is YAML 1.2 with the core schema, and a few liberties of that runtime (Bun 1.4), each noted where it is taken.
Three known differences are left, none of which a rule has a use for: values nested more than 32 deep are an error here;
some mappings on the line of an explicit key (`? a: b: c`) or of a list item that stands where a key should are an error
here; and so are a few flow collections that serve as keys over several lines.
"""
