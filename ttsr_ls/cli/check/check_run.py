"""Reads and checks the files of `check`, one after another, each with its configuration and the other rules.

Settings files and test files have checks of their own. Every other file is checked as a rule.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.cli.formats.report import UncheckedFile
from ttsr_ls.cli.rule_paths import rule_paths
from ttsr_ls.errors import UsageError
from ttsr_ls.isolation.pattern_shapes import PatternShapeCache
from ttsr_ls.lint.config.config import NO_CHANGES, ConfigChanges
from ttsr_ls.lint.config.settings_check import check_settings
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file, keeps_triggers
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.rule_tests.case_file_names import is_case_file
from ttsr_ls.store.discovery.lint_contexts import LintContexts
from ttsr_ls.store.files.bounded_file import MAX_RULE_BYTES, RuleUnreadableError, read_file
from ttsr_ls.store.settings.config_file import ProjectConfig
from ttsr_ls.syntax.dialects.file_roles import rule_name_of
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.reader import decode, read_rule, undecoded_utf16_encoding
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.syntax.settings_file import read_settings
from ttsr_ls.syntax.settings_locations import settings_format_of
from ttsr_ls.text import Span

STDIN = "-"
_BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE)
STDIN_NAME = "stdin.md"
"""The default path of the text on standard input."""


class OpenedFile(Struct, frozen=True):
    """A file that was read, with all that a check of its text needs. `path` is in the form that the user wrote."""

    path: str
    data: bytes
    text: str
    decoding: tuple[Problem, ...]
    context: LintContext
    encoding: str | None = None
    """The encoding of the file if agents cannot read it."""

    def check(self, text: str) -> tuple[Finding, ...]:
        """Returns the findings for this text in place of the file's."""
        if self.encoding is not None:
            return self.context.selection.apply_to_findings((_wrong_encoding(self.encoding),))
        location = str(Path(self.path).absolute())
        settings_format = settings_format_of(location)
        if settings_format is not None:
            return self.context.selection.apply_to_findings(
                check_settings(read_settings(text, location, settings_format))
            )
        if is_case_file(self.path):
            return self.context.selection.apply_to_findings(_case_findings(Path(self.path), text))
        return check_file(self._rule(text, location), self.context, self.decoding if text == self.text else ())

    def keeps_triggers(self, before: str, after: str) -> bool:
        """Returns whether the rule with the text `after` fires wherever the rule with the text `before` does."""
        location = str(Path(self.path).absolute())
        if settings_format_of(location) is not None or is_case_file(self.path):
            return True
        return keeps_triggers(self._rule(before, location), after, self.context)

    def _rule(self, text: str, location: str) -> RuleFile:
        return read_rule(text, name=rule_name_of(location), path=self.path)


def _case_findings(path: Path, text: str) -> tuple[Finding, ...]:
    """The findings of a test file, which is checked against the rule beside it."""
    # Imported lazily: most files are rules.
    from ttsr_ls.lint.case_files.case_file_check import NoRuleFile, check_case_file
    from ttsr_ls.store.rule_test_files import rules_with_tests

    (rule,) = rules_with_tests((path,))
    return check_case_file(text, NoRuleFile() if rule.path is None else rule.rule)


def _wrong_encoding(encoding: str) -> Finding:
    message = (
        f"This file is in {encoding}. Agents read it as UTF-8, so they see no frontmatter and no text in it. Save it "
        "as UTF-8."
    )
    return Finding("invalid-utf8", Severity.ERROR, message, Span(0, 0))


class CheckRun:
    """One run of `check`. It caches folders, so it sees one state of the disk."""

    def __init__(self, config: ProjectConfig | None, changes: ConfigChanges = NO_CHANGES) -> None:
        """`config` applies to all files; None: to each file, the nearest one above it. `changes` are applied last."""
        self._contexts = LintContexts(config)
        self._changes = changes
        self._patterns = PatternShapeCache()
        self.unlisted: list[UncheckedFile] = []
        """The folders that `paths` could not list."""

    def __enter__(self) -> CheckRun:
        return self

    def __exit__(self, *_: object) -> None:
        self._patterns.close()

    def paths(self, names: list[str]) -> Iterator[Path]:
        """The files to check. Raises `UsageError` for a path that does not exist."""
        if STDIN in names:
            if len(names) > 1:
                raise UsageError(
                    "'-' reads the text of one rule from standard input, so it cannot be mixed with other paths"
                )
            yield Path(STDIN)
            return
        by_name = {Path(name) for name in names}
        for path in rule_paths(names, self._contexts.holds_rules, self._note_unlisted):
            if path in by_name or not self._contexts.config_for(path.parent).excludes(path):
                yield path

    def _note_unlisted(self, folder: Path, reason: str) -> None:
        self.unlisted.append(UncheckedFile(str(folder), reason))

    @property
    def configs(self) -> tuple[ProjectConfig, ...]:
        """The configurations that were used so far."""
        return self._contexts.configs

    def open(self, path: Path) -> OpenedFile | UncheckedFile:
        """Reads a file."""
        try:
            data = read_file(path)
        except RuleUnreadableError as error:
            return UncheckedFile(str(path), str(error))
        return self._opened(str(path), data, self._contexts.without_config(path))

    def open_stdin(self, name: str) -> OpenedFile | UncheckedFile:
        """Reads standard input as the text of the file `name`. It is compared with no other rules."""
        data = sys.stdin.buffer.read(MAX_RULE_BYTES + 1)
        if len(data) > MAX_RULE_BYTES:
            return UncheckedFile(name, f"cannot check standard input: it is larger than {MAX_RULE_BYTES // 1024} KiB")
        # A rule's location decides its dialect, so the default name must not count as one.
        location = None if name == STDIN_NAME else str(Path(name).absolute())
        return self._opened(name, data, LintContext(location=location))

    def _opened(self, path: str, data: bytes, context: LintContext) -> OpenedFile | UncheckedFile:
        encoding = undecoded_utf16_encoding(data)
        if encoding is None and b"\0" in data and not data.startswith(codecs.BOM_UTF16_LE):
            return UncheckedFile(path, f"cannot check {path}: it is a binary file")
        text, decoding = decode(data) if encoding is None else (data.decode(encoding, "replace"), ())
        context = self._contexts.with_config(context, Path(path))
        selection = self._changes.applied_to(context.selection)
        context = replace(
            context,
            selection=selection,
            patterns=self._patterns,
            has_byte_order_mark=data.startswith(_BYTE_ORDER_MARKS),
        )
        return OpenedFile(path, data, text, decoding, context, encoding)
