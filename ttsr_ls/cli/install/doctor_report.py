"""The report of `doctor`: lines as the checks end, or one JSON document."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from ttsr_ls.cli.printing.output import is_quiet, write_json, write_line
from ttsr_ls.cli.printing.terminal import TextStyle, one_line, palette_for


class DoctorCheck(Struct, frozen=True):
    """One result of the doctor. `remedy` says what to do, blank after success; `is_warning`: it may be correct.

    `is_skipped`: this was not checked, because of an earlier failure that `what` names. `tries_hooks`: hooks were
    given calls that break rules.
    """

    what: str
    remedy: str = ""
    is_warning: bool = False
    is_skipped: bool = False
    tries_hooks: bool = False

    @property
    def verdict(self) -> str:
        """`ok`, `warning`, `failed`, or `skipped`."""
        if self.is_skipped:
            return "skipped"
        if not self.remedy:
            return "ok"
        return "warning" if self.is_warning else "failed"


_VERDICT_STYLES = {
    "ok": ("ok", TextStyle.GOOD),
    "warning": ("warning", TextStyle.WARNING),
    "failed": ("FAILED", TextStyle.ERROR),
    "skipped": ("skipped", TextStyle.FAINT),
}


class DoctorResult(Struct, frozen=True):
    """The checks that ended."""

    checks: tuple[DoctorCheck, ...]

    @property
    def is_passed(self) -> bool:
        """True if no check failed."""
        return all(check.verdict != "failed" for check in self.checks)

    @property
    def has_tried_hooks(self) -> bool:
        """True if the hooks of some agent were tried with success."""
        return any(check.tries_hooks and check.verdict == "ok" for check in self.checks)


def print_sections(sections: Iterable[tuple[str, Iterable[DoctorCheck]]]) -> DoctorResult:
    """Prints each check as it ends, with `--quiet` only warnings and failures."""
    palette = palette_for(sys.stdout)
    ended: list[DoctorCheck] = []
    for title, checks in sections:
        if not is_quiet():
            write_line(palette.paint(title, TextStyle.STRONG))
        for check in checks:
            word, style = _VERDICT_STYLES[check.verdict]
            ended.append(check)
            if is_quiet() and not check.remedy:
                continue
            write_line(f"  {palette.paint(f'{word:<8}', style)} {one_line(check.what)}", flush=True)
            if check.remedy:
                write_line(f"           {one_line(check.remedy)}", flush=True)
    return DoctorResult(tuple(ended))


def print_sections_json(sections: Iterable[tuple[str, Iterable[DoctorCheck]]]) -> DoctorResult:
    """Prints all checks at the end."""
    ended: list[DoctorCheck] = []
    items: list[dict[str, Any]] = []
    for title, checks in sections:
        shown: list[dict[str, Any]] = []
        for check in checks:
            ended.append(check)
            shown.append({"what": check.what, "verdict": check.verdict, "remedy": check.remedy or None})
        items.append({"title": title, "checks": shown})
    write_json(items, indent=2)
    return DoctorResult(tuple(ended))
