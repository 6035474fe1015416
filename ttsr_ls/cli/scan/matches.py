"""The matches of a file as findings, without those on lines that were not added, and those that comments silence."""

from __future__ import annotations

import re
from bisect import bisect_left

from msgspec import Struct

from ttsr_ls.cli.check.baseline import are_all_known
from ttsr_ls.cli.formats.report import CheckedFile, CodeDescription
from ttsr_ls.cli.scan.counts import Counts
from ttsr_ls.cli.scan.targets import ScanTarget
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.suppressions.code_comments import CodeSuppressions, code_suppressions, line_of
from ttsr_ls.matching.monitor.file_scan import FileRuleMatch, MatchLocation
from ttsr_ls.rules.rule import Rule
from ttsr_ls.store.discovery.scan_tree import UnreadReason
from ttsr_ls.store.settings.baseline import Baseline
from ttsr_ls.text import LineIndex, truncate

_MAX_MESSAGE_LENGTH = 300
_LINE_END = re.compile("\n")


class ReportedMatch(Struct, frozen=True):
    """One place where a rule matches, and its finding. `order` is the number of the rule in the scan."""

    order: int
    match: FileRuleMatch
    place: MatchLocation
    finding: Finding


class ScannedFile(Struct, frozen=True):
    """A file to report: its path as shown, its text, and its matches in order. `unread` is why it was not read."""

    path: str
    text: str
    matches: tuple[ReportedMatch, ...]
    unread: UnreadReason | None
    is_in_scope: bool = True
    """Whether some rule could fire in the file; otherwise it is not read."""
    detail: str | None = None
    """The operating system's reason why the file cannot be read, if there is one."""

    @property
    def as_checked_file(self) -> CheckedFile:
        """The file as the formats of reports have it."""
        return CheckedFile(self.path, self.text, tuple(match.finding for match in self.matches))


class MatchFilter(Struct, frozen=True):
    """Filters matches by the comments in the files that silence rules, and by the baseline of known matches."""

    comments: bool
    baseline: Baseline | None


def scan_file(
    target: ScanTarget, text: str, matches: tuple[FileRuleMatch, ...], match_filter: MatchFilter, counts: Counts
) -> ScannedFile:
    """Returns the file with the matches to report, and adds the numbers of all matches to `counts`."""
    index = LineIndex(text)
    line_ends = [] if target.added is None else [match.start() for match in _LINE_END.finditer(text)]
    comments = code_suppressions(text, index) if match_filter.comments else None
    reported_matches = [
        ReportedMatch(order, match, place, _finding(match.rule, place))
        for order, match in enumerate(matches)
        for place in match.locations
        if _is_added(target, line_ends, place) and not _is_silenced(match.rule, place, index, comments, counts)
    ]
    reported_matches.sort(key=lambda match: (match.place.span, match.order))
    file = ScannedFile(target.shown, text, tuple(reported_matches), None)
    if match_filter.baseline is not None and reported_matches:
        file = _without_known(file, match_filter.baseline, counts)
    names = {match.match.rule.name for match in file.matches}
    counts.matched += bool(names)
    counts.matches += len(names)
    counts.places += len(file.matches)
    counts.incomplete += [(target.shown, match.rule.name) for match in matches if not match.is_complete]
    return file


def describe_rules(rules: tuple[Rule, ...]) -> dict[str, CodeDescription]:
    """The description of each rule, by its name."""
    return {
        rule.name: CodeDescription(
            message_of(rule), f"Run 'ttsr-ls explain {rule.path}'.", rule.body.strip() or rule.name, Severity.WARNING
        )
        for rule in rules
    }


def message_of(rule: Rule) -> str:
    """The message of a rule for a match, in one line: its description, else the first line of its body."""
    lines = (rule.description or rule.body).strip().splitlines()
    return truncate(lines[0].strip() if lines else f"The rule {rule.name} matches.", _MAX_MESSAGE_LENGTH)


def _finding(rule: Rule, place: MatchLocation) -> Finding:
    return Finding(rule.name, Severity.WARNING, message_of(rule), place.span)


def _is_added(target: ScanTarget, line_ends: list[int], place: MatchLocation) -> bool:
    """Returns whether some line of a match was added; lines as git counts them, which only a line feed ends."""
    if target.added is None:
        return True
    first = bisect_left(line_ends, place.span.start) + 1
    last = bisect_left(line_ends, max(place.span.end - 1, place.span.start)) + 1
    return target.added.has_any(first, last)


def _is_silenced(
    rule: Rule, place: MatchLocation, index: LineIndex, comments: CodeSuppressions | None, counts: Counts
) -> bool:
    is_silenced = comments is not None and comments.suppresses(rule.name, line_of(index, place.span.start))
    counts.silenced += is_silenced
    return is_silenced


def _without_known(file: ScannedFile, baseline: Baseline, counts: Counts) -> ScannedFile:
    known = are_all_known(file.as_checked_file, baseline)
    kept = tuple(match for match, is_known in zip(file.matches, known, strict=True) if not is_known)
    counts.known += len(file.matches) - len(kept)
    return ScannedFile(file.path, file.text, kept, None)
