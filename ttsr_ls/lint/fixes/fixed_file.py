"""Applies fixes to a rule file until nothing is left to fix.

A fix is kept only if the file improves: no code has more findings than before, and there are fewer in total. So a fixed
file has no new finding, with two exceptions. If a part of the file was not read as written, fixing that reveals the
problems of that part. And if unsafe fixes are allowed, a fix that removes an error may reveal findings of lower
severity.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety, Severity
from ttsr_ls.text import Span

# Findings with these codes keep a part of the file from being read as it is written.
REVEALING = frozenset((
    "frontmatter-not-recognised", "yaml-degraded", "illegal-escape", "mutating-escape", "literal-quotes", "unknown-key",
    "other-dialect-key", "regex-does-not-compile", "doubled-backslash",
))  # fmt: skip
_MAX_CHECKS = 400
"""How often a file may be checked; a file that needs more checks is not changed."""

_MAX_WORK = 800_000
"""How much work the checks of a file may take together, in units of about a microsecond. It is estimated by the length
of the frontmatter and the number of findings: 300 checks of an ordinary rule take less."""

_WORK_OF_FRONTMATTER = 10
"""The estimated work for a character of the frontmatter."""
_WORK_OF_FINDING = 100

_MAX_LEFT_OUT = 10
"""For how many findings the rejected fix is reported; each takes a check."""

TextChecker = Callable[[str], tuple[Finding, ...]]

KeepsTriggers = Callable[[str, str], bool]
"""Returns whether the rule of the second text fires wherever the rule of the first text fired."""


class RejectedFix(Struct, frozen=True):
    """A fix that was not applied. `new_codes` are the codes that would have more findings after it."""

    finding: Finding
    fix: Fix
    new_codes: tuple[str, ...]


class FixedFile(Struct, frozen=True):
    """A text after its fixes, their number, its remaining findings, and the rejected fixes."""

    text: str
    fixed: int
    findings: tuple[Finding, ...]
    rejected: tuple[RejectedFix, ...] = ()


class _Choice(Struct, frozen=True):
    finding: Finding
    fix: Fix

    @property
    def name(self) -> tuple[str, str, str]:
        """The identity of the fix across versions of a text."""
        return self.finding.code, self.finding.message, self.fix.title


class _ChecksExhausted(Exception):
    """The checks of a file exceed their limit, so the file is not changed."""


def fix_file(
    text: str, check: TextChecker, safeties: Collection[Safety], keeps_triggers: KeepsTriggers | None = None
) -> FixedFile:
    """Applies every useful fix of an allowed safety. Applying it again changes nothing more.

    If only safe fixes are allowed, fixes that are applied together must satisfy `keeps_triggers`, as each one does
    alone.
    """
    findings = check(text)
    check = _BoundedCheck(check)
    if Safety.UNSAFE in safeties:
        keeps_triggers = None
    try:
        file = _Fixer(check, safeties, FixedFile(text, 0, findings), keeps_triggers).result()
        return replace(file, rejected=tuple(_rejected_fixes(file, check, safeties)))
    except _ChecksExhausted:
        return FixedFile(text, 0, findings)


def _rejected_fixes(file: FixedFile, check: TextChecker, safeties: Collection[Safety]) -> Iterator[RejectedFix]:
    before = Counter(finding.code for finding in file.findings)
    for finding in file.findings[:_MAX_LEFT_OUT]:
        fix = next(iter(_allowed_fixes(finding, safeties)), None)
        if fix is not None:
            try:
                after = Counter(finding.code for finding in check(apply_edits(file.text, fix.edits)))
            except _ChecksExhausted:
                return
            yield RejectedFix(finding, fix, tuple(sorted(after - before)))


def _allowed_fixes(finding: Finding, safeties: Collection[Safety]) -> list[Fix]:
    """Returns the fixes that may be applied, the safe ones first."""
    fixes = (fix for fix in finding.fixes if fix.safety in safeties)
    return sorted(fixes, key=lambda fix: fix.safety is not Safety.SAFE)


class _BoundedCheck:
    """A check that raises `_ChecksExhausted` once its work is spent."""

    def __init__(self, check: TextChecker) -> None:
        self._check = check
        self._work_left = _MAX_WORK

    def __call__(self, text: str) -> tuple[Finding, ...]:
        end = text.find("\n---")
        self._work_left -= _WORK_OF_FRONTMATTER * (end if end >= 0 else len(text)) + len(text) // 2
        if self._work_left < 0:
            raise _ChecksExhausted
        findings = self._check(text)
        self._work_left -= _WORK_OF_FINDING * len(findings)
        return findings


class _Fixer:
    def __init__(
        self, check: TextChecker, safeties: Collection[Safety], start: FixedFile, keeps_triggers: KeepsTriggers | None
    ) -> None:
        self._check = check
        self._keeps_triggers = keeps_triggers
        self._safeties = safeties
        self._state = start
        self._seen = {start.text}
        self._checks_left = _MAX_CHECKS

    def result(self) -> FixedFile:
        refused: set[tuple[str, str, str]] = set()
        is_new = True
        at_most = 0
        while True:
            choices = self._choices(refused)
            if choices:
                choices = choices[: at_most or None]
                is_accepted = self._accept(choices)
                is_halved = at_most > 0
                while not is_accepted and len(choices) > 1:
                    choices = choices[: len(choices) // 2]
                    is_accepted, is_halved = self._accept(choices), True
                # The next choices were just refused together with these, so fewer of them are tried next.
                at_most = len(choices) // 2 if is_halved and is_accepted else 0
                is_new = is_new or is_accepted
                if not is_accepted:
                    refused.add(choices[0].name)
            elif refused and is_new:
                # A fix that was refused for an earlier text may improve this one, so all are tried once more.
                refused.clear()
                is_new = False
            else:
                return self._state

    def _choices(self, refused: Collection[tuple[str, str, str]]) -> list[_Choice]:
        """Returns one fix for each finding, without fixes whose edits collide with earlier ones."""
        choices: list[_Choice] = []
        taken = CompatibleEdits()
        for finding in self._state.findings:
            for fix in _allowed_fixes(finding, self._safeties)[:1]:
                choice = _Choice(finding, fix)
                if choice.name not in refused and taken.fit(fix):
                    choices.append(choice)
                    taken.add(fix)
        # Fixes that reveal findings come first and alone, so that the revealed findings do not reject other fixes.
        return [choice for choice in choices if choice.finding.code in REVEALING] or choices

    def _accept(self, choices: Sequence[_Choice]) -> bool:
        """Applies fixes if they improve the text. Returns whether they do."""
        text = apply_edits(self._state.text, (edit for choice in choices for edit in choice.fix.edits))
        if text in self._seen:
            return False
        if self._checks_left == 0:
            raise _ChecksExhausted
        self._checks_left -= 1
        if len(choices) > 1 and self._keeps_triggers is not None and not self._keeps_triggers(self._state.text, text):
            return False
        findings, before = self._check(text), self._state.findings
        may_reveal = Safety.UNSAFE in self._safeties
        if not _is_better(before, findings, choices) and not (may_reveal and _has_fewer_errors(before, findings)):
            return False
        self._seen.add(text)
        self._state = FixedFile(text, self._state.fixed + len(choices), findings)
        return True


def _is_better(before: Collection[Finding], after: Collection[Finding], choices: Iterable[_Choice]) -> bool:
    fixed = {_key_of(choice.finding) for choice in choices}
    if any(key[0] in REVEALING for key in fixed):
        keys_before = Counter(_key_of(finding) for finding in before)
        keys_after = Counter(_key_of(finding) for finding in after)
        return all(keys_after[key] < keys_before[key] for key in fixed)
    codes_before = Counter(finding.code for finding in before)
    codes_after = Counter(finding.code for finding in after)
    return len(after) < len(before) and not codes_after - codes_before


def _has_fewer_errors(before: Collection[Finding], after: Collection[Finding]) -> bool:
    """Returns whether there are fewer errors in total than before, and not more of any code."""
    errors_before, errors_after = (
        Counter(finding.code for finding in findings if finding.severity is Severity.ERROR)
        for findings in (before, after)
    )
    return errors_after.total() < errors_before.total() and not errors_after - errors_before


def _key_of(finding: Finding) -> tuple[str, str, int]:
    """Returns the identity of a finding across versions of a text. For YAML errors it includes the position, because
    YAML reports one at a time.
    """
    return finding.code, finding.message, finding.span.start if finding.code == "yaml-degraded" else 0


class CompatibleEdits:
    """The edits of fixes that can be applied together. An edit is compared only with its neighbours, because there may
    be thousands.
    """

    def __init__(self) -> None:
        self._known: set[Edit] = set()
        self._sorted: list[Edit] = []
        self._scope_tokens: set[str] = set()

    def fit(self, fix: Fix) -> bool:
        """Returns whether each edit of a fix is known or collides with none, and the fix repeats no scope token."""
        new = [edit for edit in fix.edits if edit not in self._known]
        return not new or (
            self._scope_tokens.isdisjoint(fix.scope_tokens) and not any(self._collides(edit) for edit in new)
        )

    def __iter__(self) -> Iterator[Edit]:
        """Yields the edits in the order of the text."""
        return iter(self._sorted)

    def add(self, fix: Fix) -> None:
        """Adds the edits of a fix that fits."""
        self._scope_tokens |= fix.scope_tokens
        for edit in fix.edits:
            if edit not in self._known:
                self._known.add(edit)
                insort(self._sorted, edit, key=_span)

    def _collides(self, edit: Edit) -> bool:
        position = bisect_left(self._sorted, edit.span, key=_span)
        return any(_collide(edit, other) for other in self._sorted[max(0, position - 1) : position + 2])


def _span(edit: Edit) -> Span:
    return edit.span


def _collide(edit: Edit, other: Edit) -> bool:
    """Returns whether two edits touch the same text, or one inserts where the other begins or ends, so that their order
    would be ambiguous.
    """
    first, second = sorted((edit.span, other.span))
    if not len(first) or not len(second):
        return first.start <= second.end and second.start <= first.end
    return second.start < first.end


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Returns a text after edits that do not overlap; duplicates count once. Added lines get the line ends of
    the text.
    """
    line_end = _line_end(text)
    parts: list[str] = []
    done_count = 0
    for edit in sorted(set(edits), key=lambda edit: edit.span):
        parts += (text[done_count : edit.span.start], edit.text.replace("\r\n", "\n").replace("\n", line_end))
        done_count = edit.span.end
    return "".join((*parts, text[done_count:]))


def _line_end(text: str) -> str:
    """Returns the most frequent line end of a text."""
    windows = text.count("\r\n")
    ends = {"\n": text.count("\n") - windows, "\r\n": windows, "\r": text.count("\r") - windows}
    return max(ends, key=lambda end: ends[end])
