"""Sessions for `record_interrupts.py` with the examples of the pages that say what is cut off."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from tests.lint.finding_page import parse_page
from tests.recorders.interrupt_cases import answers
from ttsr_ls.lint.catalogue import entry_of

PAGES = {
    "never-interrupts": "print(",
    "invalid-interrupt-mode": "print(",
    "inert-interrupt-mode": "tests passed",
    "unasked-question": "tests passed",
    "unfiltered-question": "something else",
}
"""The codes, with something that their examples are about; the last, with something that they are not about."""
SETTINGS_FILE = ".omp/config.yml"
SOURCES = ("text", "thinking", "write", "edit", "bash")
SETTINGS = "ttsr: {judge: 'on', repeatMode: after-gap, repeatGap: 0}\nedit: {mode: replace}\n"
"""So that a rule fires in each prompt, and a call of `edit` has the text that it puts in."""


def sessions() -> list[dict[str, Any]]:
    return [_session(code, words, side) for code, words in PAGES.items() for side in ("bad", "good")]


def _session(code: str, words: str, side: str) -> dict[str, Any]:
    page = parse_page(entry_of(code).page)
    examples = page.bad if side == "bad" else page.good
    rules = {PurePath(example.path).stem: example.text for example in examples if example.path != SETTINGS_FILE}
    settings = next((example.text for example in examples if example.path == SETTINGS_FILE), SETTINGS)
    prompts = [[answers(source, words)] for source in SOURCES]
    return {"about": f"page {code}, {side}", "settings": settings, "rules": rules, "prompts": prompts}
