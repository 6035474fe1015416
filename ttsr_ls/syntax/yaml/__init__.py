"""YAML as the reference agent's runtime reads it, with the position of every character; raises only `YamlError`.

That is YAML 1.2 with the core schema, and a few liberties of that runtime (Bun 1.4), each with a comment in the code.
Three known differences are left, which no rule needs: values nested more than 32 deep are an error here;
some mappings on the line of an explicit key (`? a: b: c`) or of a list item that stands where a key should are an error
here; and so are a few flow collections that serve as keys over several lines.
"""
