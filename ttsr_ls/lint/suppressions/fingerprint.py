"""Identifiers of findings that stay the same when the lines around them move.

Derived from the code and the line of the finding; findings that agree in both are numbered. Independent of the file's
name, of line numbers, and of the wording of messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

from ttsr_ls.lint.finding import Finding
from ttsr_ls.text import Encoding, LineIndex

_LENGTH = 16


def fingerprints(index: LineIndex, findings: Iterable[Finding]) -> tuple[str, ...]:
    """Returns the fingerprints of the findings of a file, in order, all distinct."""
    seen: Counter[str] = Counter()
    digests = []
    # Very many findings can be on one line.
    lines: dict[int, str] = {}
    for finding in findings:
        number = index.position(finding.span.start, Encoding.UTF32).line
        if number not in lines:
            lines[number] = " ".join(index.line_text(number).split())
        source = lines[number]
        base = sha256(f"{finding.code}\0{source}".encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]
        seen[base] += 1
        digests.append(f"{base}:{seen[base]}")
    return tuple(digests)
