"""The findings of one version of a file that is no rule: a test file, or the project's configuration."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from msgspec import Struct

from ttsr_ls.ide.documents import Document

if TYPE_CHECKING:
    from ttsr_ls.lint.finding import Finding


class FileAnalysis(Struct, frozen=True, eq=False):
    """The findings of a document. `identity` is a digest of the findings and the text."""

    document: Document
    findings: tuple[Finding, ...]
    identity: str

    @staticmethod
    def of(document: Document, findings: tuple[Finding, ...]) -> FileAnalysis:
        """The analysis with these findings."""
        text = f"{findings!r}\0{document.text}".encode("utf-8", "surrogatepass")
        return FileAnalysis(document, findings, blake2b(text, digest_size=12).hexdigest())
