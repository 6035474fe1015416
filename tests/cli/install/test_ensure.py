"""`hooks ensure` reports the effect of a server that cannot start; `hooks status` reports the server's state."""

from __future__ import annotations

import io
import json
import subprocess
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cli.command import ttsr_ls
from tests.loopback_ports import taken_port
from ttsr_ls.store.hook_server_file import HookServerAddress, hook_server_address
from ttsr_ls.store.proxied_sessions import is_proxied, proxy_environ


@pytest.mark.parametrize(
    ("agent", "beginning"),
    [
        ("", "ttsr-ls: rules are off in this session: another program listens on "),
        (
            "claude",
            "ttsr-ls: rules are enforced here without hooks, but hooks of other sessions are off: another program ",
        ),
    ],
)
def test_behind_the_proxy_a_taken_port_does_not_disable_rules(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str, beginning: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TTSR_LS_PROXY", agent)
    namespace = SimpleNamespace(buffer=io.BytesIO(b'{"session_id": "s1"}'), isatty=lambda: False)
    monkeypatch.setattr("sys.stdin", namespace)
    with taken_port() as port:
        hook_server_address(tmp_path / "state", port)
        message = json.loads(ttsr_ls(capsys, "hooks", "ensure").out)["systemMessage"]
    assert message.startswith(beginning)


def test_at_a_terminal_ensure_prints_text(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    port = hook_server_address(home / "state").port
    ran = ttsr_ls(capsys, "hooks", "ensure")
    assert (ran.status, ran.out) == (0, f"The hook server is running on 127.0.0.1:{port}.\n")
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "other"))
    with taken_port() as port:
        hook_server_address(home / "other", port)
        ran = ttsr_ls(capsys, "hooks", "ensure")
    assert (ran.status, ran.out) == (2, "")
    assert "another program listens on" in ran.err


def test_a_state_folder_that_cannot_be_written_does_not_fail_the_agent(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "state").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    namespace = SimpleNamespace(buffer=io.BytesIO(b'{"session_id": "s1"}'), isatty=lambda: False)
    monkeypatch.setattr("sys.stdin", namespace)
    ran = ttsr_ls(capsys, "hooks", "ensure")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out)["systemMessage"].startswith("ttsr-ls: rules are off in this session: cannot write ")


def hooked(address: HookServerAddress, event: str, cwd: Path) -> int:
    call = {"session_id": "s1", "cwd": str(cwd), "hook_event_name": event, "prompt": "Go"}
    connection = HTTPConnection("127.0.0.1", address.port)
    connection.request("POST", "/codex", json.dumps(call), {"Authorization": address.authorization})
    status = connection.getresponse().status
    connection.close()
    return status


def test_the_status_lists_the_state_of_the_server(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    address = hook_server_address(home / "state")
    assert hooked(address, "UserPromptSubmit", home / "shop") == 200
    state = json.loads(ttsr_ls(capsys, "hooks", "status", "--json").out)["state"]
    ran = ttsr_ls(capsys, "hooks", "status")
    assert hooked(address, "SessionEnd", home / "shop") == 200
    assert ran.status == 0
    assert "{" not in ran.out
    first, *rows = ran.out.splitlines()
    assert first == f"The hook server is running on 127.0.0.1:{address.port}."
    assert f"  process    {state['pid']}" in rows
    assert f"             codex s1 in {home / 'shop'}" in rows


def test_hooks_leave_only_the_first_session_of_a_run_to_it(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = home / "state"
    for name, value in proxy_environ("codex").items():
        monkeypatch.setenv(name, value)
    ttsr_ls(capsys, "install", "codex")
    rule = "---\ncondition: old\nscope: tool:bash\n---\nUse new.\n"
    (home / "shop" / ".omp" / "rules" / "no-old.md").write_text(rule)

    def begins(session: str, source: str) -> None:
        data = json.dumps({"session_id": session, "source": source}).encode()
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data), isatty=lambda: False))
        assert json.loads(ttsr_ls(capsys, "hooks", "ensure").out) == {}

    def answer(session: str) -> str:
        call = {"session_id": session, "cwd": str(home / "shop"), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
        script = state / "ttsr-ls" / "hooks" / "ttsr-hook"
        data = json.dumps({**call, "tool_input": {"command": "old"}, "tool_use_id": "c"})
        return subprocess.run([script, "codex"], input=data, capture_output=True, text=True, check=True).stdout

    begins("own", "startup")
    begins("nested", "startup")
    begins("cleared", "clear")
    begins("own", "resume")
    assert [is_proxied(state, "codex", each) for each in ("own", "nested", "cleared")] == [True, False, True]
    assert [json.loads(answer(each)) for each in ("own", "cleared")] == [{}, {}]
    assert "Use new." in answer("nested")
    # In another run, it may be the session that the run enforces.
    monkeypatch.setenv("TTSR_LS_PROXY_RUN", "another")
    begins("nested", "resume")
    assert json.loads(answer("nested")) == {}
