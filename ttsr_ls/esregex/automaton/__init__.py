"""One automaton for many patterns: text comes in pieces of any size, and after each it is known which patterns match.

`union.UnionAutomaton` is the way in. The parts, from the tree to the stream:

- `conjunction` and `succession` take patterns apart that only ask for several things to occur; `composites` puts the
  answers together again;
- `factors` and `fixed_texts` find short texts of which every match of a pattern contains one, `lookback` how far before
  them a match may start, and `occurrence` what has to stand beside them; `prefilter` is all of that for one pattern;
- `tree_lowering`, `lowering` and `approximation` turn a tree into `items`, a bit each, of a `nfa_graph`, which holds a
  group of patterns; `assembly` says which patterns are a group;
- `program` is a finished group: for each class of units (`alphabet`) and each kind of place, what its items do;
- `moves`, `plain_determinizer`, and for lookaheads `lookaheads` and `lookahead_determinizer`, step sets of threads;
`lazy_dfa` keeps the sets that were met as states, with a table each (`table_pool`), so that a unit costs one look-up;
- `factor_search` finds the factors in a stream; `activation` says which groups are matched on it, `runner` how it goes
  through one of them, and `cursor` where it is;
- `upkeep` and `limits` bound all of it.
"""
