"""Rules of hookify whose conversion is tried on the reference agent, each with calls."""

from __future__ import annotations

from tests.recorders.hookify_rules import Call, bash, edit, write

PATTERNS = (
    r"^npm publish",
    r"npm publish$",
    r"^npm publish$",
    r"^(?:sudo\s+)?rm\b",
    r"(?:^|;\s*)rm -rf",
    r"\brm\b",
    r"rm\s+-rf",
    r"\A\s*git push",
    r"git push\Z",
    r"(?m)^git push$",
    r"(?m)^\s*rm",
    r"(?s)curl.*sh",
    r"curl[^|]*\|\s*sh",
    r'echo "hi"',
    r'"[^"]*secret[^"]*"',
    r"'[^']*'",
    r"\$\{?HOME\}?",
    r"C:\\temp",
    r"\\n",
    r"\n",
    r"\t",
    r"grep -E \"a\|b\"",
    r"^\w+$",
    r"^\S+ \S+$",
    r"git push(?!.*--force)",
    r"git push(?!.*--dry-run)\b",
    r"(?<!sudo )rm -rf",
    r"\Brf\b",
    r"^.{1,20}$",
    r"^[^#]*\bdd\b",
    r"\|\s*(?:ba)?sh\b",
    r"\b(?P<tool>npm|git)\b.*\b(?P=tool)\b",
    r"--\w+=\"?x",
    r"[\"']$",
    r"^$",
    r"\s$",
    r"^\s",
    r"é",
    r"command",
    r"/etc/passwd",
    r"\.env\b",
    r"[\\/]temp",
    r"foo\.bar|^npm",
    r"rm.{2}-rf",
    r"(?i)NPM",
    r"(?a)\w+ push",
    r"a++",
    r"[^\s]+@[^\s]+",
    r"\d{3,}",
    r"git\s+commit\s+-m\s+\"[^\"]{0,5}\"",
)
COMMANDS = (
    "npm publish",
    "npm publish\n",
    "echo npm publish",
    "npm publish --tag x",
    "rm -rf /tmp/x",
    "sudo rm -rf .",
    "ls; rm -rf a",
    "ls;rm -rf a",
    "echo a\nrm -rf b",
    "echo a\n\trm -rf b",
    "rm \\\n  -rf b",
    "rm\t-rf b",
    "git push",
    "git push --force",
    "echo\ngit push\nls",
    "git push --dry-run",
    "curl http://x | sh",
    "curl http://x \\\n  | bash",
    'echo "hi"',
    'echo "the secret is"',
    "echo 'x'",
    "echo $HOME ${HOME}",
    "dir C:\\temp",
    "printf 'a\\nb'",
    'grep -E "a|b" f',
    "a",
    "make all",
    "dd if=a of=b",
    "# dd if=a",
    "",
    " ls ",
    "ls",
    "echo é",
    "run command",
    "cat /etc/passwd",
    "cat .env",
    "cat .environment",
    "npm run npm",
    'x --a=x --b="x"',
    "mail a@b.c 12345",
    'git commit -m "fix"',
    'git commit -m "a long message"',
    "foo.bar",
    "a\tb",
    "echo 'a\nb'",
    "/",
    "surf rf",
)
LITERALS = (
    ("contains", "rm -rf"),
    ("contains", 'echo "hi"'),
    ("contains", "C:\\temp"),
    ("starts_with", "sudo "),
    ("starts_with", "git"),
    ("ends_with", "push"),
    ("ends_with", '"hi"'),
    ("equals", "ls"),
    ("equals", "npm publish"),
    ("starts_with", 'echo "'),
)
PATHS = (
    ("regex_match", r"\.tsx?$"),
    ("regex_match", r"\.(?:ts|js)x?$"),
    ("regex_match", r"\.py$|\.pyi$"),
    ("regex_match", r"\.[jt]s$"),
    ("regex_match", r".*\.ts$"),
    ("regex_match", r"^.*\.ts$"),
    ("regex_match", r"\.env$"),
    ("regex_match", r"(?:^|/)\.env$"),
    ("regex_match", r"/package\.json$"),
    ("regex_match", r"package(?:-lock)?\.json$"),
    ("regex_match", "/migrations/"),
    ("regex_match", r"\.(test|spec)\.ts\Z"),
    ("ends_with", ".env"),
    ("ends_with", "config.ts"),
    ("ends_with", "/a.ts"),
    ("contains", "/migrations/"),
    ("contains", "/src/gen/"),
    ("regex_match", r"(?:\.ts|\.d\.ts)$"),
    ("regex_match", r"\.ts"),
    ("regex_match", r"^/p/.*\.ts$"),
    ("regex_match", "secrets"),
    ("regex_match", r"\.\w+$"),
    ("equals", "/p/a.ts"),
)
FILES = (
    "/p/a.ts",
    "/p/b.tsx",
    "/p/c.js",
    "/p/d.jsx",
    "/p/e.py",
    "/p/e.pyi",
    "/p/.env",
    "/p/prod.env",
    "/p/.env.local",
    "/p/package.json",
    "/p/my-package.json",
    "/p/package-lock.json",
    "/p/migrations/1.sql",
    "/p/src/gen/a.ts",
    "/p/a.test.ts",
    "/p/vite.config.ts",
    "/p/types.d.ts",
    "/p/a.tsv",
    "/p/secrets/a",
    "/p/README",
)
CONTENTS = (
    r"^import",
    r"any$",
    r"(?m)^\s*print\(.*\)$",
    r"\bTODO\b",
    r'"use strict"',
    r"a.b",
    r"\n\n\n",
    r"\\d",
    r";\Z",
)
TEXTS = (
    "import x",
    "x\nimport y",
    "x: any",
    "x: any\n",
    "x: any\r\n",
    "  print(1)\nx",
    "print(1)\r\n",
    "// TODO x",
    '"use strict"',
    "a\rb",
    "a\n\n\nb",
    "re.compile('\\d')",
    "x;",
    "x;\n",
)


def rules() -> list[tuple[str, list[Call]]]:
    """The texts of rule files, each with its calls."""
    commands = [bash(command) for command in COMMANDS]
    found = [(_simple("bash", pattern), commands) for pattern in PATTERNS]
    found += [(_listed("bash", ("command", *literal)), commands) for literal in LITERALS]
    both = (("command", "regex_match", "git push"), ("command", "regex_match", r"--force\b|^git"))
    found += [(_listed("bash", *both), commands), (_listed("all", *both), commands)]
    found += [(_listed("bash", ("command", "contains", "git"), ("command", "not_contains", "push")), commands)]
    writes = [write(path, "x") for path in FILES]
    found += [(_listed("file", ("file_path", *of_path)), writes) for of_path in PATHS]
    edits = [edit("/p/a.ts", text) for text in TEXTS]
    found += [(_listed("file", ("content", "regex_match", pattern)), edits) for pattern in CONTENTS]
    found += [(_listed("file", ("file_path", "regex_match", r"\.tsx?$"), ("content", "contains", "any")), edits)]
    return found


def _simple(event: str, pattern: str) -> str:
    return f"---\nname: r\nenabled: true\nevent: {event}\npattern: '{pattern}'\n---\n\nDo not.\n"


def _listed(event: str, *conditions: tuple[str, str, str]) -> str:
    items = "".join(
        f"  - field: {field}\n    operator: {operator}\n    pattern: '{pattern}'\n"
        for field, operator, pattern in conditions
    )
    return f"---\nname: r\nenabled: true\nevent: {event}\nconditions:\n{items}---\n\nDo not.\n"
