"""The complete analysis of one version of a rule document. Pure, and the expensive part of every keystroke."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from msgspec import Struct, field

from ttsr_ls.checkpoint import checkpoint, with_checkpoints
from ttsr_ls.ide.documents import Document
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file, keeps_triggers
from ttsr_ls.lint.finding import Finding
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile


class Analysis(Struct, frozen=True, eq=False):
    """A parsed document, and its findings in the environment `context`."""

    document: Document
    file: RuleFile
    findings: tuple[Finding, ...]
    context: LintContext = field(default_factory=LintContext)

    def check(self, text: str) -> tuple[Finding, ...]:
        """Returns the findings of the document with this text."""
        if text == self.document.text:
            return self.findings
        return check_file(read_rule(text, name=self.file.name, path=self.file.path), self.context)

    def keeps_triggers(self, before: str, after: str) -> bool:
        """Returns whether the rule with the text `after` fires wherever the rule with the text `before` does."""
        file = read_rule(before, name=self.file.name, path=self.file.path)
        return keeps_triggers(file, after, self.context)

    @property
    def identity(self) -> str:
        """A digest of the findings and of the text: the result id of the diagnostics of the document.

        The text is included because an editor moves displayed findings with its edits, so that the same findings must
        be sent again for another text.
        """
        digest = blake2b(digest_size=12)
        for finding in with_checkpoints(self.findings):
            digest.update(repr(finding).encode("utf-8", "surrogatepass"))
        digest.update(f"\0{self.document.text}".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


# An editor sends several requests for each version of a document. Few, as hostile files have large trees.
@lru_cache(4)
def read_document(document: Document) -> RuleFile:
    """The rule file of a document. Cached."""
    return read_rule(document.text, name=document.rule_name, path=document.path)


def analyse(document: Document, context: LintContext) -> Analysis:
    """Reads and checks a document. Never raises, whatever the document contains."""
    checkpoint()
    file = read_document(document)
    return Analysis(document, file, check_file(file, context), context)
