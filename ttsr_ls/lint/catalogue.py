"""The table of finding codes, with severity, summary, and the title and safety of the fix.

Everything that mentions codes (findings, pages, `explain`, the documentation, editors) uses this table. It must not
know how a finding is found.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from msgspec import Struct

from ttsr_ls.errors import UsageError
from ttsr_ls.file_uri import file_uri
from ttsr_ls.lint.finding import Safety, Severity
from ttsr_ls.lint.manual import MANUAL

_LINK = re.compile(r"(?<=\]\()[\w./-]+\.md(?=[)#])")


class CatalogueEntry(Struct, frozen=True):
    """One code.

    `summary` is one line without a full stop. `fix_title` names the fix, in the imperative; `fix_safety` says whether
    it keeps the author's meaning.
    """

    code: str
    severity: Severity
    summary: str
    fix_title: str
    fix_safety: Safety

    @property
    def page_name(self) -> str:
        """The path of the code's page in the manual, with `/` between its parts."""
        return f"findings/{self.code}.md"

    @property
    def page_path(self) -> Path:
        """The path of the code's installed page."""
        return MANUAL / self.page_name

    @property
    def page(self) -> str:
        """The page of the code, in Markdown."""
        return self.page_path.read_text(encoding="utf-8")

    @property
    def page_with_addresses(self) -> str:
        """The page with the addresses of installed files as links, for readers outside of its folder."""
        folder = self.page_path.parent
        return _LINK.sub(lambda link: file_uri(str((folder / link[0]).resolve())), self.page)

    @property
    def url(self) -> str:
        """The URI of the installed page, which opens without a network and matches the version."""
        return _page_url(self.code)


@cache  # Each diagnostic has a URI, at each keystroke, and paths are slow.
def _page_url(code: str) -> str:
    return file_uri(str(entry_of(code).page_path))


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO
_SAFE, _UNSAFE = Safety.SAFE, Safety.UNSAFE

