"""Which rules are loaded together with a rule file that is checked; the editor and the command line both ask here.

Only the folders of the same project count: what is in somebody's home folder must not change what a check in the
project says.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ttsr_ls.lint.context import NamedRule
from ttsr_ls.store.discovery import DiscoveredRule, RuleUnreadableError, read_file, rules_in
from ttsr_ls.syntax.reader import decode, read_rule

# Folders of a project in the order in which the reference agent loads them (semantics.md 1.12).
_FOLDERS = ((".omp", "native"), (".agent", "agents"), (".agents", "agents"))


def load_order_in(folder: Path) -> tuple[NamedRule, ...]:
    """The rules that are loaded with those in `folder`, first wins; their paths are written as `folder` is.

    Files that do not claim their name are left out where another one has it, too.
    """
    if folder.name != "rules" or folder.parent.name not in dict(_FOLDERS):
        found = list(rules_in(folder, "extra"))
    else:
        root = folder.parent.parent
        found = [rule for name, provider in _FOLDERS for rule in rules_in(root / name / "rules", provider)]
    count = Counter(rule.name for rule in found)
    return tuple(
        NamedRule(rule.name, str(rule.path), rule.provider)
        for rule in found
        if count[rule.name] == 1 or _claims_its_name(rule)
    )


def _claims_its_name(rule: DiscoveredRule) -> bool:
    """Whether a file hides others of its name: one that is switched off or has no body does not (semantics.md B4)."""
    try:
        text, _ = decode(read_file(rule.path))
    except RuleUnreadableError:
        return False
    file = read_rule(text, name=rule.name, path=str(rule.path))
    return file.fields.enabled and bool(file.body.value)
