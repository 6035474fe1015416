"""Scopes in plain English: the streams on which a rule is matched."""

from __future__ import annotations

from ttsr_ls.ide.markdown import inline_code
from ttsr_ls.syntax.rule_file import Fields, ScopeToken

_DEFAULT = "prose and the arguments of every tool, but not thinking (the default scope)"


def scope_token_text(token: ScopeToken) -> str:
    """The explanation of one token of `scope`."""
    display = inline_code(token.text.value)
    meaning = _meaning(token)
    if meaning is None:
        return f"{display} means nothing in a scope and is skipped."
    return f"{display}: {meaning}."


def streams_text(fields: Fields) -> str:
    """Describes in one sentence the streams on which the conditions of a rule are matched."""
    meanings = [meaning for token in fields.scope if (meaning := _meaning(token)) is not None]
    if not fields.scope:
        streams = _DEFAULT
    elif not meanings:
        return "**Matched on** nothing: no token of the scope is valid, so the rule is not registered."
    else:
        streams = "; ".join(meanings)
    sentence = f"**Matched on** {streams}."
    if fields.globs:
        files = ", ".join(inline_code(glob.value) for glob in fields.globs)
        sentence += f" `globs` lets only what is written to {files} pass: prose and thinking have no path and never do."
    return sentence


def _meaning(token: ScopeToken) -> str | None:
    if token.stream is None:
        return None
    match token.stream:
        case "text":
            return "prose that the agent writes to the user"
        case "thinking":
            return "the agent's thinking"
        case _:
            of = f"the tool {inline_code(token.tool)}" if token.tool else "every tool"
            on = f", on files that match {inline_code(token.glob.value)}" if token.glob else ""
            return f"the arguments of {of}{on}"
