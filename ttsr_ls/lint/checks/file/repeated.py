"""Finds repeated conditions, and the legacy spelling of their key (spec K, C2)."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Edit, Finding, RelatedLocation, Safety
from ttsr_ls.lint.fixes.list_edits import remove_entry_lines, remove_list_item
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.keys import LEGACY_CONDITION_KEYS
from ttsr_ls.syntax.rule_file import Entry, ListValue, RuleFile, ScalarValue
from ttsr_ls.text import LineIndex


def check_repeated(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each list item of `condition` and similar keys that repeats an earlier item."""
    if file.frontmatter is None:
        return
    lines = LineIndex(file.text)
    for name in ("condition", *LEGACY_CONDITION_KEYS, "astCondition"):
        entry = file.frontmatter.entry(name)
        if entry is not None and isinstance(entry.value, ListValue):
            yield from _repeated_items(lines, entry.value)


def check_legacy_key(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports the legacy key, and whether it has an effect in a rule with the current key."""
    if file.frontmatter is None:
        return
    current = file.frontmatter.entry("condition")
    if current is not None and isinstance(current.value, ScalarValue) and current.value.data is None:
        current = None
    for entry in file.frontmatter.entries:
        if entry.name in LEGACY_CONDITION_KEYS:
            yield _legacy_finding(file, entry, current)


def _repeated_items(lines: LineIndex, value: ListValue) -> Iterator[Finding]:
    first: dict[str, ScalarValue] = {}
    for index, item in enumerate(value.items):
        if not isinstance(item, ScalarValue) or not isinstance(item.data, str) or not item.data.strip():
            continue
        earlier = first.setdefault(item.data.strip(), item)
        if earlier is item:
            continue
        message = "This condition is already given above, so it adds nothing. Remove it."
        related = (RelatedLocation("the same condition", earlier.span),)
        fixes = build_fixes("redundant-condition", remove_list_item(lines, value, index))
        yield report("redundant-condition", message, item.span, *fixes, related=related)


def _legacy_finding(file: RuleFile, entry: Entry, current: Entry | None) -> Finding:
    if current is None:
        message = f"`{entry.key}` is an old spelling of `condition`, which later versions may stop reading. Rename it."
        fixes = build_fixes("legacy-key", Edit(entry.key_span, "condition"))
        return report("legacy-key", message, entry.key_span, *fixes)
    message = (
        f"`{entry.key}` is ignored because the rule also has a `condition`, even if that one is empty. "
        "Move its patterns into `condition` and remove this key."
    )
    related = (RelatedLocation("the condition that counts", current.key_span),)
    assert file.frontmatter is not None
    removal = remove_entry_lines(LineIndex(file.text), file.frontmatter, entry.key_span)
    fixes = build_fixes("legacy-key", removal, title=f"Remove {entry.key}", safety=Safety.UNSAFE)
    return report("legacy-key", message, entry.key_span, *fixes, related=related)
