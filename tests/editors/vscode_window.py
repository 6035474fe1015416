"""A real VS Code: code-server with our extension and a probe in it, shown in a headless Chromium."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.editors.probed import PATIENCE, ROOT, Editor, process

EXTENSION = ROOT / "editors" / "vscode"
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
}


# The bar at the top says nothing but the name of the program.
BELOW_THE_TITLE = {"x": 0, "y": 30, "width": 1200, "height": 610}
# What only a VS Code in a browser has.
NOT_SHOWN = '[id="status.forwardedPorts"], .statusbar-item[aria-label*="Layout"] { display: none !important; }'


class Window(Editor):
    """A window of VS Code: spoken to through the probe, looked at through the browser."""

    def __init__(self, connection: socket.socket, browser: subprocess.Popen[str]) -> None:
        super().__init__(connection)
        self._browser = browser

    def look(self, command: str, **given: Any) -> Any:
        """Has the browser do something; returns what it says of it."""
        assert self._browser.stdin is not None
        self._browser.stdin.write(json.dumps({"command": command, **given}) + "\n")
        self._browser.stdin.flush()
        return _expect_ok(self._browser).get("answer")


@contextmanager
def open_window(folder: Path, scratch: Path, environment: dict[str, str], program: Path | None) -> Iterator[Window]:
    """A window on a folder, with `program` as `ttsr-ls`; None: the extension finds one.

    `scratch` takes what VS Code and the browser write.
    """
    code_server = os.environ["TTSR_CODE_SERVER"]
    user, extensions = scratch / "user", scratch / "extensions"
    # Where a program lies is a setting of the machine, which in a browser is another than the person's.
    for name, settings in (("User", SETTINGS), ("Machine", {"ttsr.path": str(program)} if program else {})):
        (user / name).mkdir(parents=True)
        (user / name / "settings.json").write_text(json.dumps(settings))
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        listener.settimeout(PATIENCE)
        probe = {"TTSR_PROBE_PORT": str(listener.getsockname()[1]), "EXTENSIONS_GALLERY": "{}"}
        environment = {**os.environ, **environment, **probe}
        environment.pop("PORT", None)
        places = ["--user-data-dir", str(user), "--extensions-dir", str(extensions)]
        for package in (_package(), _probe_package(scratch)):
            install = [code_server, *places, "--install-extension", str(package)]
            subprocess.run(install, env=environment, check=True, capture_output=True, timeout=PATIENCE)
        address = stack.enter_context(_code_server(code_server, places, scratch, environment))
        page = f"{address}/?folder={folder}"
        browser = stack.enter_context(_chromium(page, scratch / "profile"))
        connection, _ = listener.accept()
        stack.callback(connection.close)
        yield Window(connection, browser)


def build_extension() -> None:
    """Builds the extension's package, with what npm gives."""
    with (EXTENSION / "package-lock.json").open() as lock:
        # Another process of the same test run may be at it.
        fcntl.flock(lock, fcntl.LOCK_EX)
        installed = EXTENSION / "node_modules" / ".package-lock.json"
        if not installed.exists() or installed.stat().st_mtime < (EXTENSION / "package-lock.json").stat().st_mtime:
            _npm("ci", "--no-audit", "--no-fund")
        _npm("run", "package")


def _npm(*arguments: str) -> None:
    done = subprocess.run(["npm", *arguments], cwd=EXTENSION, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _package() -> Path:
    return EXTENSION / "ttsr-ls.vsix"


def _probe_package(scratch: Path) -> Path:
    """The probe as a package. One is a zip file with a manifest; nothing needs to be built."""
    package = scratch / "probe.vsix"
    manifest = (
        '<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">'
        '<Metadata><Identity Language="en-US" Id="ttsr-probe" Version="0.0.1" Publisher="ttsr-ls"/>'
        "<DisplayName>probe</DisplayName><Description>test only</Description></Metadata>"
        '<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>'
        '<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>'
        "</Assets></PackageManifest>"
    )
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("extension.vsixmanifest", manifest)
        for name in ("package.json", "probe.js"):
            archive.write(HERE / "probe" / name, f"extension/{name}")
    return package


@contextmanager
def _code_server(program: str, places: list[str], scratch: Path, environment: dict[str, str]) -> Iterator[str]:
    arguments = [
        *("--auth", "none", "--bind-addr", "127.0.0.1:0", "--config", str(scratch / "config.yaml")),
        *("--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"),
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
def _chromium(address: str, profile: Path) -> Iterator[subprocess.Popen[str]]:
    playwright = EXTENSION / "node_modules" / "playwright-core" / "index.js"
    chromium = os.environ.get("TTSR_CHROMIUM", "/usr/bin/chromium")
    command = ["node", str(HERE / "browser.mjs"), str(playwright), chromium, address, str(profile)]
    with process(command, dict(os.environ), profile.with_suffix(".log")) as browser:
        _expect_ok(browser)
        yield browser
        assert browser.stdin is not None
        browser.stdin.close()
        browser.wait(PATIENCE)


def _expect_ok(browser: subprocess.Popen[str]) -> dict[str, Any]:
    assert browser.stdout is not None
    line = browser.stdout.readline()
    assert line, "the browser went away"
    answer: dict[str, Any] = json.loads(line)
    assert answer["ok"], answer
    return answer
