"""The rules that are tried on the generated trees of `scan_tree_generator.py`, as conditions with a scope and globs.

They are of the sorts that rules have: words, shapes, places in lines, looks around, what only some files have, and
patterns of syntax in ten languages.
"""

from __future__ import annotations

EDITS = "'tool:edit({glob}), tool:write({glob})'"

# Frontmatter without its scope, and the globs that rules about it have.
RULES: tuple[tuple[str, tuple[str | None, ...]], ...] = (
    (r"condition: [': any\b', '<any>', 'as any']", ("*.ts", "*.{ts,tsx}", "src/**", None)),
    (r"condition: '\beval\s*\('", ("*.js", "*.{js,ts,py}", None)),
    (r"condition: '(?m)^import '", (None, "*.py", "**/*.py")),
    (r"condition: '^import '", (None, "src/**/*.ts")),
    (r"condition: '(?m);$'", (None, "*.ts")),
    (r"condition: ';$'", (None,)),
    (r"condition: '\r'", (None,)),
    (r"condition: '\n\n'", (None, "*.md")),
    (r"condition: '\ufeff'", (None,)),
    (r"condition: '\ufffd'", (None,)),
    (r"condition: '[^\x00-\x7f]'", (None, "docs/**")),
    (r"condition: '(?i)\b(?:todo|fixme)\b'", (None, "!*.md", "*.*")),
    (r"condition: '(?<!\.)print\s*\('", ("*.py", None)),
    (r"condition: '\.unwrap\(\)(?!;)'", ("*.rs", None)),
    (r"condition: '(\w)\1\1'", (None,)),
    (r"condition: '(?=[\s\S]*\bTODO\b)(?=[\s\S]*\bimport\b)'", (None,)),
    (r"condition: '^(?![\s\S]*strict)[\s\S]*let '", (None, "*.js")),
    (r"condition: 'x{5000}'", (None,)),
    (r"condition: 'let [\s\S]*?TODO'", (None,)),
    (r"condition: '^$'", (None,)),
    (r"condition: '\u{1F600}|\ud83d\ude00'", (None,)),
    (r"condition: '(?s)^.{0,3}$'", (None,)),
    (r"condition: ['(', 'TODO']", (None,)),
    (r"condition: '*.md'", (None,)),
    (r"condition: 'docs/*.{md,txt}'", (None,)),
    ("astCondition: $A as any", ("*.ts", "*.{ts,tsx}", None)),
    ("astCondition: [console.log($$$A), 'eval($A)']", ("*.{js,ts}", None)),
    ("astCondition: print($$$A)", ("*.py", None)),
    ("astCondition: $A.unwrap()", ("*.rs", None)),
    ("astCondition: fmt.Println($$$A)", (None, "*.go")),
    ("astCondition: 'import $A from \"$B\"'", (None,)),
    ("astCondition: $A", ("*.ts", "*.md")),
    ("astCondition: as any", ("*.ts",)),
    ("astCondition: 'def $F($$$A): $$$B'", (None,)),
    ("astCondition: 'class $C { $$$M }'", (None,)),
    ("astCondition: ['if ($A) { $$$B }', 'while ($A) $B']", (None,)),
    ("astCondition: 'name: $V'", ("*.yml", None)),
    ("astCondition: '{ $$$A }'", ("*.json", "*.css", None)),
    ("condition: TODO\nastCondition: eval($A)", (None, "src/**")),
    ("condition: TODO\nagents: helper", (None,)),
    ("condition: TODO\ninterruptMode: never", ("*.TS", "*.ts")),
)
UNWATCHED = (
    "condition: '[^]'\nscope: text, thinking",
    "condition: '[^]'\nscope: tool:bash",
    "condition: TODO\nenabled: false",
    "condition: '('",
)
