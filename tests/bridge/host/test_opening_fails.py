"""A session that cannot be opened, or fails while it is closed, releases the lock of its log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.errors import TtsrError, UsageError
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.store.log.turn_log import LogWriteError, TurnLog


class Same(Feature):
    name = "same"


def full(_log: TurnLog, _line: bytes) -> None:
    raise OSError(28, "No space left on device")


async def opens(log: Path) -> bool:
    await (await Session.open(log=log)).close()
    return True


@pytest.mark.parametrize(
    ("options", "error"),
    [({"features": (Same(), Same())}, UsageError), ({"api": "nope"}, UsageError)],
    ids=["two features of one name", "an API that there is none of"],
)
async def test_invalid_options_leave_no_lock_on_the_log(
    options: dict[str, Any], error: type[Exception], tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    with pytest.raises(error):
        await Session.open(log=log, **options)
    assert await opens(log)


async def test_a_strict_session_that_cannot_be_opened_leaves_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.jsonl"
    assert await opens(log)
    with monkeypatch.context() as patched:
        patched.setattr(TurnLog, "_write", full)
        with pytest.raises(LogWriteError):
            await Session.open(log=log, on_log_failure=LogFailurePolicy.STOP)
    assert await opens(log)


async def test_a_strict_session_that_cannot_record_its_end_leaves_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.jsonl"
    session = await Session.open(log=log, on_log_failure=LogFailurePolicy.STOP)
    await session.turn("go").__aenter__()
    with monkeypatch.context() as patched:
        patched.setattr(TurnLog, "_write", full)
        with pytest.raises(LogWriteError):
            await session.close()
    assert await opens(log)


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 5000], ids=["NUL", "half a character", "long"])
@pytest.mark.parametrize("option", ["rules", "project", "cwd", "log"])
async def test_an_impossible_file_name_raises_a_ttsr_error(option: str, name: str) -> None:
    if (option, len(name)) == ("cwd", 5000):
        return await (await Session.open(cwd=name)).close()  # It need not exist.
    options: dict[str, Any] = {option: name}
    with pytest.raises(TtsrError):
        await Session.open(**options)
    return None
