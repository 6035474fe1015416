"""The finding pages on interruptions describe what the reference agent was recorded to do (`record_interrupts.py`)."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import pytest

from tests.lint.finding_page import parse_page
from tests.session.lifecycle.interrupt_vectors import NEW, OLD, RECORDED
from ttsr_ls.lint.catalogue import entry_of

SOURCES = ("text", "thinking", "write", "edit", "bash")
"""The streams with the text that the rules match, in the order of the recorded prompts."""

ANSWERS = {
    "never-interrupts": ({"edit": "injected"}, {"edit": "interrupted"}),
    "invalid-interrupt-mode": (
        {"text": "interrupted", "write": "interrupted", "edit": "interrupted", "bash": "interrupted"},
        {"text": "injected", "write": "injected", "edit": "injected", "bash": "injected"},
    ),
    "inert-interrupt-mode": ({"text": "injected"}, {"text": "injected"}),
    "unasked-question": ({}, {"text": "injected"}),
    "unfiltered-question": ({}, {}),
}
"""Where rules fire in the bad and in the good example, and whether they interrupt or are injected afterwards."""


def recorded(version: str, code: str, side: str) -> dict[str, Any]:
    (found,) = (item for item in RECORDED[version] if item["about"] == f"page {code}, {side}")
    return found


def fired(seen: list[dict[str, Any]]) -> dict[str, str]:
    requests = {source: item["requests"] for source, item in zip(SOURCES, seen, strict=True)}
    return {
        source: "interrupted" if item[0]["cut"] else "injected"
        for source, item in requests.items()
        if any(request["told"] for request in item)
    }


@pytest.mark.parametrize("code", ANSWERS)
@pytest.mark.parametrize("side", ["bad", "good"])
def test_reference_agent_interrupts_answers_as_the_finding_pages_state(code: str, side: str) -> None:
    page = parse_page(entry_of(code).page)
    examples = page.bad if side == "bad" else page.good
    rules = {PurePath(example.path).stem: example.text for example in examples if example.path.endswith(".md")}
    session = recorded(NEW, code, side)
    assert session["rules"] == rules, "record anew: tests/recorders"
    assert fired(session["seen"]) == ANSWERS[code][side == "good"]


@pytest.mark.parametrize("code", ["never-interrupts", "invalid-interrupt-mode"])
@pytest.mark.parametrize("side", ["bad", "good"])
def test_older_reference_agents_interrupt_in_the_same_way(code: str, side: str) -> None:
    assert fired(recorded(OLD, code, side)["seen"]) == ANSWERS[code][side == "good"]


@pytest.mark.parametrize("code", ["inert-interrupt-mode", "unasked-question", "unfiltered-question"])
@pytest.mark.parametrize("side", ["bad", "good"])
def test_older_reference_agents_ignore_questions(code: str, side: str) -> None:
    assert fired(recorded(OLD, code, side)["seen"]) == {}


@pytest.mark.parametrize(
    ("code", "side", "is_asked"),
    [
        ("unasked-question", "bad", False),
        ("unasked-question", "good", True),
        ("unfiltered-question", "bad", True),
        ("unfiltered-question", "good", False),
    ],
)
def test_the_reference_agent_asks_a_judge_as_the_finding_pages_state(code: str, side: str, *, is_asked: bool) -> None:
    (text, *_) = recorded(NEW, code, side)["seen"]
    assert bool(text.get("asked")) is is_asked


def test_reference_agent_ignores_unknown_interrupt_modes() -> None:
    """Comments and quotes are not parts of the value."""
    (session,) = (item for item in RECORDED[NEW] if item["about"] == "modes of rules")
    modes = {
        name: next((line for line in text.splitlines() if "mode" in line.lower()), "")
        for name, text in session["rules"].items()
    }
    known = (
        "interruptMode: never",
        "interrupt-mode: never",
        'interruptMode: "never"',
        "interruptMode: never # as it is",
    )
    scoped = ("interruptMode: prose-only", "interruptMode: tool-only")
    for (name, mode), seen in zip(modes.items(), session["seen"], strict=True):
        if mode not in scoped:
            assert seen["requests"][0]["cut"] is (mode not in known), (name, mode)
