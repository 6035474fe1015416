"""Finds the references to rules in a text. The caller resolves the names to files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.ide.structure.rule_links import rule_links
from ttsr_ls.lint.suppressions.code_comments import rules_named_in_comments
from ttsr_ls.rules.settings.keys import DISABLED_EXTENSIONS, DISABLED_RULES
from ttsr_ls.rules.settings.layers import texts_in_list
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES
from ttsr_ls.syntax.settings_file import read_settings
from ttsr_ls.syntax.settings_locations import SETTINGS_LOCATIONS, SettingsFormat
from ttsr_ls.text import Span

CONFIG_FILES = ("ttsr-ls.toml", "pyproject.toml")
"""Files that name rules by globs of their paths (`config_globs`)."""
_EXTENSION = "rule:"


class RuleMention(Struct, frozen=True):
    """A reference to the rule `name`; `span` covers the name alone."""

    name: str
    span: Span


def find_mentions(text: str, path: str, *, is_rule: bool) -> tuple[RuleMention, ...]:
    """Returns the references to rules in the text of a file, in order.

    `is_rule` is true if the file is a rule itself: its comments suppress findings, and name no rules.
    """
    written_format = settings_format(path)
    if written_format is not None:
        return tuple(_mentions_in_settings(text, path, written_format))
    mentions = list(_links(text)) if path.endswith(RULE_SUFFIXES) else []
    if not is_rule:
        mentions += [RuleMention(name, span) for name, span in rules_named_in_comments(text)]
    return tuple(sorted(mentions, key=lambda mention: mention.span))


def settings_format(path: str) -> SettingsFormat | None:
    """Returns the format of the settings file at a path; None for a file in which the reference agent reads no
    settings."""
    pure = PurePath(path)
    folders = pure.parts[:-1]
    return next(
        (
            location.format
            for location in SETTINGS_LOCATIONS
            if location.name == pure.name and folders[-len(location.folders) :] == location.folders
        ),
        None,
    )


def _mentions_in_settings(text: str, path: str, written_format: SettingsFormat) -> Iterator[RuleMention]:
    file = read_settings(text, path, written_format)
    for key in (DISABLED_RULES, DISABLED_EXTENSIONS):
        entry = file.entry(*key.path)
        for name, item in () if entry is None else texts_in_list(entry.value):
            start = len(name) - len(name.lstrip())
            if key is DISABLED_EXTENSIONS:
                if not name.startswith(_EXTENSION):
                    continue
                start = len(_EXTENSION)
            bare = name[start:] if key is DISABLED_EXTENSIONS else name.strip()
            if bare:
                yield RuleMention(bare, item.text.source_span(start, start + len(bare)))


def _links(text: str) -> Iterator[RuleMention]:
    for link in rule_links(text):
        yield RuleMention(link.name, Span(link.span.end - len(link.name), link.span.end))
