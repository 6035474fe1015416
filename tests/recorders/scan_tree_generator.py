"""Random project trees for `record_scan.py`: sources of many languages, with everything that is odd about files."""

from __future__ import annotations

import base64
import random
from typing import Any

from tests.recorders.scan_rules import EDITS, RULES, UNWATCHED

_FOLDERS = (
    "", "src/", "src/", "src/lib/", "src/lib/deep/er/", "docs/", "build/", ".hidden/", "node_modules/m/", "Ünï côde/",
    ".github/", "a b/", "test [1]/",
)  # fmt: skip
_STEMS = ("a", "b", "index", "main", "README", ".env", "x.test", "Ä", "with space", "{curly}", "(paren)", "UPPER", "-x")
_LINES = {
    "ts": ('import a from "b"', "let a: any = 1;", "const b = c as any;", "eval(a);", "console.log(a, b)", "// TODO: x",
           "class C { m() {} }", "if (a) { b }", "type T = Array<any>;", 'let s = "as any"', "😀;", "let x: anything"),
    "js": ("'use strict'", "let a = eval (b);", "console.log()", "console . log(1)", "while (a) b", "/* fixme */", "",
           "if (a) { }", 'import x from "y"', "log(aaa)", "window.eval(a)", "const { a, b } = c"),
    "py": ("import os", "print(1)", "self.print(2)", "def f(a, b): return a", "print (x)", "# TODO", "eval(x)", "",
           "class C: pass", "x = 'print(1)'", "if a: b", "async def g(): pass"),
    "rs": ("let a = b.unwrap();", "b.unwrap().c()", "fn main() { print!() }", "// Fixme", "struct S { a: u8 }"),
    "go": ("package main", 'fmt.Println("x", 1)', "func main() { }", "import \"fmt\"", "if a { b() }"),
    "md": ("# TODO list", "text with `eval(x)`", "", "- point", "naïve — text", "let it be; any",
           "```ts\nlet a: any\n```"),
    "json": ('{ "name": "x", "todo": [1, 2] }',),
    "yml": ("name: x", "on: [push]", "jobs:", "  name: TODO"),
    "css": (".a { color: red; }", "/* todo */", "@media x { .b { top: 0 } }"),
    "txt": ("TODO", "import me", "x", ";"),
    "sh": ("echo TODO", "if [ a ]; then b; fi", "eval (x)"),
    "toml": ("name = 'TODO'", "[a]"),
    "": ("FROM x", "TODO: y", "import ;"),
}  # fmt: skip
_SUFFIXES = {
    "ts": (".ts", ".ts", ".TS", ".mts", ".tsx", ".d.ts"),
    "js": (".js", ".jsx", ".cjs"),
    "yml": (".yml", ".yaml"),
}
_IGNORED = ("build/", "*.log", "/docs/*.md", "b.*", "!b.ts", "src/lib/**", "**/index.*", "!src/lib/deep", ".hidden",
            "node_modules", "*.{txt,css}", "a b/", "\\(paren\\)*", "[A-Z]*", "#x", "")  # fmt: skip
_OPTIONS: tuple[list[str], ...] = (
    [],
    [],
    [],
    [],
    ["--no-gitignore"],
    ["--max-bytes", "60"],
    ["--max-bytes", "0"],
    ["src"],
    ["./docs/"],
)


def generate(seed: int, count: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [_tree(rng, number) for number in range(count)]


def _tree(rng: random.Random, number: int) -> dict[str, Any]:
    files: dict[str, Any] = {"p/src/": "", "p/docs/": ""}
    for _ in range(rng.randint(15, 45)):
        kind = rng.choice(list(_LINES))
        name = rng.choice(_STEMS) + rng.choice(_SUFFIXES.get(kind, (f".{kind}" if kind else "",)))
        files[f"p/{rng.choice(_FOLDERS)}{name}"] = _content(rng, kind)
    for _ in range(rng.randint(0, 4)):
        target = rng.choice(("src/a.ts", "a.js", "../outside.ts", "nowhere", "../src", "loop.ts", "."))
        files[f"p/{rng.choice(('', 'src/', 'docs/'))}{rng.choice(('l.ts', 'loop.ts', 'link'))}"] = f"->{target}"
    files["outside.ts"] = "let a: any; // TODO"
    if rng.random() < 0.7:
        files["p/.git/"] = ""
        files["p/.git/config.ts"] = "let a: any; // TODO"
    for place in ("p/.gitignore", "p/src/.gitignore", "p/.ignore"):
        if rng.random() < 0.4:
            files[place] = "".join(f"{rng.choice(_IGNORED)}\n" for _ in range(rng.randint(1, 3)))
    all_narrowed = rng.random() < 0.35
    for index, (conditions, globs) in enumerate(rng.sample(RULES, rng.randint(4, 9))):
        some = tuple(filter(None, globs)) if all_narrowed else globs
        if some:
            narrowed = _narrowed(rng, rng.choice(some))
            files[f"p/.omp/rules/r{index}.md"] = f"---\n{conditions}\n{narrowed}---\nDo not.\n"
    files["p/.omp/rules/unwatched.md"] = f"---\n{rng.choice(UNWATCHED)}\n---\nDo not.\n"
    files["p/.omp/config.yml"] = "ttsr:\n  builtinRules: false\n"
    return {"about": f"generated {number}", "files": files, "args": rng.choice(_OPTIONS)}


def _narrowed(rng: random.Random, glob: str | None) -> str:
    if glob is None:
        return rng.choice(("", "scope: tool\n", "scope: edit, text\n"))
    return rng.choice((f"globs: ['{glob}']\n", f"scope: {EDITS.format(glob=glob)}\n"))


def _content(rng: random.Random, kind: str) -> Any:
    end = rng.choice(("\n", "\n", "\n", "\r\n", "\r"))
    text = end.join(rng.choice(_LINES[kind]) for _ in range(rng.choice((0, 1, 2, 4, 8))))
    text += rng.choice(("", end, end))
    odd = rng.random()
    if odd < 0.06:
        return "\ufeff" + text
    if odd < 0.09:
        return text + "x" * 60_000 + end + "let z: any; // TODO"
    if odd < 0.11:
        return "// " + "y " * 30_000 + "\n" + text
    if odd < 0.18:
        data = text.encode()
        spoilt = rng.choice(
            (
                b"\0" + data, data + b"\0", data + b" " * 8192 + b"\0", data + b"\xff\xfe\n", b"\xc3(" + data,
                text.encode("utf-16"), b"\xed\xa0\x80" + data, data + b"\xe2\x82", data + b"\xf0\x9f\x98",
            )
        )  # fmt: skip
        return {"base64": base64.b64encode(spoilt).decode()}
    return text
