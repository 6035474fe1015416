from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Alternation, Capture, Chars, Node, Sequence, walk
from ttsr_ls.esregex.tree.simplify import simplify


def simple(source: str) -> Node:
    return simplify(parse(source)).root


def test_groups_around_a_letter_are_removed() -> None:
    assert isinstance(simple("(" * 20_000 + "a" + ")" * 20_000), Chars)


def test_only_captures_with_a_backreference_are_kept() -> None:
    captures = [node.index for node in walk(simple(r"(a)(b)(c)\2")) if isinstance(node, Capture)]
    assert captures == [2]


def test_nested_sequences_and_alternations_are_flattened() -> None:
    root = simple("a(?:b(?:cd))")
    assert isinstance(root, Sequence)
    assert len(root.items) == 4
    root = simple("a|(?:b|(?:c|d))")
    assert isinstance(root, Alternation)
    assert len(root.branches) == 4


def test_repeats_of_zero_rounds_or_one_are_removed() -> None:
    assert isinstance(simple("a{1}"), Chars)
    assert simple("(?:ab){0}").span == parse("(?:ab){0}").root.span
    root = simple("(?:ab){0}")
    assert isinstance(root, Sequence)
    assert root.items == ()
