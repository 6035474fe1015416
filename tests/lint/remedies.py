"""Which findings have deliberately no fix, though their message says what to do.

A message that tells to do something with text that it names has a fix. Each row is a code, a part of its messages
(empty: all of them), and the reason why no edit can do what the message says.
"""

from __future__ import annotations

import re

from tests.lint.case_files import CASES, findings_of, read_cases
from tests.lint.finding_page import parse_page
from ttsr_ls.lint.catalogue import CATALOGUE
from ttsr_ls.lint.finding import Finding

MECHANICAL = re.compile(
    r"\b(?:did you mean|is `[^`]+` meant"
    r"|(?:add|remove|delete|close|rename|replace|quote|write|put|move|leave out|separate)\b)",
    re.IGNORECASE,
)
"""Words of messages that name a remedy."""

_CHOICE = "there are several ways to say what is meant, and only the author knows which"
_WORDS = "the text to write is the author's own"
_FILE = "a file has to be moved or renamed, which no edit of its text does"
_FORM = "the pattern stands where no part of it can be replaced alone: in a block, between escapes, or over lines"
_SEVERAL = "several keys or rules have to be written anew"
_LAST = "it is the only one of its kind, and nothing would be left"
_WEAKER = "the text that the message names is an example: as it stands, the rule would match something else"

NO_FIX: tuple[tuple[str, str, str], ...] = (
    ("anchor-without-multiline", "", _FORM),
    ("ast-foreign-syntax", "is an ordinary name in an AST pattern", _WEAKER),
    ("ast-matches-everything", "", _WORDS),
    ("ast-read-otherwise", "", _CHOICE),
    ("ast-several-nodes", "", _CHOICE),
    ("bare-word-tool", "With `globs`, that would never fire either", _CHOICE),
    ("boundary-beside-punctuation", "", _CHOICE),
    ("comment-removed", "", _WORDS),
    ("doubled-backslash", "", _CHOICE),
    ("duplicate-name", "", _FILE),
    ("empty-body", "", _WORDS),
    ("untouched-template", "", _WORDS),
    ("empty-value", "Write the files that the rule applies to, or remove the key", _CHOICE),
    ("end-sensitive-condition", "", _WEAKER),
    ("file-glob", "", "nothing is wrong: it only says what the glob stands for"),
    ("folded-list", "", _CHOICE),
    ("foreign-regex-syntax", "", _CHOICE),
    ("frontmatter-not-recognised", "", "where the keys begin and end is not certain"),
    ("glob-shorthand", "If that is intended", _SEVERAL),
    ("glob-without-paths", "Remove the token", _LAST),
    ("half-globstar", "", _CHOICE),
    ("hookify-ignored-pattern", "", _SEVERAL),
    ("hookify-misses-calls", "", _SEVERAL),
    ("hookify-never-matches", "", _SEVERAL),
    ("hookify-pattern-kind", "", _SEVERAL),
    ("hookify-skipped-line", "", _SEVERAL),
    ("hookify-value", "", _SEVERAL),
    (
        "ineffective-lookaround",
        "",
        "the condition would depend on what follows the text, which is a finding of its own",
    ),
    ("invalid-configuration", "", _WORDS),
    ("invalid-rule-test", "There are no cases", _WORDS),
    ("invalid-rule-test", "has no aliases", "the value may have many lines, in any form of YAML"),
    ("invalid-rule-test", "is one YAML document", "the documents that follow may have cases to keep"),
    ("invalid-scope-token", "have no wildcards", _CHOICE),
    ("invalid-suppression", "", _WORDS),
    ("invisible-character", "This line end is a part of the pattern", _FORM),
    ("ineffective-globs", "", _CHOICE),
    ("key-in-body", "", "the value takes several lines, which may be prose as well"),
    ("matches-everything", "", _WORDS),
    ("never-in-json", "", _CHOICE),
    ("never-in-prompt", "", _WORDS),
    ("no-alternative", "", _WORDS),
    ("no-trigger", "", _WORDS),
    ("not-discovered", "", _FILE),
    ("path-in-content", "", _SEVERAL),
    ("pi-not-a-number", "", _WORDS),
    ("pi-unicode-flag", "", "the pattern may be in the syntax that the flag is for"),
    ("polynomial-backtracking", "", _WEAKER),
    ("redundant-alternative", "", _FORM),
    ("redundant-class-member", "", _FORM),
    ("regex-does-not-compile", "", _CHOICE),
    ("replaces-builtin", "", _FILE),
    ("shadowed-name", "", _FILE),
    ("split-character", "", "a class that excludes cannot be written as alternatives"),
    ("subsumed-condition", "", "it is no item of a list that could go alone, or another one that it covers goes first"),
    ("trimmed-blank", "", _FORM),
    ("truncated-value", "", _CHOICE),
    ("unknown-tool", "is a server without a tool", _WORDS),
    ("unmatchable-glob", "", _WORDS),
    ("unmatchable-part", "", _FORM),
    ("words-in-class", "", "a lookahead excludes words and matches no character, as the class does"),
    ("wrong-value-type", "", _WORDS),
    ("yaml-degraded", "", "the quote may belong to the text"),
    ("unknown-key", "a map is ignored", _WORDS),
)


def corpus() -> list[Finding]:
    """The findings of all cases, and of the bad examples of all pages."""
    texts = [
        [(case_text.path, case_text.text) for case_text in case.texts]
        for path in sorted(CASES.glob("*.md"))
        for case in read_cases(path.read_text(encoding="utf-8"))
    ]
    texts += [[(example.path, example.text) for example in parse_page(entry.page).bad] for entry in CATALOGUE]
    return [finding for group in texts if group for findings in findings_of(group) for finding in findings]


def reason_of(finding: Finding) -> str | None:
    """Why a finding has no fix; None where the table has no reason."""
    rows = (row for row in NO_FIX if row[0] == finding.code and row[1] in finding.message)
    return next((reason for _, _, reason in rows), None)
