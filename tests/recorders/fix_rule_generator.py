"""Generates rule files in the odd forms that people write, and damages some of them.

Used by record_fixes.py, which compares what a rule fires on before and after its fixes, and by the property test of the
same promise.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

PATTERNS = (
    r"foo", r"\bany\b", r"(?i)todo", r"console\.log\(", r"as any", r"\d+", r"\w+ing\b", r"foo|bar", r"foo|foo|bar",
    r"(?<q>[\"'])foo\k<q>", r"(?<q>[\"\x27]).*?\k<q>", r"[\"']foo[\"']", r"'foo'", r'"foo"', r"\"foo\"", r"a{,3}",
    r"[[:space:]]foo", r"\Afoo", r"foo\Z", r"\p{L}+", r"(?P<n>foo)", r"foo++", r"(?>foo)", r"(?x) foo", r"foo(?#c)",
    r"/foo/i", r"/todo/", r"\\bfoo\\b", r"foo\\.bar", r"\.env\b", r"\b@todo\b", r"\b\.env", r"^foo", r"foo$",
    r"^rm -rf",
    r"(?m)^foo", r"foo #bar", r"foo: bar", r"TODO | FIXME", r"TODO, FIXME", r"[TODO]", r"[a-z]+", r"[A-z]+", r"[aa-z]",
    r"*.ts", r"src/**", r"https?://x", r"TODO/FIXME.*", r"</?div>", r"{foo}", r"!foo", r"@todo", r"`foo`", r"%foo",
    r"&foo", r"foo\ bar", r"foo\-bar", r"\@todo", r"\h+foo", r"\x{41}", r"\u{61}", r".*foo.*", r"[\s\S]*foo",
    r"(?!foo)bar",
    r"foo(?!bar)", r"foo(?=bar)", r"<img [^>]*(?!alt)>", r"(?:foo)?", r"foo?", r".*", r"", r"foo,bar", r"[foo]",
    r"(foo",
    r"foo)", r"é\b", r"[😀x]", "fo\u200bo", r"\bfoo\b\b", r"(foo)\1", r"\Bfoo\B", r"x{1}foo", r"foo|foobar", r"(?i)Foo",
    r"(?i:foo)", r"foo\tbar", r"foo\nbar", "foo\tbar", r"<!-- foo -->", r"\<foo\>", r"foo[.]bar", r"\_foo", r"\e\a\0",
    r"\/foo\/bar", r"^\s*foo", r"\"command\":\"rm", r'"path":\s*"foo', r"(?-i)foo", r"(?i)(?s)foo", r"(?s).foo",
    r"- foo",
)  # fmt: skip
"""Patterns that people write, right and wrong."""

_KEYS = (
    "condition", "condition", "condition", "condition", "condition", "Condition", "CONDITION", "conditions", "condtion",
    "ttsr_trigger", "ttsrTrigger", "ttsr-trigger", "TTSR_TRIGGER", '"condition"', "'condition'", "trigger", "pattern",
    "cond-ition", "? condition", "condition ",
)  # fmt: skip
_SCOPE_KEYS = ("scope", "scope", "scope", "scope", "Scope", "scopes", "SCOPE")
_GLOB_KEYS = ("globs", "globs", "globs", "Globs", "glob", "GLOBS", "paths", "applyTo")
_SCOPES = (
    "text", "thinking", "tool", "toolcall", "text, thinking", "tool:edit", "tool:edit(*.ts)", "edit(src/*.ts), text",
    "tool(*.md)", "prose", "*", "tool:", "tool:edit()", "tool: edit", "TEXT", "Tool:Edit(*.ts)", "tool:edit(*.TS)",
    "[text, thinking]", "text;thinking", "text thinking", "tool:edit(*.ts,*.py)", "tool:edit({*.ts,*.py})", "tool:bash",
    "bash, text", "tool:edit(*.ts", "tool:edit|write", "text:foo", "tool:edit (*.ts)", "toll:edit", "'text', \"tool\"",
    "toolcall:edit", "tool:edit(!*.ts)", "tool:edit({ts, py})", "tool:edit({*.ts, *.py})", "text，thinking", "line",
    "todo_write",
    "tool:Bash", "tool:Write(*.py), text", "reasoning", "all", "", "tool:edit(**.ts)", "tool:edit(./src/a.ts)",
    "tool:edit(src\\*.ts)", "tool:write(src/b.py)", "tool:edit(*.ts), tool:edit(*.ts)", "thinking, tool:edit(*.ts))",
)  # fmt: skip
_GLOBS = (
    "*.ts", "src/**", "!src/a.ts", "{src,lib}/**", "**/*.md", "a.ts", "*.ts,*.py", "*.ts, *.py", "*.{ts, py}",
    "./src/*.ts",
    "**.ts", "src\\*.ts", "*.(ts|py)", "[b]*", "'*.ts'", "*", "**/*", "*.TS", "/src/*.ts", "*.ts *.py", "~/x/*.ts",
    "{a",
    "src/", "src", "**/*.{ts,py}", "*.{ts,py}", "",
)  # fmt: skip
_OTHER = (
    "description: Use foo: never bar", "description: Do not write foo", "name: other", "enabled: true", "enabled: no",
    "enabled: false", "Enabled: false", "alwaysApply: true", "always_apply: true", "interruptMode: never",
    "interrupt-mode: always", "interrupt_mode: never", "interruptMode: prose", "interruptMode: Never",
    "agents: main, sub",
    "agents: main|sub", "agents: Main", "Agents: sub", "agents: '{main, sub}'", "agents:", "question: Is it?",
    "Question: x",
    "severity: high", "id: x", "tags: [a, b]", "# comment", "", "<!-- comment -->", "foo bar", "- stray", "key:",
    "  nested: v",
    "description: >-\n  folded\n  text", "description: |\n  literal", "astCondition: console.log($A)",
    "ast-condition: foo($A)",
    "ast_condition: 'foo($$$)'", "astCondition: [foo($A), foo($A)]", "repeatMode: once", "priority: 1", "flags: i",
    "description: it's", "description: [a", "description: @x", "description: \"a\\d\"", "description: 'a' b", "\tx: y",
    "# ttsr-ls: ignore[unknown-key]", "interruptMode: always", "description:\tx", "version: 1",
)  # fmt: skip
_BODIES = (
    "Say so.",
    "Say so.",
    "Do not write foo.\n\n```ts\nfoo\n```",
    "Write `bar`.",
    "x\n---\ny",
    "<!-- gone -->",
    "",
    "condition: foo",
)
_INSERTED = (
    *" \n:-\"'[]{},#&*!|>%@`?\\ab01~.()\t", "\n  ", "\n- ", ": ", " #", "  ", "\r\n", "---\n", "é", "\ufeff", "<!--",
    "-->",
    "\u00a0", "\u2028", "\u2018", "\u201c", "\u3000", "condition: ", "scope: ", "globs: ",
)  # fmt: skip


def generate(seed: int, written: Sequence[str]) -> Iterator[str]:
    """Rule files without end, the same for the same seed; a third are damaged copies of `written` rules."""
    rng = random.Random(seed)
    while True:
        text = rng.choice(written) if rng.random() < 0.33 else _rule(rng)
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3))):
            text = _damaged(rng, text)
        yield _other_layout(rng, text)


def _rule(rng: random.Random) -> str:
    entries = [_entry(rng, rng.choice(_KEYS), _patterns(rng)) for _ in range(rng.choice((1, 1, 1, 1, 1, 2, 2)))]
    if rng.random() < 0.55:
        for _ in range(rng.choice((1, 1, 1, 1, 2))):
            entries.append(_entry(rng, rng.choice(_SCOPE_KEYS), _some(rng, _SCOPES)))
    if rng.random() < 0.35:
        entries.append(_entry(rng, rng.choice(_GLOB_KEYS), _some(rng, _GLOBS)))
        if rng.random() < 0.1:
            entries.append(f"{rng.choice(_GLOB_KEYS)}:\n  include: [{', '.join(_some(rng, ('src', 'x', '*.ts')))}]")
    entries += [rng.choice(_OTHER) for _ in range(rng.choice((0, 0, 1, 1, 2, 3)))]
    rng.shuffle(entries)
    frontmatter = "\n".join(entries)
    return f"---\n{frontmatter}\n---\n{rng.choice(_BODIES)}\n"


def _some(rng: random.Random, pool: Sequence[str]) -> list[str]:
    return [rng.choice(pool) for _ in range(rng.choice((1, 1, 1, 2, 2, 3)))]


def _patterns(rng: random.Random) -> list[str]:
    patterns = _some(rng, PATTERNS)
    return [*patterns, rng.choice(patterns)] if rng.random() < 0.1 else patterns


def _entry(rng: random.Random, key: str, values: list[str]) -> str:
    """A key with its values, in one of the forms that YAML has and some that it has not."""
    if len(values) == 1 and rng.random() < 0.7:
        return _with_one(rng, key, values[0])
    match rng.randrange(8):
        case 0 | 1 | 2:
            return "\n".join([f"{key}:", *(f"  - {_scalar(rng, value)}" for value in values)])
        case 3:
            return "\n".join([f"{key}:", *(f"- {_scalar(rng, value)}" for value in values)])
        case 4 | 5:
            return f"{key}: [{', '.join(_scalar(rng, value) for value in values)}]"
        case 6:
            marks = ["- ", *(rng.choice(("  - ", "- ", "-", "* ")) for _ in values[1:])]
            return "\n".join(
                [f"{key}:", *(f"  {mark}{_scalar(rng, value)}" for mark, value in zip(marks, values, strict=True))]
            )
        case _:
            return f"{key}: {', '.join(values)}"


def _with_one(rng: random.Random, key: str, value: str) -> str:
    match rng.randrange(10):
        case 0:
            return f"{key}: {rng.choice(('|', '>', '|-', '>-', '|+'))}\n  {value}"
        case 1:
            return f"{key}:\n  {_scalar(rng, value)}"
        case 2:
            before, after = rng.choice((" ", "  ", "", "\t")), rng.choice(("", " # why", " ", "\t", ","))
            return f"{key}:{before}{_scalar(rng, value)}{after}"
        case 3:
            return f"{key}:\n  {rng.choice(('include', 'pattern', 'any'))}: {_scalar(rng, value)}"
        case _:
            return f"{key}: {_scalar(rng, value)}"


def _scalar(rng: random.Random, value: str) -> str:
    match rng.randrange(8):
        case 0 | 1 | 2:
            return "'" + value.replace("'", "''") + "'"
        case 3:
            return f"'{value}'"
        case 4:
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case 5:
            return f'"{value}"'
        case _:
            return value


def _damaged(rng: random.Random, text: str) -> str:
    offset = rng.randrange(len(text) + 1)
    match rng.randrange(4):
        case 0:
            return text[:offset] + rng.choice(_INSERTED) + text[offset:]
        case 1:
            return text[:offset] + text[offset + 1 :]
        case 2:
            lines = text.split("\n")
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            return "\n".join(lines)
        case _:
            return text[:offset] + rng.choice(_INSERTED) + text[offset + 1 :]


def _other_layout(rng: random.Random, text: str) -> str:
    match rng.randrange(20):
        case 0 | 1:
            return text.replace("\n", "\r\n")
        case 2:
            return "\ufeff" + text
        case 3:
            return text.replace("  ", "\t")
        case 4:
            return text.replace("---\n", rng.choice(("--- \n", "----\n", "---yaml\n", " ---\n", "--\n", "***\n")), 1)
        case 5:
            return rng.choice(("\n", " ", "<!-- c -->", "<!-- c -->\n", "# Title\n")) + text
        case 6:
            return text.replace("\n", "\r")
        case _:
            return text
