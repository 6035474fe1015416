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

    `is_skipped`: this was not checked, because of an earlier failure that `what` names.
    """

    what: str
    remedy: str = ""
    is_warning: bool = False
    is_skipped: bool = False

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


def print_sections(sections: Iterable[tuple[str, Iterable[DoctorCheck]]]) -> bool:
    """Prints each check as it ends, with `--quiet` only warnings and failures; whether none failed."""
    palette, is_passed = palette_for(sys.stdout), True
    for title, checks in sections:
        if not is_quiet():
            write_line(palette.paint(title, TextStyle.STRONG))
        for check in checks:
            word, style = _VERDICT_STYLES[check.verdict]
            is_passed &= check.verdict != "failed"
            if is_quiet() and not check.remedy:
                continue
            write_line(f"  {palette.paint(f'{word:<8}', style)} {one_line(check.what)}", flush=True)
            if check.remedy:
                write_line(f"           {one_line(check.remedy)}", flush=True)
    return is_passed


def print_sections_json(sections: Iterable[tuple[str, Iterable[DoctorCheck]]]) -> bool:
    """Prints all checks at the end; whether none failed."""
    items: list[dict[str, Any]] = [
        {
            "title": title,
            "checks": [
                {"what": check.what, "verdict": check.verdict, "remedy": check.remedy or None} for check in checks
            ],
        }
        for title, checks in sections
    ]
    write_json(items, indent=2)
    return all(check["verdict"] != "failed" for section in items for check in section["checks"])
