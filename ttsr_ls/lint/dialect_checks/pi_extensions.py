"""Distinguishes rules of pi-ttsr from the files of other pi extensions that also read `.pi/rules`."""

from __future__ import annotations

from ttsr_ls.lint.dialect_checks.keys import WORDS_FOR_FILES, normalised_key
from ttsr_ls.lint.other_dialect import foreign_keys
from ttsr_ls.syntax.dialects.table import PI_TTSR
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.syntax.nearest_word import nearest_word

_KEYS_OF_OTHERS = WORDS_FOR_FILES | {"alwaysapply", "description", "summary"}
_OWN_KEYS = tuple(key.name for key in PI_TTSR.keys)


def is_for_another_extension(file: PlainFile) -> bool:
    """Returns whether a file of `.pi/rules` has keys of guidance rules and none of pi-ttsr."""
    if file.frontmatter is None:
        return False
    keys = [entry.key for entry in file.frontmatter.entries]
    if any(PI_TTSR.find_key(key) is not None or nearest_word(key, _OWN_KEYS) is not None for key in keys):
        return False
    _, foreign = foreign_keys(file.frontmatter, PI_TTSR)
    return not foreign and any(normalised_key(key) in _KEYS_OF_OTHERS for key in keys)
