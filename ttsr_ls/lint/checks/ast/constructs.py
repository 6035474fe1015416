"""Finds AST patterns that look like one construct and are parsed as another, which the intended code never contains.

A pattern is parsed by itself, and some code is one construct by itself and another inside of a function. The cases here
were tested with the reference agent (`tests/vectors/ast-claims.json`).
"""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.lint.message_text import code

_SCRIPTS = frozenset(("javascript", "typescript", "tsx"))
_GO = frozenset(("go",))
_C = frozenset(("c",))
_GO_CALL = re.compile(r"(?P<name>[A-Za-z_$][\w$]*\.[A-Za-z_$][\w$]*)\((?P<argument>.+)\);?", re.DOTALL)
_C_CALL = re.compile(r"(?P<name>[A-Za-z_]\w*)\(\s*(?:\$\$\$\w*|\$?[A-Za-z_]\w*)\s*\)")
# Keywords and operators of C that look like calls, with the spellings of compilers.
_C_WORD = re.compile(
    r"_*(?:(?:size|align|offset|type)of|typeof_unqual|extension|attribute|declspec|Generic|[Ss]tatic_assert|Atomic"
    r"|[Aa]lign(?:as|of)|defined|asm|if|while|for|switch|return|goto|case|do|else)_*"
)
_LABEL = re.compile(
    r"[A-Za-z_$][\w$]*\??\s*:(?!:|\s*(?:for|while|do|switch|if|try|break|continue|return|throw)\b)[^{};()]+"
)
_LITERAL = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`""")
_MAX_LENGTH = 60


class MisreadPattern(Struct, frozen=True):
    """A pattern that is parsed as another construct: the full message, and the intended pattern, if there is one."""

    message: str
    meant: str | None


def find_misreading(pattern: str, languages: frozenset[str]) -> MisreadPattern | None:
    """Returns the misreading of a pattern in every one of these languages; None if none is known."""
    pattern = pattern.strip()
    source = code(pattern, _MAX_LENGTH)
    if not languages or len(pattern) > 1_000:
        return None
    if languages <= _GO and (call := _GO_CALL.fullmatch(pattern)) and _is_one_argument(call["argument"]):
        # A metavariable stands for any name.
        parts = ["\\w+" if part.startswith("$") else part for part in call["name"].split(".")]
        replacement = "\\.".join(parts).removeprefix("\\w+") + "\\("
        return MisreadPattern(
            f"{source} is parsed as a conversion to a type, as Go code with one argument can be, so it matches no call "
            f"inside of a function. Use a regular expression in `condition`, such as {code(replacement, _MAX_LENGTH)}.",
            None,
        )
    if languages <= _C and (call := _C_CALL.fullmatch(pattern)) and not _C_WORD.fullmatch(call["name"]):
        return MisreadPattern(
            f"{source} is parsed as the beginning of a declaration, so it matches no call. Write "
            f"{code(f'{pattern};', _MAX_LENGTH)} for a call that is a statement, or a regular expression in "
            "`condition`.",
            f"{pattern};",
        )
    if languages <= _SCRIPTS and _LABEL.fullmatch(_LITERAL.sub("x", pattern)):
        return MisreadPattern(
            f"{source} is parsed as a label before a statement, so it matches no annotation and no property. Write the "
            "code around it, too, such as `let $NAME: any = $VALUE`, or a regular expression in `condition`.",
            None,
        )
    return None


def _is_one_argument(text: str) -> bool:
    """Returns whether the text between the outer parentheses is one argument, or `$$$` for all arguments."""
    depth = 0
    for char in _LITERAL.sub("x", text):
        depth += (char in "([{") - (char in ")]}")
        if depth < 0 or (char == "," and depth == 0):
            return False
    # Only a call can have `...`.
    return depth == 0 and bool(text.strip()) and not text.rstrip().endswith("...")
