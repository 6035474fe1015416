"""The code lenses of a rule: its matches in the workspace, its tests, and a playground."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.ide.rule_names.rule_at import TRIGGER_KEYS
from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.ide.triggers.trigger_marks import condition_span
from ttsr_ls.rule_tests.case import CaseOrigin, RuleTestCase
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

SHOW_MATCHES = "ttsr.showMatches"
RUN_TESTS = "ttsr.runRuleTests"
OPEN_PLAYGROUND = "ttsr.openPlayground"
"""Commands of the editor's plugin. Their one argument is the URI of the rule."""


class RuleLens(Struct, frozen=True):
    """A lens above `span` of a rule file. A click on `title` runs `command`."""

    span: Span
    title: str
    command: str


def rule_lenses(file: RuleFile, cases: tuple[RuleTestCase, ...]) -> tuple[RuleLens, ...]:
    """The lenses of a rule with these tests; none for a file without a trigger."""
    if file.frontmatter is None:
        return ()
    entries = map(file.frontmatter.entry, TRIGGER_KEYS)
    span = next((entry.key_span for entry in entries if entry is not None), None)
    if span is None:
        return ()
    playground = RuleLens(span, "Playground", OPEN_PLAYGROUND)
    if not cases:
        return (playground,)
    examples = sum(case.origin is CaseOrigin.BODY for case in cases)
    count = f"{len(cases)} {'test' if len(cases) == 1 else 'tests'}"
    of_body = f", {examples} in the body" if examples else ""
    return RuleLens(span, f"Test ({count}{of_body})", RUN_TESTS), playground


def match_lens(lenses: tuple[RuleLens, ...], matches: int, files: int, *, is_complete: bool) -> RuleLens | None:
    """Returns the lens with the number of matches in the workspace; None if the rule has no other lenses. `is_complete`
    is False if there may be more matches.
    """
    if not lenses:
        return None
    if not matches:
        title = "no matches" if is_complete else "no matches so far"
        return RuleLens(lenses[0].span, title, "")
    details = "" if is_complete else "+"
    places = "1 place" if matches == 1 and is_complete else f"{matches:,}{details} places"
    of_files = "1 file" if files == 1 and is_complete else f"{files:,}{details} files"
    return RuleLens(lenses[0].span, f"matches {places} in {of_files}", SHOW_MATCHES)


def fired_lenses(file: RuleFile, path: str, triggers: Iterable[LiveTrigger]) -> tuple[RuleLens, ...]:
    """Returns lenses with the number of firings of each condition of the rule at `path` in the displayed runs. They
    have no command.
    """
    fired = Counter(condition_span(file, trigger.event.condition) for trigger in triggers if trigger.rule_path == path)
    return tuple(RuleLens(span, f"fired {count}×", "") for span, count in sorted(fired.items()))
