"""The projects in which the commands of the documentation print what is shown below them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
_ANY = "---\ncondition: ': any\\b'\nscope: tool:edit(*.ts)\n---\nUse `unknown`.\n"
_EVAL = "---\ncondition: '\\beval\\(\\w\\)'\nscope: tool:edit(*.ts)\n---\nParse with `JSON.parse`.\n"
_TODO = "---\ncondition: '\\bTODO\\b'\nscope: tool:edit\n---\nDo it now.\n"
_CONST = "---\ncondition: '\\bconst '\nscope: tool:edit(*.ts)\n---\nDeclare with `let`.\n"
_SCANNED = {
    ".omp/rules/no-any.md": _ANY,
    ".omp/rules/no-eval.md": _EVAL,
    ".omp/rules/no-todo.md": _TODO,
    ".omp/rules/no-var.md": "---\ncondition: '\\bvar\\b'\nscope: tool:edit(*.{ts,js})\n---\nUse `let`.\n",
    "src/a.ts": "let a = 1;\nlet b: any;\nlet c: unknown; eval(c)\n",
    "src/b.ts": "let d = 1;\n",
    "src/c.js": "let e = 1;\n",
    "src/d.py": "f = 1\n",
    "src/e.md": "Nothing.\n",
    "src/f.png": "\0",
    "src/g.ts": "x" * (6 << 20),
}
_PORT = {
    **{f".omp/rules/{name}.md": text for name, text in (("no-any", _ANY), ("no-eval", _EVAL), ("no-todo", _TODO))},
    ".omp/rules/no-port.md": '---\ncondition: "localhost:\\d+"\nscope: tool:edit\n---\nRead the port from `PORT`.\n',
}
COMMON = {
    **_PORT,
    "rules/ts-no-explicit-any.md": (ROOT / "rules" / "ts-no-explicit-any.md").read_text(encoding="utf-8"),
    ".pi/rules/no-any.md": "---\ntrigger: ': any'\n---\nUse `unknown`.\n",
    "src/a.ts": "let a = 1;\n",
    "examples/a.ts": "let a = 1;\n",
    "rules/ts-no-explicit-any.test.yml": (ROOT / "rules" / "ts-no-explicit-any.test.yml").read_text(encoding="utf-8"),
    "ttsr-ls-baseline.json": '{"version": 1, "findings": []}',
}
"""What commands without shown output name."""
CHANGED = {"src/cart.ts": "// A shop.\n" * 13 + "let rows: any[] = [];\n"}
"""Written after the last commit."""
MAX_SHOWN: dict[tuple[str, str], dict[str, str]] = {
    ("README.md", "check .omp/rules"): _PORT,
    ("README.md", "test rules"): {
        f"rules/{path.name}": path.read_text(encoding="utf-8") for path in sorted((ROOT / "rules").glob("*"))
    },
    ("README.md", "scan --diff origin/main"): {
        **{
            f".omp/rules/{path.name}": path.read_text(encoding="utf-8")
            for path in sorted((ROOT / "rules").glob("*.md"))
        },
        **{f"src/{name}.ts": "let a = 1;\n" for name in "abc"},
        **{f"{name}.csv": "a,b\n" for name in "abcde"},
    },
    ("cli.md", "check .omp/rules"): _PORT,
    ("cli.md", "test --file src/a.ts"): {".omp/rules/no-any.md": _ANY, "src/a.ts": "const a: any = 1; foo"},
    ("cli.md", "test 'const a: any = 1' --tool edit --path src/a.ts --expect-fire=no-any --expect-silent"): {
        ".omp/rules/no-any.md": _ANY,
        ".omp/rules/no-const.md": _CONST,
    },
    ("cli.md", "test 'x: any' --answers 4 --pause 30"): {
        ".pi/rules/no-any.md": "---\ntrigger: ': any'\nmaxFirings: 3\ncooldown: 60\n---\nUse `unknown`.\n",
    },
    ("cli.md", "scan src"): _SCANNED,
    ("cli.md", "list --all"): {
        ".omp/rules/no-any.md": "---\ncondition: '\\bas any\\b'\nscope: tool:edit(*.ts)\n---\nUse `unknown`.\n",
        ".omp/rules/old.md": _TODO,
        ".omp/config.yml": "ttsr:\n  disabledRules: [old]\n",
        ".agents/rules/no-any.md": _ANY,
        ".agents/rules/draft.md": _TODO,
        ".gitignore": "draft.md\n",
    },
    ("cli.md", "why no-any --path lib/a.ts --text 'x as any;'"): {
        ".omp/rules/no-any.md": _ANY.replace("(*.ts)", "\nglobs: src/**"),
    },
    ("cli.md", "convert .pi/rules/no-any.md --to omp"): {
        ".pi/rules/no-any.md": "---\ntrigger: ': any[;,)]'\nmaxFirings: 3\n---\nUse `unknown`.\n",
    },
    ("rule-tests.md", "test"): {
        "rules/no-any.md": _ANY,
        "rules/no-any.test.yml": "valid:\n- 'let a: number;'\n- {path: notes.md, text: 'let a: any;'}\n"
        "- 'let any = 1;'\ninvalid:\n- 'let a: any;'\n- {name: a cast, text: const cart = load() as any;}\n"
        "- 'let b: any[] = [];'\n",
    },
    ("scan.md", "scan src"): _SCANNED,
}
"""By page and arguments."""
