"""The report of `scan` as JSON, in the shape of the reference agent's, with the place of each match."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ttsr_ls.cli.formats.as_json import range_json
from ttsr_ls.cli.scan.counts import Counts
from ttsr_ls.cli.scan.matches import ReportedMatch, ScannedFile, message_of
from ttsr_ls.store.discovery.scan_tree import UnreadReason
from ttsr_ls.text import LineIndex

_MAX_TEXT_LENGTH = 200


class ScanReport(Struct, frozen=True):
    """The JSON report of `scan`: the files, and the counts."""

    files: tuple[ScannedFile, ...]
    counts: Counts
    rules: int
    gitignore: bool
    maximum: int


def as_json(report: ScanReport) -> dict[str, Any]:
    """The report of the reference agent (spec Q1), with our `message`, `places`, and `totalPlaces`."""
    counts = report.counts
    skipped = {str(reason): counts.unread[reason] for reason in UnreadReason}
    return {
        "files": [_file(file) for file in report.files if file.matches],
        "summary": {
            "totalFiles": counts.total,
            "scannedFiles": counts.scanned,
            "matchedFiles": counts.matched,
            "totalMatches": counts.matches,
            "totalPlaces": counts.places,
            "evaluatedRules": report.rules,
            "skippedFiles": counts.unread.total() + counts.irrelevant,
            "skipped": {**skipped, "noRelevantRules": counts.irrelevant},
            "gitignore": report.gitignore,
            "maxBytes": report.maximum,
        },
    }


def _file(file: ScannedFile) -> dict[str, Any]:
    index = LineIndex(file.text)
    by_rule: dict[str, list[ReportedMatch]] = {}
    for match in file.matches:
        by_rule.setdefault(match.match.rule.path, []).append(match)
    sorted_items = sorted(by_rule.values(), key=lambda matches: matches[0].order)
    return {"filePath": file.path, "matches": [_match(file.text, index, matches) for matches in sorted_items]}


def _match(text: str, index: LineIndex, matches: list[ReportedMatch]) -> dict[str, Any]:
    match = matches[0].match
    rule = match.rule
    expressions = [number for number in match.conditions if number < len(rule.conditions)]
    texts = [rule.condition_text(number) for number in match.conditions]
    return {
        "name": rule.name,
        "path": rule.path,
        "message": message_of(rule),
        "matched": {"regex": texts[: len(expressions)], "ast": texts[len(expressions) :]},
        "places": [
            {
                "range": range_json(index, match.place.span),
                "condition": rule.condition_text(match.place.condition),
                "text": text[match.place.span.start : match.place.span.end][:_MAX_TEXT_LENGTH],
            }
            for match in matches
        ],
        "complete": match.is_complete,
    }
