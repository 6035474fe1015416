"""The trigger of a pi-ttsr rule as a regular expression: its flags, and the equivalent condition of omp.

pi-ttsr builds `new RegExp(trigger, flags)` and tests it on lines, chunks or all of the agent's text. A condition of omp
has no `flags` and always sees the whole stream.
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
    """A text is not a valid set of regular-expression flags. The message says why, as a clause."""


class PiFlags(Struct, frozen=True):
    """The flags of a trigger: their distinct letters in alphabetical order."""

    letters: str

    @property
    def regex(self) -> Flags:
        """The flags under which a pattern is parsed."""
        return Flags(ignore_case="i" in self.letters, multiline="m" in self.letters, dot_all="s" in self.letters)

    @property
    def is_stateful(self) -> bool:
        """True if `test` continues from the end of its last match (`g`, `y`), so that its answers depend on earlier
        calls."""
        return "g" in self.letters or "y" in self.letters

    @property
    def is_sticky(self) -> bool:
        """True if a match must begin at the position where `test` begins (`y`)."""
        return "y" in self.letters

    @property
    def is_unicode(self) -> bool:
        """True if the pattern has the syntax of `u` and `v`."""
        return "u" in self.letters or "v" in self.letters

    @property
    def group(self) -> str:
        """The flag group at the start of an equivalent condition; empty if it needs none."""
        letters = "".join(letter for letter in self.letters if letter in _OF_CONDITIONS)
        return f"(?{letters})" if letters else ""


def read_flags(text: str) -> PiFlags:
    """Returns the flags of a text as `new RegExp` reads it. Raises `FlagsError`."""
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
    """Returns whether a trigger means the same to this package's matchers as to pi-ttsr: `u` must change nothing in it.

    For an invalid pattern, see the error of parsing it.
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


def single_text_condition(trigger: str, flags: PiFlags) -> str:
    """Returns the condition that finds the trigger in one text: a line, a chunk or the whole output.

    Raises `RegexSyntaxError`, with a span in units of `trigger`.
    """
    parse(trigger, flags.regex)
    return flags.group + trigger


def stream_condition(trigger: str, flags: PiFlags, scope: PiScope) -> str:
    """Returns the condition that matches the whole text of a stream when the trigger does, tested as `scope` says.

    The condition finds the trigger of a chunk anywhere in the text, because chunks can end anywhere. Raises
    `RegexSyntaxError`, with a span in units of `trigger`.
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
    """Returns units as text, with surrogate pairs joined."""
    if _SURROGATE.search(units) is None:
        return units
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
