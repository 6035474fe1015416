"""Notes on standard error about rule files and settings, for the commands that use rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ttsr_ls.cli.printing.output import write_error
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.lint.config.settings_check import check_settings, replaced_lists
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.rules.condition_limits import indexes_beyond_limits, limit_reason
from ttsr_ls.rules.registration import Bucket
from ttsr_ls.store.discovery.loaded_rule import LoadedRule
from ttsr_ls.store.discovery.local_rules import LocalRules
from ttsr_ls.syntax.settings_file import SettingsFile
from ttsr_ls.text import Encoding, LineIndex, truncate

_MAX_UNTRIED = 3
_MAX_SHOWN_LENGTH = 60
_CHECK = "'ttsr-ls check' says why"


def print_notes(rules: LocalRules) -> None:
    """Prints the rule files that could not be read, and mistakes in settings."""
    # An unreadable folder is reported once, for its settings, and not again for its rules.
    folders = {settings.path for settings in rules.layers.unreadable}
    for file in rules.unreadable:
        if folders.isdisjoint(map(str, file.found.path.parents)):
            write_error(file.reason)
    print_settings_notes(rules)


def print_dropped(rules: Iterable[LoadedRule]) -> None:
    """Prints which rules are not tried because of mistakes in their conditions or scopes; at most three."""
    dropped = [rule for rule in rules if rule.rule is None and _has_invalid_trigger(rule)]
    for rule in dropped[:_MAX_UNTRIED]:
        write_error(f"the rule '{one_line(rule.found.name)}' is not tried, because it has no valid trigger; {_CHECK}")
    if len(dropped) > _MAX_UNTRIED:
        rest = len(dropped) - _MAX_UNTRIED
        write_error(f"{rest:,} more {'rule is' if rest == 1 else 'rules are'} not tried, for the same reason")


def _has_invalid_trigger(rule: LoadedRule) -> bool:
    is_on = rule.registration.bucket is not Bucket.DISABLED
    return is_on and any(problem.code != "empty-body" for problem in rule.registration.problems)


def print_untried(rule: LoadedRule) -> None:
    """Prints which conditions of a rule are not tried because they exceed the limits of matching; at most three."""
    texts = [text.value for text in rule.file.fields.conditions]
    beyond = sorted(indexes_beyond_limits(texts))
    for index in beyond[:_MAX_UNTRIED]:
        display = truncate(one_line(texts[index]), _MAX_SHOWN_LENGTH)
        write_error(f"the rule '{rule.found.name}' is tried without /{display}/. {limit_reason(texts[index])}")
    if len(beyond) > _MAX_UNTRIED:
        rest = len(beyond) - _MAX_UNTRIED
        write_error(f"the rule '{rule.found.name}' is tried without {rest:,} more conditions, for the same reason")


def print_settings_notes(rules: LocalRules) -> None:
    """Prints what is wrong with settings; for commands that report unreadable rules in another way."""
    for settings in rules.layers.unreadable:
        write_error(one_line(settings.reason))
    for layer in rules.layers.layers:
        found = check_settings(layer.file)
        for note in _settings_notes(
            layer.file, [finding for finding in found if finding.severity in (Severity.ERROR, Severity.WARNING)]
        ):
            write_error(note)


def print_replaced_lists(rules: LocalRules) -> None:
    """Prints which lists in settings replace lists of other settings, and lack some of their entries."""
    for file, finding in replaced_lists(rules.layers):
        for note in _settings_notes(file, [finding]):
            write_error(note)


def _settings_notes(file: SettingsFile, findings: Sequence[Finding]) -> Iterator[str]:
    """Findings about settings on one line each, with their places."""
    if not findings:
        return
    # One index for all findings: building it takes time linear in the file, which may have a thousand findings.
    lines = LineIndex(file.text)
    for finding in findings:
        place = lines.position(finding.span.start, Encoding.UTF32)
        location = f"{one_line(file.path)}:{place.line + 1}:{place.character + 1}"
        yield f"{location} {finding.severity} {finding.code} {one_line(finding.message)}"
