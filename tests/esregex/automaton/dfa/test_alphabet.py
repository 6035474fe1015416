"""The codes of a text do not depend on its length, nor on how it is split."""

from __future__ import annotations

import pytest

from ttsr_ls.esregex.automaton.dfa.alphabet import Alphabet
from ttsr_ls.esregex.tree.unit_set import UnitSet

TEXTS = ("plain code\n", "an arrow → and a check ✓, ", "中文文本，混合 ASCII。", "\ud83d\ude00 é\x7f\x80")


@pytest.mark.parametrize("many", [False, True], ids=["codes that fit into a byte", "larger codes"])
@pytest.mark.parametrize("text", TEXTS)
def test_a_long_text_has_the_codes_of_its_units(text: str, many: bool) -> None:
    units = [*map(ord, "→✓中é"), *(range(0x4E00, 0x4F00) if many else ())]
    alphabet = Alphabet([UnitSet.single(unit) for unit in units])
    long = text * 200
    assert [*alphabet.encode(long)] == [code for unit in long for code in alphabet.encode(unit)]
