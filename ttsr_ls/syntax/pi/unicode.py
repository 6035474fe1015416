"""Decides whether the flag `u` makes a difference to a pattern: its syntax is stricter, and has more constructs
(ECMA-262, Annex B.1.2).

In doubt, the answer is that there is a difference. The effect of `u` on characters beyond the first plane in a text is
ignored.
"""

from __future__ import annotations

import re

_HEX = r"x[0-9A-Fa-f]{2} | u(?![dD][89A-Fa-f])[0-9A-Fa-f]{4}"
_TOKEN = re.compile(
    rf"""
    (?P<escape> \\ (?: [$^\\.*+?()\[\]{{}}|/dDsSwWbBtnrvf] | 0(?![0-9]) | {_HEX} | c[A-Za-z] ) )
    | \\ (?P<reference> [1-9][0-9]* )
    | (?P<members> \[ \^?
        (?: [^\]\\] | \\ (?: [$^\\.*+?()\[\]{{}}|/dDsSwWbtnrvf-] | 0(?![0-9]) | {_HEX} | c[A-Za-z] ) )* \] )
    | (?P<quantifier> [*+?] | \{{ [0-9]+ (?: , [0-9]* )? \}} )
    | (?P<open> \( (?: (?!\?) | \? (?: [ims]*(?:-[ims]*)?: | [=!] | <[=!] | <[A-Za-z_$][A-Za-z0-9_$]*> ) ) )
    | (?P<close> \) )
    | (?P<char> [^\\\[\](){{}}*+?] )
    """,
    re.VERBOSE,
)
# A range whose end is a class, such as `[\w-a]`.
_RANGE_OF_CLASSES = re.compile(r"\\[dDsSwW]-(?!\])|-\\[dDsSwW]")

_LOOKAHEADS = ("(?=", "(?!")
_MAX_DIGITS = 6


def means_the_same_with_u(pattern: str) -> bool:
    """Returns whether a valid pattern is also valid with `u`, and matches the same in texts of the first plane."""
    if not pattern.isascii() and max(pattern) > "\uffff":
        return False
    open_groups: list[str] = []
    captures = highest = offset = 0
    just_closed = ""
    while offset < len(pattern):
        found_match = _TOKEN.match(pattern, offset)
        if found_match is None:
            return False
        offset = found_match.end()
        before, just_closed = just_closed, ""
        match found_match.lastgroup:
            case "reference":
                # Not read as a number: it may have more digits than Python turns into one.
                digits = found_match["reference"]
                highest = max(highest, int(digits) if len(digits) < _MAX_DIGITS else len(pattern))
            case "members" if _RANGE_OF_CLASSES.search(found_match["members"].replace("\\\\", "")):
                return False
            case "quantifier" if before in _LOOKAHEADS:
                return False
            case "open":
                open_groups.append(found_match["open"])
                captures += found_match["open"] == "(" or found_match["open"].endswith(">")
            case "close":
                just_closed = open_groups.pop() if open_groups else ""
            case _:
                pass
    return highest <= captures
