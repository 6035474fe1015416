"""Counts the matches of a rule in the files of a folder, as `ttsr-ls scan` finds them. Reads the disk.

Knows no protocol: it runs in a process of its own (`count_worker`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import process_time, thread_time

from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.documents import Document
from ttsr_ls.isolation.ast_pool import AstPool
from ttsr_ls.lint.suppressions.code_comments import code_suppressions, line_of
from ttsr_ls.lsp.match_counts.match_count import CountedMatch, CountRequest, MatchCount
from ttsr_ls.lsp.trial.trial_rules import single_rule
from ttsr_ls.lsp.workspace_files import file_names
from ttsr_ls.matching.monitor.file_scan import FileRuleMatch, FileScan, MatchLocation
from ttsr_ls.matching.rule_file_filter import admits_writes
from ttsr_ls.store.discovery.scan_tree import UnreadFile, read_text
from ttsr_ls.text import Encoding, LineIndex

MAX_FILES = 20_000
MAX_SECONDS = 10.0
"""Processor time of one count; matches in the remaining files are not counted."""
_MAX_BYTES = 5 * 1024 * 1024
"""No larger file is read, as in a scan."""
MAX_PLACES = 200
"""The most matches that are returned with their positions; all are counted."""
MAX_REPORT_LENGTH = 32 * 1024
"""The most characters of the paths of the returned matches in total."""


def count_matches(request: CountRequest) -> MatchCount | None:
    """The count; None for a rule whose scope has no files, or that has nothing to try on them."""
    rule = single_rule(Document.of(file_uri(request.path), request.path, 0, request.text)).only
    if rule is None or rule.rule is None or not admits_writes(rule.rule):
        return None
    with AstPool(1) as search:
        scan = FileScan((rule.rule,), search, thread_time)
        return _count_matches(scan, request) if scan.rules else None


def _count_matches(scan: FileScan, request: CountRequest) -> MatchCount:
    limit = process_time() + MAX_SECONDS
    names = file_names(request.folder, MAX_FILES)
    matches = files = answer_size = 0
    is_complete = len(names) < MAX_FILES
    places: list[CountedMatch] = []
    encoding = Encoding(request.encoding)
    for name in names:
        if process_time() > limit:
            is_complete = False
            break
        path = os.path.join(request.folder, *name.split("/"))  # noqa: PTH118 - called very often
        candidates = (path.replace("\\", "/"), name, name.rpartition("/")[2])
        relevant = scan.rules_for(candidates)
        if not relevant:
            continue
        opened = request.texts.get(path)  # It may be empty.
        text = read_text(path, _MAX_BYTES) if opened is None else opened
        if isinstance(text, UnreadFile):
            continue
        result = scan.scan(relevant, text, candidates)
        index = LineIndex(text)
        locations = [place for match in result.matches for place in _unsuppressed(match, text, index)]
        is_complete = is_complete and all(match.is_complete for match in result.matches)
        matches += len(locations)
        files += bool(locations)
        for place in locations[: MAX_PLACES - len(places)]:
            answer_size += len(name) + 40
            if answer_size < MAX_REPORT_LENGTH:
                places.append(_place(name, place, index, encoding))
    is_complete = is_complete and not scan.disabled_conditions
    return MatchCount(matches, files, is_complete, tuple(places))


def _unsuppressed(match: FileRuleMatch, text: str, index: LineIndex) -> Iterator[MatchLocation]:
    """The locations that no comment suppresses."""
    comments = code_suppressions(text, index)
    for place in match.locations:
        if comments is None or not comments.suppresses(match.rule.name, line_of(index, place.span.start)):
            yield place


def _place(name: str, place: MatchLocation, index: LineIndex, encoding: Encoding) -> CountedMatch:
    start, end = index.position(place.span.start, encoding), index.position(place.span.end, encoding)
    return CountedMatch(name, start.line, start.character, end.line, end.character)
