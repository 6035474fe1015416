"""The index of all findings, as the documentation has it."""

from __future__ import annotations

from ttsr_ls.lint.catalogue import CATALOGUE

_HEAD = """\
# Findings

What `ttsr-ls check` and the editors report, made from the catalogue in `ttsr_ls/lint/catalogue.py`. Each code has a
page that says what happens when the rule runs, with a bad and a good example; `ttsr-ls explain CODE` shows it, too.

An **error** means that the rule does not do what its text says; a **warning** that it probably does not; an **info**
that something in it has no effect. A fix is **safe** where it keeps what the author meant and a working rule still
fires on all that it fired on; every other fix is **unsafe**. So one fix can be safe in one file and unsafe in another:
renaming `Scope` to `scope` is safe where the rule never fired, and a guess where the scope narrows a rule that fires.

| code | severity | |
| --- | --- | --- |
"""


def findings_index() -> str:
    """The document, in Markdown; links are relative to the folder `docs`."""
    rows = (
        f"| [`{entry.code}`](findings/{entry.code}.md) | {entry.severity} | {entry.summary} |\n" for entry in CATALOGUE
    )
    return _HEAD + "".join(rows)
