"""Editor features for rule files, as pure functions over immutable values; no protocol types.

- `documents` and `workspace` hold the open documents, `rule_detection` decides which are rules, and `analysis` has the
  findings of one version of a rule.
- `actions/`, `completion/`, `explain/` (hover), `inlay_hints`, `code_lenses`, `semantic_tokens/` and `structure/` are
  features of one rule file; `configuration/` has those of the project's configuration.
- `rule_names/` finds references to rules, `scaffold` writes new rules.
- `trial/`, `text_trial/` and `why/` try rules on a text and explain the result.
- `triggers/` and `runs/` display the triggers and sessions of agents.
"""
