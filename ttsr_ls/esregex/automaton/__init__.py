"""One automaton for many patterns: reads text in deltas of any size and reports after each which patterns match.

`union.UnionAutomaton` is the entry point; `assembly` decides which patterns share a group. The parts:

- `nfa/` builds the graph of a group. `conjunction` and `succession` split patterns that only require several texts to
  occur, and `composites` joins the answers. `tree_lowering`, `nfa_lowering` and `approximation` turn trees into the
  `items` of an `nfa_graph`.
- `prefilters/` decides when a group has to be matched at all: short texts that occur in each match of a pattern
  (`prefilter`, `factor_search`), and which groups are active on a stream (`active_groups`).
- `dfa/` runs a group: `nfa_program` is a finished group, the determinizers step sets of threads, `lazy_dfa` keeps the
  sets as states with a table each (`table_pool`), and `group_runner` reads the stream.
- `dfa/cache_evictor.py` and `nfa/limits.py` limit the number of states and items.
"""
