"""No message repeats a character of a hostile file that a terminal would obey: controls, lone surrogates."""

from __future__ import annotations

import pytest

from tests.lint.case_files import findings_of

HOSTILE = ["\x1b[31m", "\x07", "\u202e", "\ud83d", "\U0001f600", "\x9b", "\u2028"]
FILES = [
    "---\nscoop: '{0}'\ncondition: '{0}(?=x)y\\b'\n---\nSay so.\n",
    '---\ncondition: "[{0}]+[{0}]+$"\nsco{0}pe: te{0}xt\n---\nSay so.\n',
    "---\ncondition: foo {0} #{0}\nscope: tool:e{0}dit, {0}\n---\nSay so.\n",
    "---\ncondition: '(?:{0}|{0})*{0}|\\b{0}'\nagents: a{0}\n{0}: b\n---\nSay so.\n",
    "---\ncondition: '(a{0}*)*b(?!{0})c'\ninterruptMode: x{0}\nglobs: './{0}'\n---\nSay so.\n",
    "---\ncondition: ['TODO{0} | FIXME', '/{0} x/', '{0}\\\\.a', '[{0}a-Z]']\n---\nSay {0} so.\n",
]


@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
@pytest.mark.parametrize("file", FILES)
def test_messages_are_printable(file: str, hostile: str) -> None:
    (findings,) = findings_of([(".omp/rules/rule.md", file.replace("{0}", hostile))])
    assert findings
    for finding in findings:
        texts = [
            finding.message,
            *(fix.title for fix in finding.fixes),
            *(location.message for location in finding.related),
        ]
        for text in texts:
            assert not any(char in text for char in "\x1b\x07\u202e\x9b\u2028\n"), finding
            text.encode()  # A lone surrogate cannot be encoded.
