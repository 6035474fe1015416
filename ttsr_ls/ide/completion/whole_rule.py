"""Completion of a whole rule in an empty file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from ttsr_ls.ide.completion.completion import Completion, CompletionKind
from ttsr_ls.syntax.dialects.detection import dialect_of_path
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.text import Span

_OMP = """\
---
description: ${1:{title}}
# A JavaScript regular expression, in single quotes. Of several in a list, any one fires the rule.
condition: '${2:what the agent must not write}'
scope: ${3:text, tool:edit(*.ts), tool:write(*.ts)}
---

${0:Say what is wrong with that, and what to do instead. The agent reads this only when the rule fires.}
"""
_AST = """\
---
description: ${1:{title}}
# An ast-grep pattern: $A is any one node, $$$ any number of them.
astCondition: '${2:console.log(\\$\\$\\$)}'
scope: ${3:tool:edit(*.ts), tool:write(*.ts)}
---

${0:Say what is wrong with that, and what to do instead. The agent reads this only when the rule fires.}
"""
_QUESTION = """\
---
description: ${1:{title}}
# A judge model answers this about what the agent did.
question: ${2:Does the agent claim that tests pass without having run them?}
scope: ${3:text}
---

${0:Say what is wrong with that, and what to do instead. The agent reads this only when the rule fires.}
"""
_PI_TTSR = """\
---
# A JavaScript regular expression, in single quotes, tried on each line of what the agent says.
trigger: '${1:what the agent must not write}'
scope: line
---

${0:Say what is wrong with that, and what to do instead. The agent reads this only when the rule fires.}
"""
_TEMPLATES = (
    (DialectId.OMP, "rule: a regular expression", _OMP),
    (DialectId.OMP, "rule: an ast-grep pattern", _AST),
    (DialectId.OMP, "rule: a question for a judge", _QUESTION),
    (DialectId.PI_TTSR, "rule of pi-ttsr", _PI_TTSR),
)


def whole_rules(path: str, span: Span) -> Iterator[Completion]:
    """Snippets of rules in the dialect of the file at `path`; `span` is all of its text."""
    dialect = dialect_of_path(path)
    wanted = DialectId.OMP if dialect is None else dialect.id
    words = PurePath(path).stem.replace("-", " ").replace("_", " ").replace("{", "").replace("}", "")
    title = f"{words[:1].upper()}{words[1:]}"
    for of, label, template in _TEMPLATES:
        if of is wanted:
            text = template.replace("{title}", title.replace("$", "").replace("\\", ""))
            yield Completion(CompletionKind.RULE, label, text, span, "A rule to write your own over.", is_snippet=True)
