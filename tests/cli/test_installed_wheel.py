"""The data of an installed wheel: the manual with the pages of all findings, and the rules."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ttsr_ls.lint.catalogue import CATALOGUE

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that a wheel of this checkout installs."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def printed(installed: Path, *arguments: str) -> str:
    """The output of the installed program, outside of the checkout."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-m", "ttsr_ls", *arguments]
    process = subprocess.run(
        command, cwd=installed.parent, env=environment, check=True, capture_output=True, text=True, timeout=60
    )
    return process.stdout


def links(page: Path) -> list[Path]:
    return [page.parent / link for link in re.findall(r"\]\(([\w./-]+\.md)[)#]", page.read_text("utf-8"))]


def test_each_page_is_installed_and_each_of_its_links_opens(installed: Path) -> None:
    pages = [installed / "ttsr_ls" / "shipped_docs" / "findings" / f"{entry.code}.md" for entry in CATALOGUE]
    assert all(links(page) for page in pages)
    assert not [target for page in pages for target in links(page) if not target.is_file()]


def test_explain_shows_addresses_of_installed_files(installed: Path) -> None:
    manual = installed / "ttsr_ls" / "shipped_docs"
    found = printed(installed, "explain", "glob-shorthand")
    assert f"More: [How rule files are read]({(manual / 'spec' / 'rules.md').as_uri()})." in found


def test_the_shipped_rules_are_installed(installed: Path) -> None:
    shipped = sorted(path.name for path in (ROOT / "rules").glob("*.md"))
    assert sorted(path.name for path in (installed / "ttsr_ls" / "shipped_rules").glob("*.md")) == shipped
