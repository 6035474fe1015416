"""Whole sessions, compared with the reference agent's (`record_interrupts.py`): interruptions and injections.

The same rules, settings and answers in the same chunks. Where ours differs, `DIFFERENT` says why.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from tests.recorders.injected_requests import seen_requests
from tests.recorders.scripted_answers import Block, events
from tests.recorders.scripted_judge import says_yes
from tests.session.lifecycle.interrupt_vectors import NEW, OLD, RECORDED, UNCHECKED, has_question, settings_of
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.features.judge.feature import JudgeFeature
from ttsr_ls.features.judge.judge import JudgeAnswer
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.settings.settings import JudgeMode, Matching, Settings
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect, compose
from ttsr_ls.syntax.reader import read_rule

OTHERWISE: list[Block] = [{"text": ["Fine."]}]

_SOONER = "a deferred rule is injected with the next request, not only when the agent stops"
DIFFERENT = {
    "what is kept: keep": "a call with truncated arguments is left out, because providers refuse it",
    "never in the text, and a call that no rule is about": _SOONER,
    "prose-only in a call, then in the text": _SOONER,
    "never in the text and in a call": f"each rule is injected once, and {_SOONER}",
}
"""The intended differences (docs/lifecycle.md), with reasons."""


class _Judge:
    """Gives the verdicts of the recorder's judge."""

    async def ask(self, prompt: str) -> JudgeAnswer:
        questions, _, output = prompt.partition("\n\nThe output")
        numbered = (line.partition(". ") for line in questions.splitlines()[1:])
        return JudgeAnswer(json.dumps({number: float(says_yes(asks, output)) for number, _, asks in numbered}))


def rules_of(recorded: dict[str, Any], settings: Settings) -> RulesByDialect:
    files = (read_rule(text, name=name, path=f"/w/.omp/rules/{name}.md") for name, text in recorded["rules"].items())
    return compose([register(file, "native") for file in files], settings)


async def seen_of_ours(recorded: dict[str, Any]) -> list[list[dict[str, Any]]]:
    settings = settings_of(recorded)
    rules = rules_of(recorded, settings)
    cwd, home = PurePosixPath("/w"), PurePosixPath("/home")
    # The host decides what `auto` means. As in the reference agent, a model that is not made for judging is no judge.
    is_asked = settings.judge is JudgeMode.ON
    judge = [JudgeFeature(rules.omp, settings, _Judge(), write_line=print, cwd=cwd, home=home)] if is_asked else []
    async with await Session.open(
        rules=rules, settings=settings, features=judge, matching=Matching.REFERENCE, cwd=Path("/w")
    ) as session:
        session.sleep = _at_once
        return [await _prompt(session, number, script) for number, script in enumerate(recorded["prompts"])]


async def _at_once(_seconds: float) -> None:
    pass


async def _prompt(session: Session, number: int, script: list[list[Block]]) -> list[dict[str, Any]]:
    prompt, left = f"Prompt {number}.", list(script)
    requests, cuts = [], []
    async with session.turn(prompt) as turn:
        async for request in turn:
            requests.append(request.messages)
            ids = 1000 * number + len(requests)
            watched = request.watch(_stream(left.pop(0) if left else OTHERWISE, ids))
            ends = [event["type"] async for event in watched]
            cuts.append("message_stop" not in ends)
            for call in request.calls:
                await request.result(call.id, "fine")
    return seen_requests(requests, cuts, prompt)


async def _stream(blocks: list[Block], number: int) -> AsyncIterator[dict[str, Any]]:
    for event in events(blocks, number):
        yield event


def sessions(version: str, *, of_questions: bool) -> list[Any]:
    """The recorded sessions of a version, those of rules with questions or the others."""
    return [
        pytest.param(version, item, id=f"{version} {item['about']}")
        for item in RECORDED[version]
        if has_question(item) is of_questions
    ]


def reason(version: str, recorded: dict[str, Any]) -> str | None:
    """Returns why our session differs from the recorded one; None if it must not differ."""
    if version == OLD and recorded["about"] in UNCHECKED:
        return "18.2 takes any value for a setting, 18.3 and we take the default where it is none of its values"
    return DIFFERENT.get(recorded["about"])


@pytest.mark.parametrize(
    ("version", "recorded"), [session for v in RECORDED for session in sessions(v, of_questions=False)]
)
async def test_sessions_equal_those_of_the_reference_agent(version: str, recorded: dict[str, Any]) -> None:
    ours = await seen_of_ours(recorded)
    theirs = [seen["requests"] for seen in recorded["seen"]]
    assert (ours == theirs) is (reason(version, recorded) is None), reason(version, recorded)


@pytest.mark.parametrize(("version", "recorded"), sessions(NEW, of_questions=True))
async def test_rules_with_questions_act_as_in_the_reference_agent(version: str, recorded: dict[str, Any]) -> None:
    """The reference agent does not wait for its judge, so the request with an injection depends on timing there."""
    ours = await seen_of_ours(recorded)
    assert [_outcome(requests) for requests in ours] == [_outcome(seen["requests"]) for seen in recorded["seen"]]
    asked = [bool(seen.get("asked")) for seen in recorded["seen"]]
    assert all(is_asked or not _outcome(requests)[1] for is_asked, requests in zip(asked, ours, strict=True)) or any(
        "question: [" in text or "question: ' '" in text for text in recorded["rules"].values()
    )


@pytest.mark.parametrize(("version", "recorded"), sessions(OLD, of_questions=True))
async def test_older_reference_agents_ignore_questions(version: str, recorded: dict[str, Any]) -> None:
    """Before 18.3, questions of rules are ignored."""
    without = {name: re.sub(r"question: .*\n", "", text) for name, text in recorded["rules"].items()}
    ours = await seen_of_ours({**recorded, "rules": without})
    assert ours == [seen["requests"] for seen in recorded["seen"]]


def _outcome(requests: list[dict[str, Any]]) -> tuple[bool, list[list[str]]]:
    return any(request["cut"] for request in requests), sorted(
        rules for request in requests for rules in request["told"]
    )


def test_each_known_difference_was_recorded() -> None:
    about = {recorded["about"] for recorded in RECORDED[NEW]}
    assert about.issuperset((*DIFFERENT, *UNCHECKED))
