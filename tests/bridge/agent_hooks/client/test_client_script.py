"""The client script sends the input of a hook to the server, and prints the answer, with Perl and with `curl`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from types import MappingProxyType

import pytest

from ttsr_ls.bridge.agent_hooks.client.client_script import client_script
from ttsr_ls.bridge.agent_hooks.client.perl_request import PERL

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the script is for sh")
CLIENTS = [
    pytest.param(PERL, marks=pytest.mark.skipif(not os.access(PERL, os.X_OK), reason="there is no Perl")),
    pytest.param(None, marks=pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")),
    "/usr/bin/no-such-perl",
    "/bin/false",
]
AUTHORIZATION = "Bearer it's"
OFF = "the hook server does not answer, so rules are off"


class Server(HTTPServer):
    """Records one request after the other, and answers each with `answer` and `status`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.answer, self.status, self.missing = b'{"x": "\xc3\xa9"}', 200, 0


class Handler(BaseHTTPRequestHandler):
    """`Server.missing` is the number of bytes of the answer that do not come."""

    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, dict(self.headers.items()), body))
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(self.server.answer) + self.server.missing))
        self.end_headers()
        self.wfile.write(self.server.answer)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as made:
        thread = Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def run(
    folder: Path,
    url: str,
    perl: str | None,
    *arguments: str,
    text: bytes = b"{}",
    environ: Mapping[str, str] = MappingProxyType({}),
    seconds: int = 60,
) -> subprocess.CompletedProcess[bytes]:
    script = folder / "it's a ttsr-hook"
    script.write_text(client_script(url, AUTHORIZATION, perl, seconds))
    return subprocess.run(
        ["sh", str(script), *arguments], input=text, capture_output=True, env={**os.environ, **environ}
    )


def url_of(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}"


@pytest.mark.parametrize("perl", CLIENTS)
@pytest.mark.parametrize(("mode", "denies"), [((), False), (("closed",), True)])
def test_the_input_arrives_unchanged_and_the_answer_is_printed(
    tmp_path: Path, server: Server, perl: str | None, mode: tuple[str, ...], denies: bool
) -> None:
    for text in (b"{}", b"", "{\r\n\r\n'é\ud83d'}\n\n".encode("utf-8", "surrogatepass"), b"\x00\xff" * 600_000):
        ran = run(tmp_path, url_of(server), perl, "codex", *mode, text=text)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, server.answer + b"\n", b"")
        path, headers, body = server.requests.pop()
        assert (path, headers["Authorization"], body == text) == ("/codex", AUTHORIZATION, True)
        assert ("Ttsr-Ls-On-Failure" in headers) == denies


@pytest.mark.parametrize("perl", CLIENTS[:2])
@pytest.mark.parametrize(("status", "missing"), [(500, 0), (403, 0), (200, 1)])
def test_an_answer_that_is_no_verdict_is_reported(
    tmp_path: Path, server: Server, perl: str | None, status: int, missing: int
) -> None:
    server.status, server.missing = status, missing
    ran = run(tmp_path, url_of(server), perl, "codex")
    assert OFF in json.loads(ran.stdout)["systemMessage"]
    assert len(server.requests) == 1
    closed = run(tmp_path, url_of(server), perl, "codex", "closed")
    assert (closed.returncode, closed.stdout) == (2, b"")
    assert b"this call was not checked" in closed.stderr


@pytest.mark.parametrize("perl", CLIENTS[:2])
def test_a_server_that_accepts_the_call_and_does_not_answer_is_reported(tmp_path: Path, perl: str | None) -> None:
    with Server() as silent:  # Nobody serves its connections.
        ran = run(tmp_path, url_of(silent), perl, "codex", text=b"x" * 10_000_000, seconds=1)
    assert OFF in json.loads(ran.stdout)["systemMessage"]


@pytest.mark.parametrize("perl", CLIENTS[:2])
def test_settings_of_the_user_do_not_change_the_answer(tmp_path: Path, server: Server, perl: str | None) -> None:
    (tmp_path / ".curlrc").write_text("include\n")
    environ = {
        "HOME": str(tmp_path),
        "PERL5OPT": "-MNoSuchModule",
        "PERL_UNICODE": "SDA",
        "LC_ALL": "xx_XX.UTF-8",
        "http_proxy": "http://127.0.0.1:1",
    }
    ran = run(tmp_path, url_of(server), perl, "codex", text="é".encode(), environ=environ)
    assert (ran.stdout, ran.stderr) == (server.answer + b"\n", b"")
    assert server.requests[0][2] == "é".encode()
