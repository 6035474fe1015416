"""The text around a factor passes wherever the adjacent nodes may match it."""

from __future__ import annotations

import pytest

from ttsr_ls.esregex.automaton.dfa.alphabet import Alphabet
from ttsr_ls.esregex.automaton.dfa.factors import required_factors
from ttsr_ls.esregex.automaton.prefilters.factor_context import fits_after, fits_before, steps_after, steps_before
from ttsr_ls.esregex.parse.escapes import LINE_TERMINATORS, WORD_UNITS
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Chars, walk


def fits(source: str, text: str) -> bool:
    """Whether the text around some occurrence of a factor passes."""
    pattern = parse(source)
    factors = required_factors(pattern, 8.0)
    assert factors is not None
    sets = [node.units for node in walk(pattern.root) if isinstance(node, Chars)]
    alphabet = Alphabet([*sets, WORD_UNITS, LINE_TERMINATORS])
    codes = alphabet.encode(text)
    return any(
        fits_before(steps_before(factor.before, alphabet), codes, start)
        and fits_after(steps_after(factor.onward, found, alphabet), codes, start + len(found))
        for factor in factors.factors
        for found in factor.texts
        for start in range(len(text))
        if text.startswith(found, start)
    )


@pytest.mark.parametrize(
    ("source", "fitting", "others"),
    [
        (r";\s*\.zqvwxy", ("; .zqvwxy", ";\n.zqvwxy", "a;.zqvwxy"), (".zqvwxy", "a.zqvwxy", "; a.zqvwxy")),
        (r"[abc]{2}-zqvwxy", ("ab-zqvwxy", "xcc-zqvwxy"), ("-zqvwxy", "a-zqvwxy", "dab_zqvwxy", "xa-zqvwxy")),
        (r"(?m:^)\s*zqvwxy", ("zqvwxy", "  zqvwxy", "a\n  zqvwxy"), ("a zqvwxy", "azqvwxy")),
        (r"(?:a|b)\s*zqvwxy", ("azqvwxy", "b zqvwxy"), ("c zqvwxy", " zqvwxy", "zqvwxy")),
        (r"x.*zqvwxy", ("xzqvwxy", "zqvwxy", "yzqvwxy"), ()),
        (r"(x)\1zqvwxy", ("zqvwxy", "yzqvwxy"), ()),
        (r"(?:ab)+\s*zqvwxy", ("ab zqvwxy", "xab zqvwxy"), ("a zqvwxy", " zqvwxy")),
        (r"(?:ab)*\s*zqvwxy", (" zqvwxy", "azqvwxy"), ()),
        (r"\s*[ ;]zqvwxy", (";zqvwxy", "  zqvwxy", "; zqvwxy"), ("azqvwxy",)),
        (r"\u4e00\s*zqvwxy", ("\u4e00zqvwxy", "\u4e00 zqvwxy"), ("\u4e01zqvwxy", "ab zqvwxy")),
        (r"zqvwxyz\s+=", ("zqvwxyz =", "zqvwxyz  ="), ("zqvwxyz=", "zqvwxya =", "zqvwxyz a", "zqvwxy")),
        (r"zqvw(?:xy)?\s+=", ("zqvw =", "zqvwxy =", "zqvw-"), ()),
        (r"zqvwxy(?:a|b)\d{2}", ("zqvwxya12", "zqvwxyb99x"), ("zqvwxyc12", "zqvwxya1", "zqvwxya1x")),
        (r"zqvwxy;(?m:$)", ("zqvwxy;", "zqvwxy;\nx"), ("zqvwxy; ", "zqvwxy")),
        (r"zqvwxy(?=;)[;a]b", ("zqvwxy;b", "zqvwxyab"), ("zqvwxyb", "zqvwxy")),
        (r"zqvwxy\s*[ ;]=", ("zqvwxy =", "zqvwxy  =", "zqvwxy;=", "zqvwxya"), ()),
        (
            r"(?:module|provider|variable)\s+\{",
            ("provider {", "module {", "a_module {"),
            ("moduleer {", "provid {", "module[", "module"),
        ),
    ],
)
def test_a_factor_fits_where_the_nodes_around_it_may_match(
    source: str, fitting: tuple[str, ...], others: tuple[str, ...]
) -> None:
    assert [text for text in (*fitting, *others) if fits(source, text)] == list(fitting)


def test_a_long_repetition_passes() -> None:
    blanks = " " * 200
    assert [fits(r";\s*zqvwxy", f"a{blanks[:length]}zqvwxy") for length in (20, 200)] == [False, True]
    assert [fits(r"zqvwxyz\s+=", f"zqvwxyz{blanks[:length]}") for length in (20, 200)] == [False, True]
