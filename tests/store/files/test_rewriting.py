"""Files are rewritten with their encoding, atomically, and never through a link."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from ttsr_ls.store.files.rewriting import NotRewrittenError, encode_like, rewrite_file
from ttsr_ls.syntax.reader import decode


@pytest.mark.parametrize(
    "data",
    [b"", b"caf\xc3\xa9\r\n", b"\xef\xbb\xbfabc\n", b"\xff\xfea\x00\xe9\x00\n\x00", "😀\r".encode()],
)
def test_rewriting_keeps_encoding_and_byte_order_mark(data: bytes) -> None:
    text, _ = decode(data)
    assert encode_like(text, data) == data


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o755])
def test_rewriting_keeps_the_mode(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "rule.md"
    path.write_bytes(b"old")
    path.chmod(mode)
    rewrite_file(path, b"old", b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert list(tmp_path.iterdir()) == [path]


def test_rewriting_refuses_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.md", tmp_path / "link.md"
    target.write_bytes(b"old")
    link.symlink_to(target)
    with pytest.raises(NotRewrittenError, match="it is a link"):
        rewrite_file(link, b"old", b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"old"


def test_rewriting_refuses_a_file_that_changed_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "rule.md"
    path.write_bytes(b"somebody else's")
    with pytest.raises(NotRewrittenError, match="somebody else has changed it"):
        rewrite_file(path, b"old", b"new")
    assert path.read_bytes() == b"somebody else's"


def test_rewriting_does_not_create_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(NotRewrittenError, match="No such file"):
        rewrite_file(tmp_path / "rule.md", b"old", b"new")
    assert not list(tmp_path.iterdir())


def test_rewriting_refuses_a_read_only_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rule.md"
    path.write_bytes(b"old")
    # Root may write any file, so the answer of the operating system is replaced.
    monkeypatch.setattr("ttsr_ls.store.files.rewriting.os.access", lambda path, mode: False)
    with pytest.raises(NotRewrittenError, match="read-only"):
        rewrite_file(path, b"old", b"new")
    assert path.read_bytes() == b"old"


def test_a_failed_rewrite_keeps_the_file_and_leaves_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rule.md"
    path.write_bytes(b"old")

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(NotRewrittenError, match="No space left"):
        rewrite_file(path, b"old", b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
