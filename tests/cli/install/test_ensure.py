"""`hooks ensure` says what a server that cannot start means for the session."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cli.command import ttsr_ls
from tests.loopback_ports import taken_port
from ttsr_ls.store.hook_server_file import hook_server_address


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("", "ttsr-ls: rules are off in this session: another program listens on "),
        (
            "claude",
            "ttsr-ls: rules are enforced here without hooks, but hooks of other sessions are off: another program ",
        ),
    ],
)
def test_a_taken_port_does_not_matter_behind_the_proxy(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str, said: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TTSR_LS_PROXY", agent)
    namespace = SimpleNamespace(buffer=io.BytesIO(b'{"session_id": "s1"}'), isatty=lambda: False)
    monkeypatch.setattr("sys.stdin", namespace)
    with taken_port() as port:
        hook_server_address(tmp_path / "state", port)
        message = json.loads(ttsr_ls(capsys, "hooks", "ensure").out)["systemMessage"]
    assert message.startswith(said)
