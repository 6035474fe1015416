"""A real VS Code: code-server with our extension and a probe in it, shown in a headless Chromium."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.editors.probed import PATIENCE, Editor, process
from tests.editors.vscode_extension import EXTENSION, build_extension, installed_extensions

HERE = Path(__file__).parent

SETTINGS: dict[str, Any] = {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Dark Modern",
    "workbench.tips.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
    "editor.minimap.enabled": False,
    "editor.fontSize": 13,
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": False,
    "update.mode": "none",
    "git.enabled": False,
    "window.menuBarVisibility": "hidden",
    "window.commandCenter": False,
    "problems.autoReveal": False,
    # Else VS Code looks through the open files of all processes again and again.
    "remote.autoForwardPorts": False,
}

# Folders are not trusted, and nobody is asked about that when one is opened.
RESTRICTED: dict[str, Any] = {
    "security.workspace.trust.enabled": True,
    "security.workspace.trust.startupPrompt": "never",
    "security.workspace.trust.banner": "never",
}


# The bar at the top says nothing but the name of the program.
BELOW_THE_TITLE = {"x": 0, "y": 30, "width": 1200, "height": 610}
# What only a VS Code in a browser has.
NOT_SHOWN = '[id="status.forwardedPorts"], .statusbar-item[aria-label*="Layout"] { display: none !important; }'


def until(is_so: Callable[[], object]) -> None:
    """Waits for something that no message tells of."""
    limit = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < limit
        time.sleep(0.1)


class Window(Editor):
    """A window of VS Code: spoken to through the probe, looked at through the browser."""

    def __init__(self, connection: socket.socket, browser: subprocess.Popen[str]) -> None:
        super().__init__(connection)
        self._browser = browser

    def look(self, command: str, **given: Any) -> Any:
        """Has the browser do something; returns what it says of it."""
        return _ask(self._browser, command, **given)


class VsCode:
    """A VS Code with its browser, which shows one folder after another: each start of both takes seconds."""

    def __init__(self, address: str, listener: socket.socket, browser: subprocess.Popen[str], user: Path) -> None:
        self._address = address
        self._user = user
        self._listener = listener
        self._browser = browser
        self._shown: tuple[Path, Window] | None = None
        self._connection: socket.socket | None = None

    def window(self, folder: Path) -> Window:
        """The window of a folder: the one that is open, or a new one, which takes the place of that of another."""
        if self._shown is None or self._shown[0] != folder:
            self.close()
            _ask(self._browser, "open", address=f"{self._address}/?folder={folder}")
            self._connection, _ = self._listener.accept()
            self._shown = folder, Window(self._connection, self._browser)
        return self._shown[1]

    def shows(self, folder: Path) -> bool:
        """Whether the window of a folder is open."""
        return self._shown is not None and self._shown[0] == folder

    def extension_log(self) -> str:
        """The log of our extension in the newest window."""
        logs = (self._user / "logs").rglob("ttsr-ls.ttsr-ls/TTSR.log")
        return max(logs, key=lambda log: log.stat().st_mtime_ns).read_text()

    def close(self) -> None:
        """Leaves the window; the next one is new, whatever became of this."""
        self._shown = None
        if self._connection is not None:
            self._connection.close()


@contextmanager
def open_vscode(
    cache: Path,
    scratch: Path,
    environment: dict[str, str],
    program: Path | None,
    *,
    is_restricted: bool = False,
    models: Sequence[dict[str, Any]] = (),
) -> Iterator[VsCode]:
    """A VS Code with `program` as `ttsr-ls`; None: the extension finds one. `is_restricted`: it trusts no folder.

    `models` are providers of models for its chat, as in `chatLanguageModels.json`. `scratch` takes what VS Code and the
    browser write; `cache` is that of `build_extension`.
    """
    code_server = os.environ["TTSR_CODE_SERVER"]
    build_extension(cache)
    user = scratch / "user"
    # Where a program lies is a setting of the machine, which in a browser is another than the person's.
    people = {**SETTINGS, **(RESTRICTED if is_restricted else {})}
    for name, settings in (("User", people), ("Machine", {"ttsr.path": str(program)} if program else {})):
        (user / name).mkdir(parents=True)
        (user / name / "settings.json").write_text(json.dumps(settings))
    (user / "User" / "chatLanguageModels.json").write_text(json.dumps(models))
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        listener.settimeout(PATIENCE)
        probe = {"TTSR_PROBE_PORT": str(listener.getsockname()[1]), "EXTENSIONS_GALLERY": "{}"}
        environment = {**os.environ, **environment, **probe}
        environment.pop("PORT", None)
        extensions = installed_extensions(cache, code_server)
        places = ["--user-data-dir", str(user), "--extensions-dir", str(extensions)]
        places += [] if is_restricted else ["--disable-workspace-trust"]
        address = stack.enter_context(_code_server(code_server, places, scratch, environment))
        browser = stack.enter_context(_chromium(scratch / "profile"))
        vscode = VsCode(address, listener, browser, user)
        stack.callback(vscode.close)
        yield vscode


@contextmanager
def _code_server(program: str, places: list[str], scratch: Path, environment: dict[str, str]) -> Iterator[str]:
    arguments = [
        *("--auth", "none", "--bind-addr", "127.0.0.1:0", "--config", str(scratch / "config.yaml")),
        *("--disable-telemetry", "--disable-update-check"),
        "--disable-getting-started-override",
    ]
    (scratch / "config.yaml").write_text("")
    with process([program, *places, *arguments], environment, scratch / "code-server.log") as server:
        assert server.stdout is not None
        for line in server.stdout:
            if "listening on http" in line:
                yield line.rsplit(" on ", 1)[1].strip().rstrip("/")
                return
        raise AssertionError("code-server did not start")


@contextmanager
def _chromium(profile: Path) -> Iterator[subprocess.Popen[str]]:
    playwright = EXTENSION / "node_modules" / "playwright-core" / "index.js"
    chromium = os.environ.get("TTSR_CHROMIUM", "/usr/bin/chromium")
    command = ["node", str(HERE / "browser.mjs"), str(playwright), chromium, str(profile)]
    with process(command, dict(os.environ), profile.with_suffix(".log")) as browser:
        yield browser
        assert browser.stdin is not None
        browser.stdin.close()
        browser.wait(PATIENCE)


def _ask(browser: subprocess.Popen[str], command: str, **given: Any) -> Any:
    assert browser.stdin is not None
    assert browser.stdout is not None
    browser.stdin.write(json.dumps({"command": command, **given}) + "\n")
    browser.stdin.flush()
    line = browser.stdout.readline()
    assert line, "the browser went away"
    answer: dict[str, Any] = json.loads(line)
    assert answer["ok"], f"{answer['error']}\nThe window shows:\n{answer['shown']}"
    return answer.get("answer")
