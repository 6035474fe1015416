"""What a text has to have for a pattern to match in it is looked for in texts as parsers see them."""

import pytest

from ttsr_ls.engine.ast_needs import Needs, has_needs, needs_of

PRINT = needs_of("print($A)")
AS_ANY = needs_of("$A as any")


@pytest.mark.parametrize(
    ("text", "needs", "expected"),
    [
        ("foo", (("foo",),), True),
        ("xfoo foo", (("foo",),), True),
        ("foo_ foofoo", (("foo",),), False),
        ("(foo)", (("foo",), ("bar",)), False),
        ("bar.foo", (("foo",), ("bar",)), True),
        ("éfooé", (("foo",),), True),
        ("", (), True),
        ("a", (("foo",),), False),
        ("print(1)", PRINT, True),
        ("print \\\n (1)", PRINT, True),
        ("print # why\n (1)", PRINT, True),
        ("print /* how and why and when and where */ (1)", PRINT, True),
        ("# print all numbers that came up twice (today)\nx = 1", PRINT, False),
        ("print all of what is in it; print(1)", PRINT, True),
        ("'print'", PRINT, False),
        ("x as any", AS_ANY, True),
        ("x as const; let y: any", AS_ANY, True),
        ("as far as we know, nobody has heard of any", AS_ANY, False),
        ("x as as as as any", AS_ANY, True),
        ("as" + " " * 500 + "x y z w any", AS_ANY, True),
    ],
)
def test_words_are_looked_for_whole_and_pairs_beside_each_other(text: str, needs: Needs, expected: bool) -> None:
    assert has_needs(text, needs) is expected


@pytest.mark.parametrize("text", ["as " * 100_000, "as" + "(" * 300_000, "print " * 50_000 + "print", "as as" * 60_000])
def test_no_text_takes_long(text: str) -> None:
    assert has_needs(text, AS_ANY) is False
    has_needs(text, PRINT)


def test_only_capitals_are_metavariables() -> None:
    assert needs_of("f($Abc, $ABC, $$$, $_x)") == (("abc",), ("_x",), ("f", "("))
