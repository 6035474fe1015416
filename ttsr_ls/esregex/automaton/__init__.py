"""One automaton for many patterns: text comes in pieces of any size, and after each it is known which patterns match.

`filtered.FilteredAutomaton` is the way in: an `automaton.Automaton` of one or two of `union.UnionAutomaton`. The parts,
from the tree to the stream:

- `prefilter` says what of a pattern with a long memory is enough to know where it cannot end;
- `conjunction` and `succession` take patterns apart that only ask for several things to occur; `composites` puts the
  answers together again;
- `tree_lowering`, `lowering` and `approximation` turn a tree into `items`, a bit each, of a *leaf*: a group of patterns
  that are alike (`assembly`, `leaf_graph`);
- `program` is a finished leaf: for each class of units (`alphabet`) and each kind of place, what its items do;
- `moves`, `plain_dynamics`, and for lookaheads `obligations` and `obliged_dynamics`, step sets of threads; `leaf` keeps
  the sets that were met as states;
- `ground` tells the states of all leaves by the few that differ from what the last unit makes likely, and `root` makes
  one state of them, with a table (`table_pool`), so that a unit costs one look-up, however many there are;
- `layout` says which leaves are joined, `track` how a stream goes through them, and `cursor` where it is;
- `upkeep` and `limits` bound all of it.
"""
