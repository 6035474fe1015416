"""Finds AST conditions that match nothing or everything (spec A).

`LintContext.patterns` determines the shape of a pattern in a language, because parsing is native code, which must not
run here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ttsr_ls.lint.checks.ast.constructs import find_misreading
from ttsr_ls.lint.checks.ast.foreign_syntax import foreign_syntax, looks_like_regex
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Fix, RelatedLocation
from ttsr_ls.lint.fixes.entry_edits import add_to_scope, rewrite_scalar_part
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.lint.scalars import replaced_part
from ttsr_ls.matching.ast.languages import GRAMMARS, NoLanguage, language_names
from ttsr_ls.matching.ast.reach import AnyLanguage, Languages, reachable_languages
from ttsr_ls.matching.ast.search import PatternShape, PatternShapes
from ttsr_ls.matching.rule_file_filter import admits_writes
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_EVERYTHING = re.compile(r"\$(?:\$\$)?[A-Z_][A-Z0-9_]*|\$\$\$")
_SMALL_METAVARIABLE = re.compile(r"(?<![\w$])\$+(?=[A-Za-z])[A-Z0-9_]*[a-z]\w*")
_LITERAL = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`""")
_WHOLE = re.compile(r"(?:[a-z]+\s+)*(class|interface|impl|trait|module|namespace)\b[^{}]*\{\s*\$\$\$\w*\s*\}\s*")
# Languages in which `$name` is a variable, or a part of a string.
_WITH_DOLLARS = frozenset(
    ("bash", "dart", "elixir", "hcl", "html", "kotlin", "markdown", "nix", "php", "ruby", "scala", "swift", "yaml")
)
# Most patterns are a node of one of these languages, so these are tried first.
_USUAL = ("typescript", "python", "bash")
_MAX_PATTERNS = 50
_MAX_LENGTH = 60


