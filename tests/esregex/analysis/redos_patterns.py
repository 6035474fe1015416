"""Patterns that take backtracking engines too long on some text, and patterns that do not.

The bad ones are classics of the literature and shapes of published advisories, each with a text on which it is slow;
a few are mistakes of rule authors. `grows` is how the time grows with the rounds of the attack.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bad:
    pattern: str
    prefix: str
    pump: str
    suffix: str
    grows: str = "exponential"


BAD = (
    # Nested repeats
    Bad(r"(a+)+$", "", "a", "!"),
    Bad(r"([a-zA-Z]+)*$", "", "a", "!"),
    Bad(r"^(\w+\s?)*$", "", "a", "!"),
    Bad(r"^(\d+,?)+;$", "", "1", "!"),
    Bad(r"(?:[a-z0-9]+-?)+@", "", "a", "!"),
    Bad(r"(x+x+)+y", "", "xx", "!"),
    Bad(r"(?:\w+\.?\w*)+\(", "", "a", "!"),
    Bad(r"(?:(?:ab)*(?:abab)*)*c", "", "ab", "!"),
    Bad(r"D[oD]?(\[[^\[\]]*\]|\s+)+MMMM?", "D", " ", "!"),
    Bad(r"^(([a-z])+.)+[A-Z]([a-z])+$", "", "aa", "!"),
    Bad(r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}[a-z]{2,3}$", "a", "a", "!"),
    Bad(r"((?:[^<]|<[^!])*)+<!--", "", "a", ""),
    Bad(r"(?:import|from)\s+(?:[\w.]+,?\s*)+;", "from ", "a", "!"),
    Bad(r"console\.log\((?:[^)]*,?\s*)*\)", "console.log(", "a", ""),
    # Alternatives that overlap in a repeat
    Bad(r"(a|aa)+$", "", "a", "!"),
    Bad(r"(a|a?)+$", "", "a", "!"),
    Bad(r"(?:a|b|ab)*c", "", "ab", "!"),
    Bad(r"/\*(?:.|\s)*?\*/", "/*", " ", ""),
    Bad(r"""<(?:"[^"]*"|[^>])*>""", "<", '""', ""),
    Bad(r"""([^"']*|"[^"]*"|'[^']*')*;""", "", "a", ""),
    Bad(r"^(?:(?:\.\.?|[^/]+)/?)+:", "", "a", ""),
    Bad(r"^(?:\s*#.*\n?)*$", "#", "#", "\r"),
    Bad(r"(?:(?:[^()]+|\([^()]*\))*\))+;", "", "a", ""),
    # Many polynomial repeats in a row
    Bad(r"(.*a){12}$", "", "a", "!"),
    Bad(r"(a?){25}a{25}", "", "a", ""),
    # Repeats that follow each other
    Bad(r"(?:.*?,){3}P", "", ",", "", "polynomial"),
    Bad(r"^((?:\d+)?\.?\d+) *(ms|s|m|h)?$", "", "1", "!", "polynomial"),
    Bad(r"\s*\n\s*;", "", "\n", "!", "polynomial"),
    Bad(r"[\s\S]*?=[\s\S]*?;[\s\S]*?\}", "", "=;", "", "polynomial"),
    # A counted repeat grows with the square, however many steps a short text takes.
    Bad(
        r"open[ \t]+[^\n;]{0,160}(?:[Gg]hostty|[Tt]erminal|i[Tt]erm2?|[Aa]lacritty|[Kk]itty|[Ww]ez)!",
        "open ",
        " ",
        "",
        "polynomial",
    ),
    # Slow because the search restarts at each position, as with most patterns: not reported.
    Bad(r"^[\s\u200c]+|[\s\u200c]+$", "a", " ", "a", "polynomial"),
)
MISSED = frozenset((r"^[\s\u200c]+|[\s\u200c]+$",))

BAD_IN_LOOKS_AND_REFERENCES = (
    Bad(r"^(?!(?:\w+\s*)+:)", "", "a", "!"),
    Bad(r"(?=(?:\w+\s?)+\.)", "", "a", "!"),
    Bad(r"(?<=;(?:\s|\s\s)+)x", "", " ", ""),
    Bad(r"""(["'])(?:\\.|(?!\1).)*\1""", '"', r"\a", "\n"),
)

GOOD = (
    r"\bany\b",
    r":\s*any(?:\[\])*\s*[;,)=|&{}\n]",
    r"console\.(?:log|debug|info)\(",
    r"\.unwrap(?:_err)?\(\)",
    r"#\s*type:\s*ignore(?:\[[\w, -]+\])?",
    r"(?m)^[ \t]*except[ \t]*:",
    r"from\s+\S+\s+import\s+\*",
    r"import\s+(?:type\s+)?\{[^}]*\}\s+from",
    r"""require\((["'])[^"']+\1\)""",
    r"""(?:api|secret)[_-]?key\s*[:=]\s*["'][^"']+["']""",
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b",
    r"https?://[^\s)>\]\"']+",
    r"\b[\w.+-]+@[\w-]+\.[\w.]+\b",
    r"^(?:\w+\.)*\w+$",
    r"<script\b[^>]*>",
    r"""<(?:"[^"]*"|'[^']*'|[^'">])*>""",
    r'"(?:[^"\\]|\\.)*"',
    r"/\*[\s\S]*?\*/",
    r"/\*(?:[^*]|\*(?!/))*\*/",
    r"^(?:[^,\n]*,){5}P",
    r"^(?:a|b|c)+$",
    r"^\s*(?:\w+\s*=\s*\w+\s*;\s*)*$",
    r"(?:^|\n)(?:\+(?!\+).*\n)+",
    r"def \w+\([^()]*=\s*(?:\[\]|\{\}|list\(\))\s*[,)]",
    r"(?=[\s\S]*\bclass\b)(?=[\s\S]*\bdef\b)",
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    r"(?i)all (?:the )?tests (?:should|will) (?:now )?pass",
    r"`{3}(\w*)\n[\s\S]*?`{3}",
    # Truly quadratic, on a tag name of thousands of letters.
    r"</?\w+[^>]*>",
)
FALSE_ALARMS = frozenset((r"</?\w+[^>]*>",))
