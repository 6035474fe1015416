"""The lazy deterministic automaton: states computed on demand, their caches, and groups of conditions."""