def check_ast_patterns(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports AST conditions that are never evaluated, those that cannot match, and those that always do."""
    rule = registration.rule
    if rule is None:
        return
    if not admits_writes(rule):
        yield _finding("ast-never-evaluated", _value_span(file, "scope"), _NEVER_WRITES, file, _admitting_writes(file))
        return
    languages = reachable_languages(rule)
    if not isinstance(languages, AnyLanguage):
        if languages and not languages & GRAMMARS:
            yield _without_grammar(file, languages)
            return
        if not languages:
            return  # `disjoint-globs` reports globs that exclude each other.
    for text in islice(file.fields.ast_conditions, _MAX_PATTERNS):
        yield from _pattern_findings(file, text, languages, context.patterns)


def _pattern_findings(
    file: RuleFile, text: MappedText, languages: Languages | AnyLanguage, shapes: PatternShapes | None
) -> Iterator[Finding]:
    pattern = text.value
    if _EVERYTHING.fullmatch(pattern):
        message = (
            f"{code(pattern, _MAX_LENGTH)} matches every node, so the rule fires on every write to the files in its "
            "scope, even an empty one. Add the surrounding code, such as `$A as any`."
        )
        yield _finding("ast-matches-everything", text.span, message, file)
        return
    shape = _best_shape(pattern, languages, shapes)
    match shape:
        case PatternShape.SEVERAL:
            yield _finding(
                "ast-several-nodes",
                text.span,
                _several(pattern, languages),
                file,
                _single_node_fixes(file, text, languages),
            )
        case PatternShape.NOTHING | PatternShape.BROKEN:
            # Syntax of another tool explains why the pattern cannot be parsed.
            known = tuple(_read_otherwise(file, text, languages)) if pattern.strip() else ()
            yield from known or (_finding("ast-does-not-parse", text.span, _broken(pattern, languages), file),)
        case PatternShape.NODE | PatternShape.UNKNOWN:
            yield from _read_otherwise(file, text, languages)
            yield from _small_metavariables(file, text, languages)
            yield from _whole_definitions(file, text)


def _best_shape(pattern: str, language_reach: Languages | AnyLanguage, shapes: PatternShapes | None) -> PatternShape:
    """Returns the best shape that the pattern has in any of the languages, a node being the best."""
    if shapes is None:
        return PatternShape.UNKNOWN
    if isinstance(language_reach, AnyLanguage):
        languages: tuple[str, ...] = (*_USUAL, *sorted(GRAMMARS.difference(_USUAL)))
    elif NoLanguage.MISSING in language_reach:
        return PatternShape.UNKNOWN
    else:
        languages = tuple(sorted(GRAMMARS & language_reach))
    pattern_shapes = set[PatternShape]()
    for language in languages:
        shape = shapes.shape(pattern, language)
        if shape in (PatternShape.NODE, PatternShape.UNKNOWN):
            return shape
        pattern_shapes.add(shape)
    return next(
        shape for shape in (PatternShape.BROKEN, PatternShape.SEVERAL, PatternShape.NOTHING) if shape in pattern_shapes
    )


def _single_node_fixes(file: RuleFile, text: MappedText, languages: Languages | AnyLanguage) -> tuple[Fix, ...]:
    """Returns the fix that writes the intended expression or statement, if that is certain."""
    pattern = text.value
    if looks_like_regex(pattern):
        return ()
    if re.match(r"as\s", pattern):
        suggestion = f"$VALUE {pattern}"
    elif pattern.endswith(";"):
        suggestion = pattern[:-1].rstrip()
    else:
        return ()
    if (
        not isinstance(languages, AnyLanguage)
        and find_misreading(suggestion, frozenset(GRAMMARS & languages)) is not None
    ):
        return ()  # The suggestion would be parsed as another construct.
    return rewrite_scalar_part(file, "ast-several-nodes", text.source_span(0, len(pattern)), pattern, suggestion)


def _several(pattern: str, languages: Languages | AnyLanguage) -> str:
    advice = "Write the whole expression or statement"
    if re.match(r"as\s", pattern):
        advice += f", such as {code(f'$VALUE {pattern}', _MAX_LENGTH)}"
    elif pattern.startswith(":"):
        advice += f", such as {code(f'let $NAME{pattern}', _MAX_LENGTH)}"
    if looks_like_regex(pattern):
        return (
            f"{code(pattern, _MAX_LENGTH)} is a regular expression, but an AST condition is code with metavariables, "
            "so this matches nothing. Move it to `condition`."
        )
    if pattern.endswith(";"):
        advice = "Remove the semicolon: write " + code(pattern[:-1].rstrip(), _MAX_LENGTH)
    return (
        f"{code(pattern, _MAX_LENGTH)} is not a single node{_in(languages)} but several nodes side by side. An agent "
        f"reports no error, and the pattern matches nothing. {advice}, or a regular expression in `condition`."
    )


def _broken(pattern: str, languages: Languages | AnyLanguage) -> str:
    return (
        f"{code(pattern, _MAX_LENGTH)} cannot be parsed{_in(languages)}. An agent reports no error, and the pattern "
        "matches only code with the same mistake. Complete it, or use a regular expression in `condition`."
    )


def _in(languages: Languages | AnyLanguage) -> str:
    names = () if isinstance(languages, AnyLanguage) else language_names(languages)
    return f" in {' or '.join(names)}" if 0 < len(names) <= 3 else ""


def _read_otherwise(file: RuleFile, text: MappedText, language_reach: Languages | AnyLanguage) -> Iterator[Finding]:
    languages = None
    if not isinstance(language_reach, AnyLanguage) and NoLanguage.MISSING not in language_reach:
        languages = frozenset(GRAMMARS & language_reach)
    foreign = foreign_syntax(text.value, languages)
    other = find_misreading(text.value, languages) if foreign is None and languages is not None else foreign
    if other is None:
        return
    finding_code = "ast-read-otherwise" if foreign is None else foreign.finding_code
    inner = text.source_span(0, len(text.value))
    is_new = all(condition.value != other.meant for condition in file.fields.ast_conditions)
    edit = replaced_part(file, inner, text.value, other.meant) if is_new and other.meant is not None else None
    yield report(finding_code, other.message, text.span, *build_fixes(finding_code, edit))


def _small_metavariables(file: RuleFile, text: MappedText, languages: Languages | AnyLanguage) -> Iterator[Finding]:
    if isinstance(languages, AnyLanguage) or languages & _WITH_DOLLARS:
        return
    # A dollar within a string literal is intended.
    pattern = _LITERAL.sub(lambda literal: " " * len(literal[0]), text.value)
    for match in _SMALL_METAVARIABLE.finditer(pattern):
        span = text.source_span(*match.span())
        capitals = match[0].upper()
        edit = replaced_part(file, span, match[0], capitals)
        message = (
            f"{code(match[0], _MAX_LENGTH)} is an ordinary name: only names in capitals are metavariables, so the "
            f"pattern matches only code with exactly this name. Write {code(capitals, _MAX_LENGTH)}."
        )
        yield report("ast-small-metavariable", message, span, *build_fixes("ast-small-metavariable", edit))


def _whole_definitions(file: RuleFile, text: MappedText) -> Iterator[Finding]:
    match = _WHOLE.fullmatch(text.value)
    if match is not None:
        message = (
            f"This pattern is a whole {match[1]} with its content. Only the text that a call writes is parsed: it "
            f"fires when an agent writes the whole {match[1]} at once, and not on an edit inside a class. If edits "
            "matter, match the code inside."
        )
        yield _finding("ast-needs-whole", text.span, message, file)


_NEVER_WRITES = (
    "The AST conditions of this rule are never evaluated: only text that the tools `edit` and `write` put into files "
    "is parsed, and the scope admits neither tool. Add `tool:edit` and `tool:write` to the scope."
)


def _without_grammar(file: RuleFile, languages: Languages) -> Finding:
    span = _value_span(file, "globs") if file.fields.globs else _value_span(file, "scope")
    if NoLanguage.MISSING in languages:
        message = (
            "ttsr-ls has no grammar for the files that this rule applies to; oh-my-pi has one. oh-my-pi matches the "
            "AST conditions; ttsr-ls can neither check nor try them."
        )
        return _finding("ast-untried-language", span, message, file)
    message = (
        "The AST conditions of this rule are never evaluated: the files in its scope have no extension of a language "
        "that can be parsed. Use a regular expression in `condition`, or other files in the scope."
    )
    return _finding("ast-never-evaluated", span, message, file)


def _admitting_writes(file: RuleFile) -> tuple[Fix, ...]:
    return add_to_scope(file, "ast-never-evaluated", "tool:edit, tool:write")


def _finding(finding_code: str, span: Span, message: str, file: RuleFile, fixes: tuple[Fix, ...] = ()) -> Finding:
    key = None if file.frontmatter is None else file.frontmatter.entry("astCondition")
    is_elsewhere = key is not None and not key.value.span.covers(span)
    related = (RelatedLocation("the AST conditions", key.key_span),) if key is not None and is_elsewhere else ()
    return report(finding_code, message, span, *fixes, related=related)


def _value_span(file: RuleFile, name: str) -> Span:
    """Returns the span of a key's value; that of the AST conditions if the key is missing."""
    assert file.frontmatter is not None
    entry = file.frontmatter.entry(name) or file.frontmatter.entry("astCondition")
    return file.fields.ast_conditions[0].span if entry is None else entry.value.span
