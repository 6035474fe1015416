"""A value of a wrong type raises an error that names it, and leaves the session unchanged."""

from __future__ import annotations

from typing import Any

import pytest

from ttsr_ls import (
    Feature,
    FeatureTool,
    Image,
    RehydratedFile,
    RequestLimits,
    ScheduledTask,
    Session,
    Settings,
    TaskFeature,
    Templates,
    ToolDone,
    Trimming,
    UsageError,
)


async def no_tool(_: object) -> ToolDone:
    return ToolDone("nothing")


@pytest.mark.parametrize(
    "option",
    [
        {"rules": 5},
        {"rules": None},
        {"rules": [5]},
        {"project": 5},
        {"log": 5},
        {"log": b"log.jsonl"},
        {"log": ""},
        {"cwd": 5},
        {"settings": {}},
        {"settings": Settings(repeat_gap="often")},  # type: ignore[arg-type]
        {"features": TaskFeature()},
        {"features": [TaskFeature]},
        {"agent": None},
        {"agent": ""},
        {"matching": "stable"},
        {"templates": Templates(interrupt=5)},  # type: ignore[arg-type]
        {"on_log_failure": "stop"},
        {"clock": 5},
        {"limits": None},
        {"limits": RequestLimits(requests="many")},  # type: ignore[arg-type]
        {"system_messages": "accepted"},
    ],
    ids=lambda option: next(iter(option)),  # `repr` of an object differs between the workers of pytest-xdist.
)
async def test_an_option_of_a_wrong_type_is_refused_and_named(option: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"`{next(iter(option))}`"):
        await Session.open(**option)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", None),
        ("name", ""),
        ("timeout", None),
        ("timeout", float("nan")),
        ("timeout", 61.0),
        ("tools", None),
        ("tools", ("Look",)),
        ("tools", (FeatureTool("Look", "Looks.", {"type": "object", "of": object()}, no_tool),)),
        ("tools", (FeatureTool("Look", "Looks.", {"type": "object"}, no_tool),) * 2),
    ],
)
async def test_a_feature_that_no_session_can_use_is_refused_and_named(field: str, value: Any) -> None:
    class Odd(Feature):
        name = "odd"

    setattr(Odd, field, value)
    with pytest.raises(UsageError, match=f"the feature Odd in `features` cannot be used: .*{field[:4]}"):
        await Session.open(features=[Odd()])


@pytest.mark.parametrize(
    "arguments",
    [
        {"prompt": 5},
        {"prompt": b"Fix it."},
        {"prompt": "Fix it.", "images": None},
        {"prompt": "Fix it.", "images": ("picture.png",)},
        {"prompt": "Fix it.", "images": (Image("image/png", b"data"),)},  # type: ignore[arg-type]
        {"trigger": "every day"},
        {"trigger": ScheduledTask},
        {"trigger": ScheduledTask(5)},  # type: ignore[arg-type]
    ],
    ids=repr,
)
async def test_a_trigger_of_a_wrong_type_is_refused_and_not_recorded(arguments: dict[str, Any]) -> None:
    async with await Session.open() as session:
        with pytest.raises(UsageError):
            session.turn(**arguments)
        assert session.turns == ()
        async with session.turn("Fix it.") as turn:
            assert (await anext(turn)).messages


@pytest.mark.parametrize(
    ("summary", "files"),
    [(5, ()), (" ", ()), ("All is done.", "a.ts"), ("All is done.", [RehydratedFile("{}", None)])],  # type: ignore[arg-type]
)
async def test_a_summary_of_a_wrong_type_does_not_replace_the_history(summary: Any, files: Any) -> None:
    async with await Session.open() as session:
        async with session.turn("Fix it."):
            pass
        before = session.messages
        with pytest.raises(UsageError):
            await session.compact(summary, files)
        assert session.messages == before


@pytest.mark.parametrize("trimming", [5, {"answers_kept": 1}, Trimming("1", 2), Trimming(-1, 2), Trimming(1, -2)])  # type: ignore[arg-type]
async def test_an_invalid_trimming_is_refused_on_assignment(trimming: Any) -> None:
    async with await Session.open() as session:
        with pytest.raises(UsageError, match="`trimming`"):
            session.trimming = trimming
        assert session.trimming is None
        with pytest.raises(UsageError, match="`trimming`"):
            session.messages_with("Write a summary.", trimming)


@pytest.mark.parametrize("text", [5, None, " "])
async def test_a_last_message_that_is_not_text_is_refused(text: Any) -> None:
    async with await Session.open() as session:
        with pytest.raises(UsageError, match="`text`"):
            session.messages_with(text)
