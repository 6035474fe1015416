"""The trigger of a pi-ttsr rule as a regular expression: its flags, and the condition of omp that says the same.

pi-ttsr makes `new RegExp(trigger, flags)` of it and tests it on lines, pieces or all of the agent's text. A condition
of omp has no `flags` and always sees all of a stream.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.errors import TtsrError
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.line_form import LINE_START, line_source
from ttsr_ls.syntax.pi.keys import PiScope
from ttsr_ls.syntax.pi.unicode import means_the_same_with_u

_KNOWN = "dgimsuvy"
_OF_CONDITIONS = "ims"
_SURROGATE = re.compile("[\ud800-\udfff]")


class FlagsError(TtsrError):
    """A text is no flags of a regular expression; the message says why, in a clause."""


class PiFlags(Struct, frozen=True):
    """The flags of a trigger, by their letters in the order of the alphabet, each once."""

    letters: str

    @property
    def regex(self) -> Flags:
        """Those that a pattern is read under."""
        return Flags(ignore_case="i" in self.letters, multiline="m" in self.letters, dot_all="s" in self.letters)

    @property
    def keeps_place(self) -> bool:
        """Whether `test` goes on from where its last match ended (`g`, `y`), so that its answers depend on the past."""
        return "g" in self.letters or "y" in self.letters

    @property
    def is_sticky(self) -> bool:
        """Whether a match must begin where `test` begins (`y`)."""
        return "y" in self.letters

    @property
    def is_unicode(self) -> bool:
        """Whether the pattern is in the other syntax, that of `u` and `v`."""
        return "u" in self.letters or "v" in self.letters

    @property
    def group(self) -> str:
        """The flag group that a condition begins with; empty where it needs none."""
        letters = "".join(letter for letter in self.letters if letter in _OF_CONDITIONS)
        return f"(?{letters})" if letters else ""


def read_flags(text: str) -> PiFlags:
    """The flags that a text stands for, as `new RegExp` reads it. Raises `FlagsError`."""
    for letter in text:
        if letter not in _KNOWN:
            raise FlagsError(f"`{letter}` is no flag; flags are `i`, `m`, `s`, `u`")
    for letter in text:
        if text.count(letter) > 1:
            raise FlagsError(f"`{letter}` is given more than once")
    if "u" in text and "v" in text:
        raise FlagsError("`u` and `v` exclude each other")
    return PiFlags("".join(sorted(text)))


def can_be_matched(trigger: str, flags: PiFlags) -> bool:
    """Whether a trigger means to this package's matchers what it means to pi-ttsr: `u` must change nothing in it.

    Of what is no pattern at all, parsing tells more.
    """
    if "v" in flags.letters:
        return False
    if "u" not in flags.letters or means_the_same_with_u(trigger):
        return True
    try:
        parse(trigger, flags.regex)
    except RegexSyntaxError:
        return True
    return False


def own_condition(trigger: str, flags: PiFlags) -> str:
    """The condition that finds the trigger in one text, be that a line, a piece or everything.

    Raises `RegexSyntaxError`, with a span in units of `trigger`.
    """
    parse(trigger, flags.regex)
    return flags.group + trigger


def stream_condition(trigger: str, flags: PiFlags, scope: PiScope) -> str:
    """The condition that holds of the whole text of a stream when the trigger does, tried as `scope` says.

    Of a piece nothing is known but that it is a part: the condition looks for the trigger in the text, however that was
    cut. Raises `RegexSyntaxError`, with a span in units of `trigger`.
    """
    pattern = parse(trigger, flags.regex)
    source = trigger
    start = "(?<![^])"
    if scope is PiScope.LINE:
        source = _text(line_source(pattern))
        start = LINE_START
    if flags.is_sticky:
        source = f"{start}(?:{source})"
    return flags.group + source


def _text(units: str) -> str:
    """Units as text: halves that make a character are joined again."""
    if _SURROGATE.search(units) is None:
        return units
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
