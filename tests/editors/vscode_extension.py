"""The extension for VS Code and the probe, built and installed. Both are kept in pytest's cache as long as they fit."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.editors.probed import PATIENCE, ROOT

EXTENSION = ROOT / "editors" / "vscode"
PACKAGE = EXTENSION / "ttsr-ls.vsix"
_PROBE = Path(__file__).parent / "probe"
# What goes into the package: the extension, and in it the server's wheel and a picture.
_SOURCES = ("editors/vscode", "ttsr_ls", "docs", "rules", "pyproject.toml", "README.md", "LICENSE")


def build_extension(cache: Path) -> None:
    """Builds the extension's package, with what npm gives, unless the one that is there is of these sources.

    `cache` is a folder that stays from one run to the next.
    """
    with _locked(cache):
        installed = EXTENSION / "node_modules" / ".package-lock.json"
        if not installed.exists() or installed.stat().st_mtime < (EXTENSION / "package-lock.json").stat().st_mtime:
            _npm("ci", "--no-audit", "--no-fund")
        kept = cache / "built.json"
        sources = _hash_of(_source_files())
        if _built(kept) != [sources, _hash_of(_products())]:
            kept.unlink(missing_ok=True)
            _npm("run", "package")
            kept.write_text(json.dumps([sources, _hash_of(_products())]))


def installed_extensions(cache: Path, code_server: str) -> Path:
    """A folder of extensions for `code_server` with the extension and the probe installed."""
    with _locked(cache):
        program = Path(os.path.realpath(code_server))
        key = _hash_of([PACKAGE, program, _PROBE / "package.json", _PROBE / "probe.js"])
        folder = cache / f"extensions-{key[:16]}"
        if not folder.exists():
            for old in cache.glob("extensions-*"):
                shutil.rmtree(old)
            making = cache / "extensions-new"
            for package in (PACKAGE, _probe_package(cache)):
                command = [code_server, "--user-data-dir", str(cache / "extensions-user")]
                command += ["--extensions-dir", str(making), "--install-extension", str(package)]
                subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
            # Where each extension is stands in a list beside them.
            listed = making / "extensions.json"
            listed.write_text(listed.read_text().replace(str(making), str(folder)))
            making.rename(folder)
        return folder


@contextmanager
def _locked(cache: Path) -> Iterator[None]:
    """Keeps the other processes of this test run, and other runs, out."""
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _built(kept: Path) -> object:
    try:
        return json.loads(kept.read_text())
    except (OSError, ValueError):
        return None


def _source_files() -> list[Path]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *_SOURCES]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode()
    return [ROOT / name for name in sorted(listed.split("\0")) if name]


def _products() -> list[Path]:
    return [PACKAGE, *(EXTENSION / "server").glob("*")]


def _hash_of(files: Iterable[Path]) -> str:
    """A hash of the paths and of what is in the files; a file that is not there counts as that."""
    found_hash = hashlib.sha256()
    for file in files:
        data = file.read_bytes() if file.is_file() else b""
        found_hash.update(f"{file}\0{file.is_file()}\0{len(data)}\0".encode() + data)
    return found_hash.hexdigest()


def _npm(*arguments: str) -> None:
    done = subprocess.run(["npm", *arguments], cwd=EXTENSION, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


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
            archive.write(_PROBE / name, f"extension/{name}")
    return package
