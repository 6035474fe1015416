"""Finds AST patterns with the syntax of other tools, or with surrounding code, that keeps them from matching.

The examples of the two pages were tested with the reference agent (`tests/vectors/ast-claims.json`): none matches the
text that the pattern without the foreign syntax matches.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.lint.message_text import code

_SCRIPTS = frozenset(("javascript", "typescript", "tsx"))
_PYTHON = frozenset(("python",))
# Languages in which an expression with a semicolon is a statement.
_WITH_SEMICOLONS = _SCRIPTS | {"java", "csharp", "rust", "php"}
# Languages in which three dots, or two dollars, are ordinary code.
_WITH_DOTS = frozenset(("c", "cpp", "php", "ruby"))
_WITH_DOLLARS = frozenset(("php", "bash", "ruby", "haskell"))
_VARIADIC = frozenset(("go", "java"))

_LITERAL = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`""")
_DOTS = re.compile(
    r"(?<=[(,{])(?P<blank>\s*)(?P<dots>\$?\.\.\.(?P<after>[A-Z]\w*)?|\$(?P<before>[A-Z]\w*)\.\.\.|…)(?=\s*[),}])"
)
_TWO_DOLLARS = re.compile(r"(?<=[(,])\s*(?P<mark>\$\$[A-Z_][A-Z0-9_]*)(?=\s*[),])")
_PLACEHOLDER = re.compile(
    r"(?<=\()\s*(?P<mark>\.?\*|\.\+|%(?P<a>[A-Z]\w*)|\{\{\s*(?P<b>\w+)\s*\}\}|<(?P<c>[A-Z_]+)>|:\[(?P<d>\w*)\]"
    r"|\$\{(?P<e>\w+)\})(?=\s*\))"
)
_IN_NAME = re.compile(r"[A-Za-z_]\w*(?P<mark>\$[A-Z_][A-Z0-9_]*)(?!\w)")
# Languages in which a dollar begins a variable, is a part of a name, or interpolates a value.
_WITH_DOLLAR_NAMES = _WITH_DOLLARS | {
    "dart", "elixir", "hcl", "html", "kotlin", "markdown", "nix", "scala", "swift", "yaml",
}  # fmt: skip
_PYTHON_VALUE = re.compile(r"(?:^|[\s.])[A-Z]\w*\(")
_CALL = re.compile(r"(?:await\s+|new\s+)?[\w$.!:?\[\]]+(?:<[^<>;]*>)?\(.*\)[?!]?", re.DOTALL)
_STATEMENT = re.compile(
    r"(?:break|case|const|continue|debugger|declare|delete|do|else|enum|export|for|function|if|import|interface|let|return"
    r"|switch|throw|try|type|using|var|while|yield)\b"
)
_AST_KEY = re.compile(r"(?:pattern|kind|regex|rule|any|all|not|inside|has|follows|precedes|matches)\s*:\s")
_BLOCK = re.compile(r"(?:async\s+)?(?:def|class|for|while|with|if)\b[^\n]*:")
_COMMENT = re.compile(r"(?<=\S)\s+//[^\n]*\Z")
_WITH_VARIABLE = re.compile(r"\$[A-Z_]|\w\(")
_REGEX = re.compile(r"\\[.()\[\]{}sdwbSDWB*+?^$|]")
_MAX_LENGTH = 60
_FOREIGN = "ast-foreign-syntax"
_TRAILING = "ast-trailing-code"


class ForeignSyntax(Struct, frozen=True):
    """Foreign syntax in a pattern: the code of the finding, its full message, and the intended pattern, if known."""

    finding_code: str
    message: str
    meant: str | None


def foreign_syntax(pattern: str, languages: frozenset[str] | None) -> ForeignSyntax | None:
    """Returns the foreign or superfluous syntax of a pattern; None if there is none.

    `languages` are those that the rule applies to; None if these may be any.
    """
    pattern = pattern.strip()
    if len(pattern) > 1_000:
        return None
    blanked_text = _LITERAL.sub(lambda match: "x" * len(match[0]), pattern)
    return (
        _placeholders(pattern, blanked_text, languages)
        or _within_name(pattern, languages)
        or _superfluous_text(pattern, blanked_text, languages)
    )


def looks_like_regex(pattern: str) -> bool:
    """Returns whether a pattern has backslashes as in regular expressions."""
    return _REGEX.search(_LITERAL.sub("x", pattern)) is not None


def _placeholders(pattern: str, blanked_text: str, languages: frozenset[str] | None) -> ForeignSyntax | None:
    """Finds the placeholders of other tools, for any node."""
    match = _DOTS.search(blanked_text)
    if match is not None and not _is_own_dots(pattern, match, languages):
        mark, name = match["dots"], match["after"] or match["before"] or ""
        return ForeignSyntax(
            _FOREIGN,
            f"{code(mark, _MAX_LENGTH)} has no special meaning in an AST pattern, so this matches no ordinary code. "
            f"Write {code(f'$$${name}', _MAX_LENGTH)} for any number of arguments or statements.",
            _replace_dots(pattern, blanked_text, match),
        )
    match = _TWO_DOLLARS.search(blanked_text)
    if match is not None and not (languages and languages & _WITH_DOLLARS):
        mark = match["mark"]
        return ForeignSyntax(
            _FOREIGN,
            f"{code(mark, _MAX_LENGTH)} matches exactly one argument, as with a single dollar. Write "
            f"{code('$' + mark, _MAX_LENGTH)} for any number of arguments.",
            f"{pattern[: match.start('mark')]}${pattern[match.start('mark') :]}",
        )
    match = _PLACEHOLDER.search(blanked_text)
    if match is not None and not (languages and languages & _WITH_DOLLARS):
        name = next((name.upper() for name in match.group("a", "b", "c", "d", "e") if name), None)
        suggestion = "$$$" if name is None else f"${name}"
        return ForeignSyntax(
            _FOREIGN,
            f"{code(match['mark'], _MAX_LENGTH)} is no placeholder in an AST pattern, so this matches no usual code. "
            f"Write {code(suggestion, _MAX_LENGTH)}: `$` and a name in capitals match one argument, `$$$` any number.",
            f"{pattern[: match.start('mark')]}{suggestion}{pattern[match.end('mark') :]}",
        )
    return None


