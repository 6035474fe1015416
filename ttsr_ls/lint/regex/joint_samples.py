"""Sample texts for a pattern that begins with several lookaheads, each of which requires another part of the text."""

from __future__ import annotations

from msgspec.structs import replace

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.tree.nodes import Look, LookKind, Pattern, Sequence
from ttsr_ls.lint.regex.samples import sample_texts

_MAX_LOOKS = 12
_STEPS = 2_000
"""How many steps one text may take: all of them together take less than a quarter of a second."""


def joint_samples(pattern: Pattern) -> tuple[str, ...]:
    """Returns texts in which each lookahead at the top of a pattern finds its part; none if some lookahead finds none.

    Inexact like `sample_texts`: a caller must test each text.
    """
    if not isinstance(pattern.root, Sequence):
        return ()
    looks = [item for item in pattern.root.items if isinstance(item, Look) and item.kind is LookKind.AHEAD]
    if not 1 < len(looks) <= _MAX_LOOKS:
        return ()
    text = ""
    try:
        for lookaround in looks:
            longer = _text_with_part(replace(pattern, root=lookaround), lookaround, text)
            if longer is None:
                return ()
            text = longer
    except MatchLimitExceeded:
        return ()
    others = tuple(item for item in pattern.root.items if not isinstance(item, Look))
    rest = sample_texts(replace(pattern.root, items=others))
    return tuple(
        dict.fromkeys((text, *(sample + text for sample in rest[:1]), *(text + sample for sample in rest[:1])))
    )


def _text_with_part(pattern: Pattern, lookaround: Look, text: str) -> str | None:
    """Returns `text`, extended until the lookahead matches in it; None if no sample of the lookahead achieves that."""
    matcher = BacktrackMatcher(pattern, _STEPS)
    if matcher.test(text):
        return text
    candidates = (
        longer
        for part in sample_texts(lookaround.body)
        for longer in (part if not text else f"{text} {part}", text + part)
    )
    return next((candidate for candidate in candidates if matcher.test(candidate)), None)
