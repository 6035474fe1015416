"""The index of all findings, as the documentation has it."""

from __future__ import annotations

from ttsr_ls.lint.catalogue import CATALOGUE

_HEAD = """\
# Findings

What `ttsr-ls check` and the editors report, made from the catalogue in `ttsr_ls/lint/catalogue.py`. Each code has a
page that says what happens when the rule runs, with a bad and a good example; `ttsr-ls explain CODE` shows it, too.

An **error** means that the rule does not do what its text says; a **warning** that it probably does not; an **info**
that something in it has no effect. A fix is **safe** where it keeps what the author meant, **unsafe** where it guesses.

| code | severity | |
| --- | --- | --- |
"""


def findings_index() -> str:
    """The document, in Markdown; links are relative to the folder `docs`."""
    rows = (
        f"| [`{entry.code}`](../ttsr_ls/lint/pages/{entry.code}.md) | {entry.severity} | {entry.summary} |\n"
        for entry in CATALOGUE
    )
    return _HEAD + "".join(rows)
