"""Parses the text of a rule file to a tree with spans and problems. Never raises on content.

- `reader` reads a file to a `rule_file.RuleFile`; `frontmatter/` and `yaml/` read its keys and values, `toml/`
  configurations.
- `keys` is the table of keys, `key_documentation` their documentation, and `fields` reads the keys of omp's rules.
- `scope/` reads scope tokens and repairs wrong ones.
- `dialects/` has the table of dialects, their locations, and the detection of a file's dialect; `hookify/` and `pi/`
  read the files of two of them.
- `inspection/` finds the problems of reading (`problems`), which become findings.
- `mapped_text` maps a value to its source.
"""
