"""Which of many conditions can match a text at all, told by the texts that they cannot do without.

One search for each distinct text, however many conditions need it, and in most files it is not there: that is ten times
cheaper than any pass over all characters that Python can make.
"""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.esregex.nodes import Pattern
from ttsr_ls.esregex.required_text import AnyOf, required_text


class RequiredTexts:
    """Patterns, known by their numbers. Immutable."""

    __slots__ = ("_always", "_choices", "_further", "_single")

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        single: dict[str, list[int]] = {}
        choices: dict[AnyOf, list[int]] = {}
        always, further = list[int](), dict[int, tuple[AnyOf, ...]]()
        for number, pattern in enumerate(patterns):
            parts = required_text(pattern)
            if not parts:
                always.append(number)
                continue
            # The rest is asked only where this is there, and nothing is cheaper than a single text.
            part = next((each for each in parts if len(each) == 1), parts[0])
            if len(part) == 1:
                single.setdefault(next(iter(part)), []).append(number)
            else:
                choices.setdefault(part, []).append(number)
            rest = tuple(each for each in parts if each is not part)
            if rest:
                further[number] = rest
        self._always = tuple(always)
        self._single = tuple(single.items())
        self._choices = tuple(choices.items())
        self._further = further

    def possible(self, lower: str) -> set[int]:
        """The patterns of which nothing is missing in a text, which is given in lower case."""
        found = [numbers for text, numbers in self._single if text in lower]
        found += [numbers for part, numbers in self._choices if _holds(lower, part)]
        possible = set(self._always)
        for numbers in found:
            for number in numbers:
                if all(_holds(lower, part) for part in self._further.get(number, ())):
                    possible.add(number)
        return possible


def _holds(lower: str, part: AnyOf) -> bool:
    return any(text in lower for text in part)