# code, severity, summary, title and safety of its fix
_ROWS = (
    # The frontmatter as a whole
    ("frontmatter-not-recognised", _E, "The file has no frontmatter that an agent would see",
     "Repair the delimiter", _SAFE),
    ("yaml-degraded", _E, "The frontmatter is not valid YAML, so parts of it are lost", "Repair the YAML", _UNSAFE),
    ("comment-removed", _W, "An HTML comment is deleted before the rule is read", "Match it as text", _UNSAFE),
    ("tab-replaced", _W, "A tab in the frontmatter is replaced by two spaces", "Replace the tab", _SAFE),
    ("invalid-utf8", _W, "The file is not valid UTF-8", "Save the file as UTF-8", _UNSAFE),
    # Texts
    ("illegal-escape", _E, "A double-quoted text has an escape that YAML does not know", "Use single quotes", _SAFE),
    ("mutating-escape", _E, "A double-quoted text has an escape that YAML turns into another character",
     "Use single quotes", _SAFE),
    ("truncated-value", _E, "A value is cut off, or a part of it is read as something else",
     "Put all of it in single quotes", _UNSAFE),
    ("folded-list", _E, "Several items of a list are read as one text", "Write each item on a line of its own", _SAFE),
    ("literal-quotes", _E, "Quotes became part of a value", "Remove the extra quotes", _UNSAFE),
    # Keys and values
    ("unknown-key", _W, "Rules have no such key, so it has no effect", "Rename the key", _UNSAFE),
    ("duplicate-key", _W, "The key is given more than once; only the last one counts", "Remove this entry", _UNSAFE),
    ("legacy-key", _W, "The key is an old spelling of `condition`", "Rename the key to condition", _SAFE),
    ("inert-name", _I, "`name` has no effect: the file name is the rule's name", "Remove the name", _SAFE),
    ("wrong-value-type", _W, "The value has the wrong type", "Change the value", _UNSAFE),
    ("empty-value", _W, "A key that narrows the rule has no value, so it narrows nothing", "Remove the key", _UNSAFE),
    ("invalid-interrupt-mode", _E, "`interruptMode` has a value that does not exist",
     "Use a mode that exists", _UNSAFE),
    # Conditions
    ("regex-does-not-compile", _E, "A condition is not a valid regular expression",
     "Repair the pattern", _UNSAFE),
    ("matches-everything", _E, "A condition matches every text", "Make the pattern specific", _UNSAFE),
    ("trimmed-blank", _W, "Blanks at the ends of a quoted condition are removed before it is compiled",
     "Write the blank as a class", _UNSAFE),
    ("file-glob", _I, "A condition is a file glob, so the rule applies to edits of such files",
     "Name the files in the scope", _UNSAFE),
    ("glob-shorthand", _W, "A condition is read as a file glob, not as a regular expression",
     "Write it as a regular expression", _UNSAFE),
    ("end-sensitive-condition", _W, "A condition can fire on the beginning of a text that it does not match",
     "Include the deciding text in the match", _UNSAFE),
    ("redundant-condition", _W, "A condition is given more than once", "Remove the repeated condition", _SAFE),
    ("subsumed-condition", _I, "Another condition matches every text that this condition matches",
     "Remove the condition", _UNSAFE),
    # Parts of a pattern
    ("never-matches", _E, "No text can match the condition", "Fix the contradiction", _UNSAFE),
    ("unmatchable-part", _W, "A part of a condition can never match", "Remove the part", _UNSAFE),
    ("never-in-json", _W, "A condition matches nothing in the JSON form of a tool's arguments",
     "Write it for the JSON form", _UNSAFE),
    ("anchor-in-json", _W, "One `^` or `$` of a condition never matches in the JSON form of a tool's arguments",
     "Write the JSON text before the command", _UNSAFE),
    ("boundary-in-json", _I, "A condition misses words at the start of a later line of a tool's arguments",
     "Allow a JSON line end before the word", _SAFE),
    ("path-in-content", _W, "The condition expects a path, but only file content is matched",
     "Name the file in the scope", _UNSAFE),
    ("anchor-without-multiline", _W, "`^` matches at the start of the written text, not of each line",
     "Let ^ match at the start of each line", _UNSAFE),
    ("foreign-regex-syntax", _W, "A condition has syntax of another language that means something else here",
     "Write it in JavaScript's syntax", _UNSAFE),
    ("doubled-backslash", _W, "A condition has doubled backslashes, and nothing turns them into single ones",
     "Halve the backslashes", _UNSAFE),
    ("useless-escape", _I, "Unnecessary escape", "Remove the backslash", _SAFE),
    ("invisible-character", _W, "A condition contains an invisible character", "Write it as an escape", _SAFE),
    ("ascii-word-boundary", _W, "`\\b` stands next to a letter that is not a word character in JavaScript",
     "Write the allowed neighbours", _UNSAFE),
    ("boundary-beside-punctuation", _W,
     "`\\b` next to punctuation requires a word character on the other side", "Remove the \\b", _SAFE),
    ("ineffective-lookaround", _W, "A negative lookaround excludes nothing", "Move the lookaround", _UNSAFE),
    ("separator-in-pattern", _W, "The separators between alternatives are matched as text",
     "Separate them by | alone", _SAFE),
    ("empty-group", _W, "A group is empty, so its parentheses match nothing", "Match the parentheses", _UNSAFE),
    ("divided-lookahead", _W, "Only the first alternative of a lookahead searches the text",
     "Group the alternatives", _UNSAFE),
    ("split-character", _W, "A class or a quantifier applies to a half of a character, such as an emoji",
     "Write alternatives", _UNSAFE),
    ("suspicious-range", _W, "A range in a character class contains unexpected characters",
     "Write separate ranges", _UNSAFE),
    ("words-in-class", _W, "A character class contains words, but matches a single character",
     "Match one of the words", _UNSAFE),
    ("redundant-class-member", _I, "A character class contains the same characters twice", "Remove the member", _SAFE),
    ("redundant-alternative", _I, "An alternative matches only text that another one matches",
     "Remove the alternative", _SAFE),
    ("redundant-assertion", _I, "An assertion repeats the one before it", "Remove the assertion", _SAFE),
    ("useless-quantifier", _I, "A quantifier has no effect", "Remove the quantifier", _SAFE),
    # Matching time
    ("exponential-backtracking", _E, "Exponential backtracking: a short input can take forever",
     "Let the repeated parts exclude each other", _UNSAFE),
    ("polynomial-backtracking", _W, "The time to match a condition grows much faster than the text",
     "Let the repeated parts exclude each other", _UNSAFE),
    ("overlapping-repeats", _I, "Two repeats that follow each other can match the same run of characters",
     "Let only one of them match it", _UNSAFE),
    ("undecided-backtracking", _I, "A condition is too large for the analysis of its matching time",
     "Make the condition smaller", _UNSAFE),
    ("rescanning-condition", _I, "A condition begins with a repeat of any character, which only costs time",
     "Remove the repeat", _SAFE),
    # AST conditions
    ("ast-never-evaluated", _E, "The AST conditions are never evaluated: the rule applies to no file that is parsed",
     "Apply the rule to files that are parsed", _UNSAFE),
    ("ast-untried-language", _I, "The AST conditions are in a language that only oh-my-pi can parse",
     "Apply the rule to files that both can parse", _UNSAFE),
    ("ast-does-not-parse", _E, "An AST condition is not code of any language that the rule applies to",
     "Complete the pattern", _UNSAFE),
    ("ast-several-nodes", _E, "An AST condition consists of several nodes side by side, so it matches nothing",
     "Write one expression or statement", _UNSAFE),
    ("ast-read-otherwise", _W, "The pattern parses as a different construct",
     "Write it as a statement", _UNSAFE),
    ("ast-foreign-syntax", _W, "An AST condition contains symbols that have no meaning in AST patterns",
     "Write it in the syntax of AST patterns", _UNSAFE),
    ("ast-trailing-code", _W, "An AST condition ends with a token that the intended code does not have",
     "Remove the trailing token", _UNSAFE),
    ("ast-matches-everything", _E, "An AST condition matches every node", "Add the surrounding code", _UNSAFE),
    ("ast-small-metavariable", _W, "A metavariable that is not in capitals is an ordinary name",
     "Write it in capitals", _UNSAFE),
    ("ast-needs-whole", _I, "An AST condition needs more code than an edit usually writes",
     "Match the code inside", _UNSAFE),
    # Scope, globs, interruption
    ("invalid-scope-token", _E, "A scope token is invalid and is skipped", "Repair the scope token", _UNSAFE),
    ("unreachable-scope", _E, "No token of the scope is valid, so the rule is not registered",
     "Repair the scope", _UNSAFE),
    ("bare-word-tool", _W, "A bare word in the scope is read as the name of a tool",
     "Name the stream or tool that is meant", _UNSAFE),
    ("unknown-tool", _W, "A tool has a name that looks misspelt or out of date", "Use the tool's name", _UNSAFE),
    ("comma-in-glob", _E, "A glob has a comma outside of braces, so it matches no ordinary path",
     "Separate the globs", _SAFE),
    ("globs-on-prose", _E, "`globs` with a scope that has no file paths: the rule never fires",
     "Remove the globs", _UNSAFE),
    ("glob-without-paths", _E, "The scope requires a path, but calls of the tool have none",
     "Remove the path", _UNSAFE),
    ("disjoint-globs", _W, "`globs` excludes a path of the scope", "Keep one of the two", _UNSAFE),
    ("unmatchable-glob", _W, "The glob matches no path", "Write it as paths are written", _UNSAFE),
    ("half-globstar", _W, "`**` shares a path segment with other characters, so it means only `*`",
     "Make it a whole path segment", _UNSAFE),
    ("ineffective-negation", _W, "A negated glob excludes nothing", "Name the files to include", _UNSAFE),
    ("glob-case", _W, "A glob is written in a different case than the file names", "Use the case of the file names",
     _UNSAFE),
    ("thinking-not-in-scope", _I, "The scope of a rule about reasoning does not include thinking",
     "Add thinking to the scope", _UNSAFE),
    ("suspicious-agent", _W, "`agents` has a name that probably no agent has", "Use an agent's name", _UNSAFE),
    ("never-interrupts", _W, "`interruptMode` does not fit the scope, so the rule never interrupts",
     "Use another interruptMode", _UNSAFE),
    ("inert-interrupt-mode", _I, "`interruptMode` has no effect on a rule with a question", "Remove interruptMode",
     _UNSAFE),
    ("unasked-question", _I, "A setting of the project switches off the judge, so the question is never asked",
     "Change the setting", _UNSAFE),
    ("unfiltered-question", _W, "No valid condition filters the rule's question",
     "Correct a condition", _UNSAFE),
    # The rule as a whole
    ("empty-body", _E, "The rule has no body to inject and is dropped", "Write the rule's body", _UNSAFE),
    ("untouched-template", _I, "The condition or the body is still the text of the template", "Write it", _UNSAFE),
    ("key-in-body", _W, "A key stands below the frontmatter, so it has no effect", "Move the key", _UNSAFE),
    ("no-trigger", _W, "The rule has no valid trigger", "Add a condition", _UNSAFE),
    ("ineffective-always-apply", _I, "`alwaysApply` has no effect on a rule with a trigger",
     "Remove alwaysApply", _UNSAFE),
    ("matches-own-words", _I, "A condition matches the rule's own text", "Describe it in other words", _UNSAFE),
    ("matches-own-advice", _W, "A condition matches what its rule recommends", "Narrow the condition", _UNSAFE),
    ("bad-example-silent", _W, "The rule does not fire on a bad example in its body", "Widen the condition", _UNSAFE),
    ("good-example-fires", _W, "The rule fires on a good example in its body", "Narrow the condition", _UNSAFE),
    ("no-alternative", _I, "The rule forbids something without naming an alternative", "Name an alternative", _UNSAFE),
    ("duplicate-name", _W, "Another rule of the same folder has this name", "Rename the file", _UNSAFE),
    ("shadowed-name", _W, "A rule that is loaded first has this name", "Rename the file", _UNSAFE),
    ("not-discovered", _W, "No agent looks for rules in this place", "Move the file", _UNSAFE),
    ("replaces-builtin", _I, "The rule replaces one that is built into the agent", "Rename the file", _UNSAFE),
    ("builtin-not-disabled", _W, "`enabled: false` does not switch off the rule of this name that is built in",
     "List the name in ttsr.disabledRules", _UNSAFE),
    ("switched-off", _I, "A setting of the project switches the rule off", "Remove the name from the setting", _UNSAFE),
    # Dialects
    ("other-dialect-key", _W, "A key belongs to another program's rules and does nothing here",
     "Convert the rule", _UNSAFE),
    ("pi-missing-trigger", _E, "A pi-ttsr rule has no trigger", "Add a trigger", _UNSAFE),
    ("pi-invalid-flags", _E, "The flags of a pi-ttsr rule are not valid", "Change the flags", _UNSAFE),
    ("pi-unicode-flag", _I, "A pattern is in the syntax of the flag `u` or `v`, which ttsr-ls does not match",
     "Remove the flag", _UNSAFE),
    ("pi-stateful-flag", _W, "With `g` or `y` a pi-ttsr rule misses every other text", "Remove the flag", _SAFE),
    ("pi-invalid-scope", _W, "The scope of a pi-ttsr rule does not exist", "Use a scope that exists", _UNSAFE),
    ("pi-line-feed", _E, "A pattern requires a line end, but is matched on single lines", "Use scope: accumulated",
     _UNSAFE),
    ("pi-never-fires", _E, "With this `maxFirings`, a pi-ttsr rule never fires", "Let it fire once", _UNSAFE),
    ("pi-dead-cooldown", _W, "`cooldown` has no effect on a rule that fires once", "Remove the cooldown", _SAFE),
    ("pi-not-a-number", _W, "A value of a pi-ttsr rule is not a number, so it limits nothing",
     "Write a number", _UNSAFE),
    ("hookify-never-matches", _E, "A hookify rule never fires", "Change what keeps it from firing", _UNSAFE),
    ("hookify-misses-calls", _W, "A hookify rule misses calls that its event seems to include", "Use another field",
     _UNSAFE),
    ("hookify-skipped-line", _E, "hookify does not read a line of the frontmatter",
     "Indent the line as hookify needs it", _UNSAFE),
    ("hookify-value", _E, "hookify reads a value differently than YAML does", "Write the value as hookify reads it",
     _UNSAFE),
    ("hookify-pattern-kind", _W, "A pattern is written for another kind of comparison", "Use another operator",
     _UNSAFE),
    ("hookify-ignored-pattern", _E, "hookify ignores the `pattern` of a rule that has `conditions`",
     "Write the pattern as a condition", _UNSAFE),
    ("hookify-action", _E, "hookify does not carry out the rule's action", "Use an action that exists", _UNSAFE),
    ("hookify-raises", _E, "A value makes hookify raise an error, so it skips all rules of the event",
     "Change the value", _UNSAFE),
    ("ineffective-globs", _I, "Globs of a guidance rule have no effect", "Remove the globs", _UNSAFE),
    ("never-in-prompt", _W, "A guidance rule is never in the prompt, or not when its keys say",
     "Write when the rule applies", _UNSAFE),
    # Files of settings
    ("invalid-rule-test", _W, "A rule test has an unknown key or an invalid value", "Use the keys of the format",
     _UNSAFE),
    ("test-without-rule", _W, "A test file has no rule next to it", "Name the file after the rule", _UNSAFE),
    ("failing-rule-test", _W, "A rule test fails", "Change the rule or the test", _UNSAFE),
    ("broken-settings", _E, "A settings file cannot be read", "Repair the file", _UNSAFE),
    ("invalid-setting", _E, "A setting has a value of the wrong type", "Change the value", _UNSAFE),
    ("unknown-setting", _W, "There is no such setting, so the line has no effect", "Rename the setting", _UNSAFE),
    ("replaced-list", _I, "A list replaces a list in another settings file", "Add the missing entries", _UNSAFE),
    # The configuration of ttsr-ls, and comments to it
    ("invalid-configuration", _E, "The configuration of ttsr-ls is invalid, so all of it is ignored",
     "Correct the configuration", _UNSAFE),
    ("unused-suppression", _W, "A suppression comment names a finding that does not exist",
     "Remove the code from the comment", _SAFE),
    ("invalid-suppression", _W, "A suppression comment names no code, or one that does not exist",
     "Change the comment", _UNSAFE),
)  # fmt: skip

CATALOGUE = tuple(CatalogueEntry(*row) for row in _ROWS)

_BY_CODE = {entry.code: entry for entry in CATALOGUE}


def find(code: str) -> CatalogueEntry | None:
    """Returns the entry of a code; None for an unknown code."""
    return _BY_CODE.get(code)


def entry_of(code: str) -> CatalogueEntry:
    """Returns the entry of a code that a check reports. Raises `UsageError` for an unknown code."""
    entry = _BY_CODE.get(code)
    if entry is None:
        raise UsageError(f"the lint catalogue has no code {code!r}: add it to ttsr_ls/lint/catalogue.py")
    return entry
