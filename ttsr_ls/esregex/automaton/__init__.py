"""One automaton for many patterns: text comes in pieces of any size, and after each it is known which patterns match.

`union.UnionAutomaton` is the way in. The parts, from the tree to the stream:

- `lowering` turns a pattern's tree into a graph of `items` (a bit each) within a *leaf*, a group of patterns;
- `program` is a finished leaf: for each class of units (`alphabet`) and each kind of previous unit, what its items do;
- `plain_leaf` and `general_leaf` step sets of threads, and cache the sets they meet as states;
- `product` joins the states of all leaves to one, so that a unit costs one look-up, however many patterns there are;
- `cursor` is a stream's place in it.
"""
