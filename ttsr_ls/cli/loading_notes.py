"""What the commands that use rules say, on the error output, about the files that these come from."""

from __future__ import annotations

from ttsr_ls.cli.output import write_error
from ttsr_ls.cli.terminal import one_line
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.settings_check import check_settings, replaced_lists
from ttsr_ls.store.rules_here import RulesHere
from ttsr_ls.syntax.settings_file import SettingsFile
from ttsr_ls.text import Encoding, LineIndex


def print_notes(here: RulesHere) -> None:
    """Prints which rule files could not be read, and what is wrong with settings."""
    for file in here.unreadable:
        write_error(file.reason)
    print_settings_notes(here)


def print_settings_notes(here: RulesHere) -> None:
    """Prints what is wrong with settings; for commands that name rules that are not in force by themselves."""
    for layer in here.layers.layers:
        for finding in check_settings(layer.file):
            if finding.severity in (Severity.ERROR, Severity.WARNING):
                write_error(settings_note(layer.file, finding))


def print_replaced_lists(here: RulesHere) -> None:
    """Prints which lists in settings take the place of others although they lack something of them."""
    for file, finding in replaced_lists(here.layers):
        write_error(settings_note(file, finding))


def settings_note(file: SettingsFile, finding: Finding) -> str:
    """A finding about settings on one line, with its place."""
    place = LineIndex(file.text).position(finding.span.start, Encoding.UTF32)
    where = f"{one_line(file.path)}:{place.line + 1}:{place.character + 1}"
    return f"{where} {finding.severity} {finding.code} {one_line(finding.message)}"