def _within_name(pattern: str, languages: frozenset[str] | None) -> ForeignSyntax | None:
    """Finds a metavariable directly after letters, which together are one ordinary name."""
    if languages is None or languages & _WITH_DOLLAR_NAMES:
        return None
    match = _IN_NAME.search(_LITERAL.sub(lambda literal: '"' * len(literal[0]), pattern))
    if match is None:
        return None
    return ForeignSyntax(
        _FOREIGN,
        f"{code(match[0], _MAX_LENGTH)} is an ordinary name in an AST pattern, so only code with exactly this name "
        f"matches. Write {code(match['mark'], _MAX_LENGTH)} for any name, or a regular expression in `condition` for "
        "names with this beginning.",
        None,
    )


def _is_own_dots(pattern: str, match: re.Match[str], languages: frozenset[str] | None) -> bool:
    """Returns whether the dots are the language's own: rest of arguments, a variadic call, the value `...` of
    Python."""
    if languages and languages & _WITH_DOTS:
        return True
    if match["before"] is not None:
        return languages is None or bool(languages & _VARIADIC)
    if languages is None or languages & _PYTHON:
        # `Field(...)` and the like take the value. A body of dots is one as well.
        return match["dots"] == "..." and (_PYTHON_VALUE.search(pattern[: match.start()]) is not None)
    return False


def _replace_dots(pattern: str, blanked_text: str, first: re.Match[str]) -> str:
    parts, done_count = [], 0
    for match in _DOTS.finditer(blanked_text, max(0, first.start() - 1)):
        name = match["after"] or match["before"] or ""
        parts.append(f"{pattern[done_count : match.start('dots')]}$$${name}")
        done_count = match.end("dots")
    return "".join(parts) + pattern[done_count:]


def _superfluous_text(pattern: str, blanked_text: str, languages: frozenset[str] | None) -> ForeignSyntax | None:
    """Finds text before or after the code that is not a part of it."""
    if _AST_KEY.match(pattern):
        return ForeignSyntax(
            _FOREIGN,
            f"{code(pattern.partition(':')[0] + ':', _MAX_LENGTH)} is a key of ast-grep's own rule files, and is "
            "parsed as code here, which matches nothing. Write the pattern alone.",
            pattern.partition(":")[2].strip() if pattern.startswith("pattern") else None,
        )
    if not languages:
        return None
    if languages <= _WITH_SEMICOLONS and _ends_in_needless_semicolon(blanked_text, languages):
        return ForeignSyntax(
            _TRAILING,
            f"With the semicolon {code(pattern, _MAX_LENGTH)} is a statement, so it misses the same code inside an "
            "expression or without a semicolon. Remove the semicolon.",
            pattern[:-1].rstrip(),
        )
    if languages <= _PYTHON and _BLOCK.fullmatch(blanked_text):
        return ForeignSyntax(
            _TRAILING,
            f"{code(pattern, _MAX_LENGTH)} has no body, so it does not match code with a body. Write `$$$` after the "
            "colon.",
            f"{pattern} $$$",
        )
    if languages <= _SCRIPTS:
        return _script_syntax(pattern, blanked_text)
    return None


def _script_syntax(pattern: str, blanked_text: str) -> ForeignSyntax | None:
    comment = _COMMENT.search(blanked_text)
    if comment is not None and not blanked_text.startswith("//"):
        return ForeignSyntax(
            _TRAILING,
            "The comment is a part of the pattern, so only code with exactly this comment matches. Remove it.",
            pattern[: comment.start()],
        )
    if pattern.endswith(",") and len(pattern) > 1:
        return ForeignSyntax(
            _TRAILING,
            "The comma at the end is a part of the pattern, so code without it does not match. Remove it.",
            pattern[:-1].rstrip(),
        )
    if pattern[:1] == "`" == pattern[-1:] and "${" not in pattern and _WITH_VARIABLE.search(pattern):
        return ForeignSyntax(
            _FOREIGN,
            "The backticks are a part of the pattern, so it matches only a template literal with this content. Remove "
            "them.",
            pattern[1:-1],
        )
    return None


def _ends_in_needless_semicolon(blanked_text: str, languages: frozenset[str]) -> bool:
    if not blanked_text.endswith(";") or blanked_text.count(";") > 1 or "{" in blanked_text or "\n" in blanked_text:
        return False
    expression = blanked_text[:-1].rstrip()
    if _STATEMENT.match(expression) or not expression:
        return False
    return languages <= _SCRIPTS or _CALL.fullmatch(expression) is not None
