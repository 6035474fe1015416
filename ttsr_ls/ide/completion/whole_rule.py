"""Completion of a whole rule in an empty file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from ttsr_ls.ide.completion.completion import Completion, CompletionKind
from ttsr_ls.ide.scaffold import SCAFFOLDS, rule_snippet
from ttsr_ls.ide.template_language import template_language
from ttsr_ls.syntax.dialects.detection import dialect_of_path
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.text import Span


def complete_whole_rule(path: str, span: Span, files: Iterable[str]) -> Iterator[Completion]:
    """Snippets of rules in the dialect of the file at `path`, for the language of the workspace's `files`; `span` is
    all of its text.
    """
    language = template_language(files)
    dialect = dialect_of_path(path)
    wanted = DialectId.OMP if dialect is None else dialect.id
    for scaffold in SCAFFOLDS:
        if scaffold.dialect is wanted:
            text = rule_snippet(PurePath(path).stem, scaffold, language)
            label = f"rule: {scaffold.label}"
            yield Completion(CompletionKind.RULE, label, text, span, "A template of a rule.", is_snippet=True)
