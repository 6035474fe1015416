"""Patterns that are made to be costly, by family and size. They are the same on every machine."""

from __future__ import annotations

import random
from collections.abc import Callable

MAX_LENGTH = 60_000
SIZES = (20, 100, 300, 655, 2_000, 8_000, 32_000, MAX_LENGTH)
"""The lengths, in units, that each family is made in."""

Family = Callable[[int], str]


def _repeated(part: str) -> Family:
    return lambda length: part * max(1, length // len(part))


def _between(opening: str, middle: str, closing: str) -> Family:
    def made(length: int) -> str:
        count = max(1, (length - len(middle)) // (len(opening) + len(closing)))
        return opening * count + middle + closing * count

    return made


def _around(before: str, part: str, after: str) -> Family:
    return lambda length: before + part * max(1, (length - len(before) - len(after)) // len(part)) + after


def _words(separator: str, before: str = "", after: str = "") -> Family:
    def made(length: int) -> str:
        chance = random.Random(length)
        words, size = [], len(before) + len(after)
        while size < length:
            words.append("".join(chance.choices("abcdefghij", k=chance.randrange(3, 9))))
            size += len(words[-1]) + len(separator)
        return before + separator.join(words) + after

    return made


def _numbered(form: str, separator: str = "", before: str = "", after: str = "") -> Family:
    def made(length: int) -> str:
        parts: list[str] = []
        size = len(before) + len(after)
        while size < length:
            parts.append(form.replace("#", str(len(parts) + 1)))
            size += len(parts[-1]) + len(separator)
        return before + separator.join(parts) + after

    return made


def _optional_then_required(length: int) -> str:
    return "a?" * (length // 3) + "a" * (length // 3)


def _wide_classes(length: int) -> str:
    return "".join(f"[\x80-{chr(0x3000 + index)}]" for index in range(max(1, length // 5)))


def _distinct_units(length: int) -> str:
    return "".join(chr(0x3000 + index % 0x5000) for index in range(length))


def _one_class_of_many(length: int) -> str:
    return "[" + "".join(chr(0x100 + 2 * index) for index in range(length)) + "]"


def _noise(alphabet: tuple[str, ...], seed: int) -> Family:
    def made(length: int) -> str:
        chance = random.Random(seed * 100_003 + length)
        return "".join(chance.choices(alphabet, k=max(1, length // 3)))

    return made


_LOOPS = ("a*", "b*", "[ab]*", ".*", "a+", r"\w+", r"\s*", "(?:a|b)*", "(a*)*", "[^a]+")
_LOOKS = ("(?=a*b)", "(?!b*a)", "(?<=a+)", "(?<!b*)", r"\b", "^", "$", "a", "b", ".*")
_CAPTURES = ("(a)", "(b*)", r"\1", r"\2", "(?<x>a)?", r"\k<x>", "a", ".?")
_COUNTS = ("a{1,9}", "(?:ab){2,30}", "[a-z]{0,99}", "(?:a{1,5}){1,5}", "b?", r"\d{3,}", "(?:a?){7}")
_MIXED = (*_LOOPS[:4], *_LOOKS[:4], *_COUNTS[:3], "|", "x")

FAMILIES: dict[str, Family] = {
    "literal": _repeated("a"),
    "literal of words": _words(" "),
    "literal of distinct units": _distinct_units,
    "literal, ignoring case": _around("(?i)", "a", ""),
    "distinct units, ignoring case": lambda length: "(?i)" + _distinct_units(length),
    "alternation of letters": _repeated("a|"),
    "alternation of words": _words("|", "(?:", ")"),
    "alternation of words, bounded": _words("|", r"\b(?:", r")\b"),
    "alternation of words, repeated": _words("|", "(?:", ")+x"),
    "alternation of prefixes": lambda length: "|".join(
        "a" * size for size in range(1, max(2, int((2 * length) ** 0.5)))
    ),
    "alternation of loops": _repeated("a*|"),
    "alternation of numbers": _numbered("w#x", "|"),
    "alternations in a row": _repeated("(?:ab|a|b)"),
    "start or letter": _repeated("(?:^|a)"),
    "end or letter": _repeated("(?:$|a)"),
    "line start or letter": _around("(?m)", "(?:^|a)", ""),
    "boundary or letter": _repeated(r"(?:\b|a)"),
    "references": _around("(a)", r"\1", ""),
    "references to a loop": _around("(a*)", r"\1", ""),
    "references to a long group": lambda length: "(" + "ab" * (length // 4) + ")" + r"\1" * (length // 4),
    "references to groups": _numbered(r"(a)\#"),
    "references, ignoring case": _around("(?i)(a)", r"\1", ""),
    "references in looks": _around("(a)", r"(?=\1)", ""),
    "named references": lambda length: r"(?<n>a)" + r"\k<n>" * (length // 6),
    "nested loops": _between("(?:", "a", ")*"),
    "nested required loops": _between("(?:", "a", ")+"),
    "nested lazy loops": _between("(?:", "a", ")*?"),
    "nested optional groups": _between("(?:", "a", ")?"),
    "nested counts": _between("(?:", "a", "){2}"),
    "nested counts of ranges": _between("(?:", "a", "){1,9}"),
    "nested captures": _between("(", "a", ")"),
    "nested captures in loops": _between("(", "a", ")*"),
    "nested alternatives": _between("(?:a|", "b", ")"),
    "nested alternatives in loops": _between("(?:a|b", "c", ")*"),
    "nested lookaheads": _between("(?=", "a", ")"),
    "nested negative lookaheads": _between("(?!", "a", ")"),
    "nested lookbehinds": _between("(?<=", "a", ")"),
    "nested negative lookbehinds": _between("(?<!", "a", ")"),
    "nested looks of both kinds": _between("(?=a(?<!b", "c", "))"),
    "nested flags": _between("(?i-s:", "a", ")"),
    "lookaheads": _repeated("(?=a)"),
    "lookaheads of loops": _around("", "(?=.*a)", "b"),
    "negative lookaheads of loops": _around("", "(?!.*a)", "b"),
    "lookbehinds of loops": _repeated("(?<=a*b)"),
    "negative lookbehinds of loops": _repeated("(?<!ab*)c"),
    "lookaheads between loops": _repeated("a*(?=b)"),
    "looks at different words": _numbered("(?=.*w#)", "", "^"),
    "boundaries": _repeated(r"\b"),
    "boundaries between words": _repeated(r"\ba+\b"),
    "non-boundaries": _repeated(r"\Ba?"),
    "anchors": _repeated("^$"),
    "lines": _around("(?m)", "^a*$", ""),
    "loops in a row": _repeated("a*"),
    "loops of anything": _repeated(".*"),
    "lazy loops of anything": _repeated(".*?a"),
    "loops over everything": _repeated(r"[\s\S]*a"),
    "loops of classes": _repeated("[a-c]*[b-d]*"),
    "loops of words": _repeated(r"\w+\s*"),
    "loops of pairs": _repeated("(?:a|b)*"),
    "loops of loops": _repeated("(a+)+"),
    "loops of overlapping alternatives": _repeated("(?:a|ab)*"),
    "loops of empty rounds": _repeated("(?:a*)*"),
    "loops of captures of nothing": _repeated("(a*)*"),
    "loops of looks": _repeated("(?:(?=a))*"),
    "loops of captures in alternatives": _repeated("(?:(a)|b)*"),
    "one loop of many loops": _around("(?:", "a*", ")*b"),
    "one loop of many letters": _around("(?:", "a", ")*b"),
    "one loop of many optionals": _around("(?:", "a?", ")*b"),
    "optional letters": _repeated("a?"),
    "optional, then required": _optional_then_required,
    "optional groups": _repeated("(?:ab)?"),
    "optional captures": _repeated("(a)?"),
    "lazy optionals": _repeated("a??"),
    "counts": _repeated("a{1,2}"),
    "large counts": _repeated("a{1000}"),
    "large ranges of counts": _repeated("a{0,1000}"),
    "huge counts": _repeated("a{999999999}"),
    "huge ranges of counts": _repeated("(?:ab){1,999999999}"),
    "counts of loops": _repeated("(?:a*){9}"),
    "counts of words": _repeated(r"(?:\w+\s){5,50}"),
    "counts of anything": _repeated(".{0,99}a"),
    "counts of empty groups": _repeated("(?:){9999}"),
    "counts of optional letters": lambda length: f"(?:a?){{{length}}}a{{{length}}}",
    "counts of captures": _repeated("(a){2,50}"),
    "counted alternations": lambda length: "(?:" + "a|b" * (length // 3) + "){50}",
    "captures": _repeated("(a)"),
    "captures of nothing": _repeated("()"),
    "names": _numbered("(?<n#>a)"),
    "one name in alternatives": _repeated("(?<n>a)|"),
    "one class": _around("[", "a-c", "]"),
    "one class of many units": _one_class_of_many,
    "one class of many units, ignoring case": lambda length: "(?i)" + _one_class_of_many(length),
    "one negated class": lambda length: "[^" + _one_class_of_many(length)[1:],
    "classes": _repeated(r"[a-z\d]"),
    "classes of wide ranges": _wide_classes,
    "wide ranges, ignoring case": lambda length: "(?i)" + _wide_classes(length),
    "wide ranges in loops": lambda length: "(?i)(?:" + _wide_classes(length) + ")*x",
    "negated classes": _repeated("[^a]"),
    "loops of negated classes": _repeated("[^a]*b"),
    "loops of classes that overlap": lambda length: "".join(f"[a-{chr(98 + n % 20)}]+" for n in range(length // 6 + 1)),
    "loops of different classes": lambda length: "".join(f"[{chr(0x100 + n)}-\u9000]*" for n in range(length // 6 + 1)),
    "escapes": _repeated(r"\n\x41\u0041\cA"),
    "unicode escapes": _repeated(r"\u00e9\u{61}"),
    "properties": _repeated(r"\p{L}"),
    "posix classes": _repeated("[[:alpha:]]"),
    "brackets that are open": _repeated("["),
    "groups that are open": _repeated("("),
    "braces": _repeated("{"),
    "braces with digits": _repeated("{1"),
    "digits in counts": _around("a{", "1", "}"),
    "digits in a reference": _around("\\", "1", ""),
    "a long name": _around("(?<", "n", ">a)"),
    "backslashes": _repeated("\\\\"),
    "file names": _repeated(r"\.tsx?|"),
    "html tags": _repeated(r"<[^>]*>"),
    "quoted strings": _repeated(r'"(?:[^"\\]|\\.)*"'),
    "dotted words": _repeated(r"(?:\w+\.)*"),
    "csv fields": _repeated("(?:[^,]*,)*"),
    "blanks around": _repeated(r"\s*=\s*"),
    "dates": _repeated(r"\d+-\d+"),
    "everything, then a word": _numbered(r"[\s\S]*word#"),
    "words with gaps": _words(".*"),
    "words with lazy gaps": _words(".*?"),
    "words with looks": _words(r"(?!\s)"),
    "words with counts": _words(".{0,40}"),
    "words with blanks": _words(r"\s+"),
}
FAMILIES |= {
    f"{name} {seed}": _noise(alphabet, seed)
    for name, alphabet in (("any loops", _LOOPS), ("any looks", _LOOKS), ("any captures", _CAPTURES),
                           ("any counts", _COUNTS), ("anything", _MIXED))
    for seed in (1, 2)
}  # fmt: skip


def patterns() -> dict[str, str]:
    """The patterns by a name that says family and length; patterns that are equal are given once."""
    found: dict[str, str] = {}
    seen: set[str] = set()
    for family, made in FAMILIES.items():
        for size in SIZES:
            source = made(size)[:MAX_LENGTH]
            if source not in seen:
                seen.add(source)
                found[f"{family}, {size}"] = source
    return found
