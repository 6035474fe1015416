"""A name for a finding that stays the same while the lines around it move.

Made of the code and of what is written on the line where the finding begins; findings that agree in both are counted.
It does not depend on the file's name, on line numbers, or on the wording of messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

from ttsr_ls.lint.finding import Finding
from ttsr_ls.text import Encoding, LineIndex

_LENGTH = 16


def fingerprints(index: LineIndex, findings: Iterable[Finding]) -> tuple[str, ...]:
    """The fingerprints of the findings of a file, in their order; no two are the same."""
    seen: Counter[str] = Counter()
    found = []
    # Very many findings can be on one line.
    lines: dict[int, str] = {}
    for finding in findings:
        number = index.position(finding.span.start, Encoding.UTF32).line
        if number not in lines:
            line = index.line_span(number)
            lines[number] = " ".join(index.text[line.start : line.end].split())
        written = lines[number]
        base = sha256(f"{finding.code}\0{written}".encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]
        seen[base] += 1
        found.append(f"{base}:{seen[base]}")
    return tuple(found)
