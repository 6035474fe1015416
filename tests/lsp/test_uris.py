"""URIs and paths, there and back."""

from __future__ import annotations

import pytest

from ttsr_ls.file_uri import file_uri
from ttsr_ls.lsp.uris import is_file, path_of


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b.md", "/a/b.md"),
        ("file:///a%20b/c%23d%3Fe.md", "/a b/c#d?e.md"),
        ("file:///a;b/c;d.md", "/a;b/c;d.md"),
        ("file:///%C3%A4/%F0%9F%98%80.md", "/ä/😀.md"),
        ("file://server/share/a.md", "//server/share/a.md"),
        ("file:///c%3A/a.md", "c:/a.md"),
        ("file:///C:/a.md", "c:/a.md"),
        ("untitled:Untitled-1", "Untitled-1"),
        ("vscode-vfs://github/o/r/a.md", "/o/r/a.md"),
        ("file://[broken/a.md", "file://[broken/a.md"),
        ("", ""),
    ],
)
def test_the_path_of_a_uri(uri: str, path: str) -> None:
    assert path_of(uri) == path


@pytest.mark.parametrize(
    "path", ["/a/b.md", "/a b/c#d?e;f.md", "/ä/😀.md", "/a\udcff/b.md", "//server/share/a.md", "c:/a.md"]
)
def test_a_path_is_restored_from_its_uri(path: str) -> None:
    uri = file_uri(path)
    assert is_file(uri)
    assert path_of(uri) == path
    assert uri.isascii()


def test_an_invalid_path_has_a_uri() -> None:
    assert file_uri("/a/half\ud83d.md") == "file:///a/half%3F.md"
