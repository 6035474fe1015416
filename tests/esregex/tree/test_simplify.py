from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Alternation, Capture, Chars, Node, Sequence, walk
from ttsr_ls.esregex.tree.simplify import simplify


def simple(source: str) -> Node:
    return simplify(parse(source)).root


def test_brackets_around_a_letter_are_the_letter() -> None:
    assert isinstance(simple("(" * 20_000 + "a" + ")" * 20_000), Chars)


def test_captures_stay_only_where_a_reference_reads_them() -> None:
    captures = [node.index for node in walk(simple(r"(a)(b)(c)\2")) if isinstance(node, Capture)]
    assert captures == [2]


def test_sequences_and_alternations_in_one_another_become_one() -> None:
    root = simple("a(?:b(?:cd))")
    assert isinstance(root, Sequence)
    assert len(root.items) == 4
    root = simple("a|(?:b|(?:c|d))")
    assert isinstance(root, Alternation)
    assert len(root.branches) == 4


def test_loops_of_no_rounds_or_one_disappear() -> None:
    assert isinstance(simple("a{1}"), Chars)
    assert simple("(?:ab){0}").span == parse("(?:ab){0}").root.span
    root = simple("(?:ab){0}")
    assert isinstance(root, Sequence)
    assert root.items == ()
