"""Templates of new rule files, of `ttsr-ls new`, editors, and completion. Pure.

The only finding in a new rule is `untouched-template`.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.errors import UsageError
from ttsr_ls.ide.completion.plain_snippet import snippet_as_text, snippet_literal
from ttsr_ls.ide.template_language import DEFAULT_LANGUAGE, TemplateLanguage
from ttsr_ls.rules.providers import BUILTIN_RULES
from ttsr_ls.rules.template_texts import TEMPLATE_BODY, TEMPLATE_CONDITION
from ttsr_ls.syntax.dialects.locations import PI_RULES, PROJECT_RULES, RULE_SUFFIXES
from ttsr_ls.syntax.dialects.table import DialectId

_MAX_NAME_LENGTH = 80
_SYNTAX = dict.fromkeys(map(ord, "${}\\"))
"""Characters that have a meaning in snippets."""

_VALUE = re.compile(r"\{(title|glob|pattern)\}")

_NAME = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")

_BODY = f"${{0:{TEMPLATE_BODY}}}"
_OMP_REGEX = f"""\
---
description: ${{1:{{title}}.}}
# A JavaScript regular expression, in single quotes. In a list of several, each one fires the rule.
condition: '${{2:{TEMPLATE_CONDITION}}}'
# The streams that it applies to: text, thinking, and tools with or without a path.
scope: ${{3:text, tool:edit({{glob}}), tool:write({{glob}})}}
---

{_BODY}
"""
_OMP_AST = f"""\
---
description: ${{1:{{title}}.}}
# An ast-grep pattern: \\$A is any one node, \\$\\$\\$ any number of them.
astCondition: '${{2:{{pattern}}}}'
scope: ${{3:tool:edit({{glob}}), tool:write({{glob}})}}
---

{_BODY}
"""
_OMP_QUESTION = f"""\
---
description: ${{1:{{title}}.}}
# A judge model answers this question about what the agent did.
question: ${{2:Does the agent claim that tests pass without having run them?}}
scope: ${{3:text}}
---

{_BODY}
"""
_PI_TTSR = f"""\
---
# A JavaScript regular expression, in single quotes, tried on each line of what the agent says.
trigger: '${{1:{TEMPLATE_CONDITION}}}'
scope: line
---

{_BODY}
"""


class Scaffold(Struct, frozen=True):
    """A template of a rule in some dialect. `snippet` is its text with placeholders (LSP), `{title}`, `{glob}` and
    `{pattern}`; `label` says what the rule is, `folder` is where its program finds rules in a project.

    `sample` is a text on which the new rule fires; None if that depends on `{pattern}` or on a judge.
    """

    id: str
    dialect: DialectId
    folder: str
    label: str
    snippet: str
    sample: str | None


SCAFFOLDS = (
    Scaffold("regex", DialectId.OMP, PROJECT_RULES.path, "a regular expression", _OMP_REGEX, TEMPLATE_CONDITION),
    Scaffold("ast", DialectId.OMP, PROJECT_RULES.path, "an ast-grep pattern", _OMP_AST, None),
    Scaffold("question", DialectId.OMP, PROJECT_RULES.path, "a question for a judge", _OMP_QUESTION, None),
    Scaffold("pi-ttsr", DialectId.PI_TTSR, PI_RULES.path, "a trigger of pi-ttsr", _PI_TTSR, TEMPLATE_CONDITION),
)


def scaffold_for(dialect: str, template: str | None = None) -> Scaffold:
    """The scaffold of a dialect, with the id `template`, else its first one. Raises `UsageError` if there is none."""
    scaffolds = [scaffold for scaffold in SCAFFOLDS if scaffold.dialect == dialect]
    if not scaffolds:
        raise UsageError(f"there is no scaffold for rules of the dialect '{dialect}'")
    chosen_scaffold = next((scaffold for scaffold in scaffolds if template in (None, scaffold.id)), None)
    if chosen_scaffold is None:
        raise UsageError(
            f"the dialect '{dialect}' has no template '{template}'; it has "
            f"{', '.join(scaffold.id for scaffold in scaffolds)}"
        )
    return chosen_scaffold


def new_rule(name: str, scaffold: Scaffold, language: TemplateLanguage = DEFAULT_LANGUAGE) -> str:
    """The text of a new rule for files of a language. Raises `UsageError` for a name that a rule should not have."""
    _check(name)
    return snippet_as_text(rule_snippet(name, scaffold, language))


def rule_snippet(name: str, scaffold: Scaffold, language: TemplateLanguage = DEFAULT_LANGUAGE) -> str:
    """The snippet of a new rule for files of a language."""
    words = re.sub(r"[._-]+", " ", name).translate(_SYNTAX)
    values = {
        "title": f"{words[:1].upper()}{words[1:]}",
        "glob": snippet_literal(language.glob),
        "pattern": snippet_literal(language.pattern),
    }
    return _VALUE.sub(lambda found: values[found[1]], scaffold.snippet)


def sample_of(scaffold: Scaffold, language: TemplateLanguage) -> str | None:
    """A text on which a new rule fires; None if only a judge model decides."""
    return language.sample if "{pattern}" in scaffold.snippet else scaffold.sample


def _check(name: str) -> None:
    if name.endswith(RULE_SUFFIXES):
        nearest = _near(name)
        raise UsageError(f"the name of a rule has no suffix{f': write {nearest!r}' if nearest else ''}")
    if not _NAME.fullmatch(name) or len(name) > _MAX_NAME_LENGTH:
        raise UsageError(
            f"{name[:_MAX_NAME_LENGTH]!r} is not a valid name for a rule: use up to {_MAX_NAME_LENGTH} lower-case "
            f"letters and digits, and single hyphens between them, as in {_near(name) or 'no-console-log'!r}"
        )
    if name in BUILTIN_RULES:
        raise UsageError(f"oh-my-pi has a rule '{name}' built in, which this one would replace; use another name")


def _near(name: str) -> str | None:
    """A valid name that resembles `name`; None if there is none."""
    while name.endswith(RULE_SUFFIXES):
        name = name[: name.rindex(".")]
    nearest = name if _NAME.fullmatch(name) else re.sub(r"[^a-z0-9]+", "-", name.lower())
    nearest = nearest[:_MAX_NAME_LENGTH].strip("-._")
    return nearest if name.isascii() and nearest and nearest not in BUILTIN_RULES else None
